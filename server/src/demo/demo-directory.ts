/** The organisations, users and devices of the demo workspace. */
import { rightNames } from '@recodery/contract/admin/resources';
import { containerFamilies, containerOf, type Family } from '@recodery/contract/families/registry';
import type { DirectoryFile } from '../organisations/directory/directory-file.ts';

// Drawn for the demo: a gear wheel with a bolt of lightning. Square, because it is shown next to names.
const officinaLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">
<rect width="48" height="48" rx="10" fill="#fbeee4"/>
<g fill="none" stroke="#b4521b" stroke-width="4" stroke-linejoin="round">
<circle cx="24" cy="24" r="13"/>
<path d="M24 5v5M24 38v5M5 24h5M38 24h5M10.6 10.6l3.5 3.5M33.9 33.9l3.5 3.5M10.6 37.4l3.5-3.5M33.9 14.1l3.5-3.5" stroke-linecap="round"/>
</g>
<path d="M26 14l-8 12h5l-2 8 8-12h-5z" fill="#b4521b"/>
</svg>`;

const everyRight = [...rightNames];

/** The letters with which the family's serial numbers begin. */
const prefixOf = (family: Family): string => containerOf(family).demoSlave.slice(0, 3);

/** A master of the family and its slave, if it has an owner. */
function master(family: Family, number: string, slave: string, owner?: string) {
  const serial = `${prefixOf(family)}-M-${number}`;
  return { family, serial, slaves: owner === undefined ? [] : [{ serial: slave, owner }] };
}

/** One master of each family; with an owner, each has a slave, with matching numbers. */
export function fleet(number: string, owner?: string) {
  return containerFamilies.map((family) =>
    master(family, number, `${prefixOf(family)}-00${number}`, owner),
  );
}

/** The contents of the demo workspace; every account's password is `demoPassword`. */
export const demoDirectory: DirectoryFile = {
  organisations: [
    {
      customerCode: 'CC-1001',
      name: 'Officina Demo',
      email: 'officina@demo.test',
      culture: 'it-IT',
      rights: everyRight,
      logo: `data:image/svg+xml;base64,${Buffer.from(officinaLogo).toString('base64')}`,
      groupCodes: [
        {
          code: 'G-10',
          masters: containerFamilies.map((family) =>
            master(family, '0001', containerOf(family).demoSlave, 'CC-9001'),
          ),
        },
        {
          code: 'G-11',
          masters: [master('kess3', '0002', 'KS3-000043', 'CC-1001')],
        },
      ],
    },
    {
      customerCode: 'CC-2002',
      name: 'Tuning Nord',
      email: 'nord@demo.test',
      culture: 'de-DE',
      rights: everyRight,
      groupCodes: [{ code: 'G-20', masters: fleet('2002', 'CC-2002') }],
    },
    {
      customerCode: 'CC-3003',
      name: 'Mia Performance',
      email: 'performance@demo.test',
      culture: 'en-US',
      rights: everyRight,
      groupCodes: [{ code: 'G-30', masters: fleet('3003', 'CC-3003') }],
    },
    {
      customerCode: 'CC-4004',
      name: 'Otto Motoren',
      email: 'motoren@demo.test',
      culture: 'de-DE',
      rights: everyRight,
      groupCodes: [{ code: 'G-40', masters: fleet('4004') }],
    },
    {
      customerCode: 'CC-5005',
      name: 'Nora Service',
      email: 'service@demo.test',
      culture: 'en-US',
      rights: everyRight,
    },
    {
      customerCode: 'CC-9001',
      name: 'Garage Rossi',
      email: 'garage@rossi.test',
      culture: 'it-IT',
      rights: [...containerFamilies, 'recod'],
    },
  ],
  users: [
    {
      email: 'anna@demo.test',
      name: 'Anna Conti',
      customerCodes: ['CC-1001', 'CC-2002'],
      manager: true,
    },
    { email: 'paolo@demo.test', name: 'Paolo Serra', customerCodes: ['CC-1001'] },
    { email: 'olga@demo.test', name: 'Olga Ivanova', customerCodes: ['CC-1001'], operator: true },
    { email: 'luca@demo.test', name: 'Luca Rossi', customerCodes: ['CC-9001'], manager: true },
    { email: 'mia@demo.test', name: 'Mia Novak', customerCodes: ['CC-3003'], manager: true },
    { email: 'otto@demo.test', name: 'Otto Brandt', customerCodes: ['CC-4004'], manager: true },
    {
      email: 'nora@demo.test',
      name: 'Nora Lind',
      portalAccess: false,
      customerCodes: ['CC-5005'],
    },
  ],
};
