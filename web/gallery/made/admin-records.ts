/** Fixed records and responses of the administration. */
import type { AnyRecord } from '../../src/features/admin/records/records.ts';
import { type Answer, guidOf, session } from './answers.ts';

export const operator: Answer = { key: ['session'], data: { ...session, isOperator: true } };
export const now = new Date();
export const logo = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="teal"/></svg>')}`;

const longName = `Officina Meccanica di Precisione ${'Fratelli Bartolomeo '.repeat(3)}`;
export const organisations: readonly AnyRecord[] = [
  ['CC-1001', 'Officina Demo', 'officina@demo.test', 'it-IT', 3, 4],
  ['CC-2002', 'Tuning Nord', 'nord@demo.test', 'de-DE', 12, 2],
  ['CC-3003', longName, null, 'en-US', 0, 0],
  ['CC-9001', 'Garage Rossi', 'garage@rossi.test', 'it-IT', 1, 0],
].map(([customerCode, name, email, culture, users, masters], at) => ({
  guid: guidOf(900 + at),
  revision: 'r1',
  customerCode: customerCode ?? null,
  name: name ?? null,
  email: email ?? null,
  culture: culture ?? null,
  rights: ['kess3', 'ktag', 'recod'],
  groupCodes: ['G-10', 'G-11'],
  logo: at === 0 ? logo : null,
  archived: customerCode === 'CC-3003',
  users: users ?? 0,
  masters: masters ?? 0,
}));
export const user: AnyRecord = {
  guid: guidOf(950),
  revision: 'r1',
  email: 'anna@demo.test',
  name: 'Anna Conti',
  culture: 'it-IT',
  customerCodes: ['CC-1001', 'CC-2002', 'CC-3003', 'CC-9001'],
  manager: ['CC-1001'],
  operator: false,
  portalAccess: true,
  accountSuspended: false,
  hasPassword: true,
};
export const people: readonly AnyRecord[] = [
  user,
  {
    ...user,
    guid: guidOf(951),
    email: 'olga@demo.test',
    name: 'Olga Meier',
    customerCodes: ['CC-1001'],
    operator: true,
  },
  {
    ...user,
    guid: guidOf(952),
    email: 'paolo@demo.test',
    name: 'Paolo Neri',
    customerCodes: ['CC-1001'],
    manager: [],
    accountSuspended: true,
  },
];

export const [organisation = user] = organisations;
export const list = (
  name: string,
  sort: string,
  answer: Omit<Answer, 'key'>,
  search = '',
): Answer => ({
  key: ['code', 'records', name, 'list', { search, sort }],
  ...answer,
});
export const pagesOf = (items: readonly AnyRecord[], next: string | null = null) => ({
  data: { pages: [{ items, next, total: next === null ? items.length : 312 }], pageParams: [null] },
});
export const record = (name: string, guid: string, answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'records', name, 'record', guid],
  ...answer,
});
export const noSuggestions = ['organisations', 'engines', 'masters'].flatMap((name) =>
  ['', 'built-in'].map(
    (typed): Answer => ({
      key: ['code', 'records', name, 'suggestions', typed],
      data: { items: [], next: null, total: 0 },
    }),
  ),
);

export const engine: AnyRecord = {
  guid: guidOf(960),
  revision: 'r1',
  name: 'built-in',
  kind: 'built-in',
  url: null,
  client: null,
  families: ['kessv2', 'ktag', 'kess3'],
  masters: 4,
};
export const vendorEngine: AnyRecord = {
  ...engine,
  guid: guidOf(961),
  name: 'acme',
  kind: 'encoding-api',
  url: 'https://api.vendor.example/v1',
  client: '01900000-0000-7000-8000-00000000abcd',
  masters: 2,
};
