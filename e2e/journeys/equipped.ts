/**
 * The product of journeys that need more than the shared one: a mail server, webhooks to this machine, and, for those of the
 * makes, a double of each maker's service and reads of their slaves. One for all, because starting it takes as long as ten
 * pages.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { definitionOf } from '@recodery/contract/families/registry';
import { isEachRun } from '../each-run.ts';
import { expect } from '../fixtures.ts';
import { withMailServer } from '../mail-fixture.ts';
import type { Product } from '../product.ts';
import {
  type FakeService,
  listedSlavesOf,
  startFakeService,
} from '../../server/test/fixtures/makes/fake-service.ts';
import { type Make, masterSerial } from '../../server/src/demo/doubles/make.ts';
import { allMakes } from '../../server/src/demo/doubles/makes.ts';

/** The name of the slave that has written the reads of the makes. */
export const slave = 'Golf 7 of Jürgen';

/** The name of the connection to a make's service. */
export const engineOf = ({ family }: Make): string => `our-${family}`;

// in each run, journeys use the first one; with a second one, the home page asks which of them a file is from
const makes = isEachRun ? allMakes.slice(0, 2) : allMakes;

const directory = `
organisations:
  - customerCode: CC-1001
    groupCodes:
      - code: G-B
        masters:
${makes
  .map(
    (make) =>
      `          - { family: ${make.family}, serial: ${masterSerial(make, '0001')}, engine: ${engineOf(make)}, slaves: ${JSON.stringify(listedSlavesOf(make, slave))} }`,
  )
  .join('\n')}
`;

/** Adds the connections and the masters of Anna's organisation, as an operator does. */
async function connect(product: Product, services: Iterable<FakeService>): Promise<void> {
  const { demoFile, recodery } = product;
  for (const { make, url, credentials } of services) {
    const secret = demoFile(`keys/${make.family}.txt`);
    await writeFile(secret, `${credentials.secret}\n`);
    const client = credentials.client === null ? [] : ['--client', credentials.client];
    const words = ['--kind', make.family, '--url', url, '--secret-file', secret, ...client];
    await recodery('engine', 'add', engineOf(make), ...words);
    expect(await recodery('engine', 'test', engineOf(make))).toContain('does not refuse');
  }
  const file = demoFile('makes.yaml');
  await writeFile(file, directory);
  await recodery('directory', 'apply', file);
}

/** The journeys' test with this product; `services` are started for those that name them. */
export const test = withMailServer(
  { refuse: (recipient) => (recipient.startsWith('gone@') ? 550 : null) },
  { RECODERY_WEBHOOK_ALLOW: '127.0.0.0/8' },
).extend<object, { readonly services: ReadonlyMap<Make, FakeService> }>({
  services: [
    async ({ product }, use) => {
      const started = makes.map(async (make) => [make, await startFakeService(make)] as const);
      const services = new Map(await Promise.all(started));
      await connect(product, services.values());
      await use(services);
      await Promise.all([...services.values()].map((service) => service.stop()));
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

/** Connected to the services: from then on, the home page asks which make a file is from. */
export const testOfMakes = test.extend<{ readonly isConnected: boolean }>({
  isConnected: [async ({ services }, use) => use(services.size > 0), { auto: true }],
});

/** The type of a read or a modified file that a browser sends. */
export const mimeType = 'application/octet-stream';

/** A read file of its own, so that no job contains it yet. */
export function newRead(make: Make, name = 'golf') {
  const image = randomBytes(65_536);
  const { encodedFileExtension: extension } = definitionOf(make.family);
  const read = { name: `${name}${extension}`, mimeType, buffer: make.seal(slave, image) };
  const modified = {
    name: 'stage 1.bin',
    mimeType,
    buffer: Buffer.from(image).fill(7, 4096, 4112),
  };
  return { image, read, modified };
}
