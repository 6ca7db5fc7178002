/**
 * The makes with a stateless service in a real browser, each against its double: from a file on the home page, on another
 * page or in a tray to the file for the slave.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { definitionOf } from '@recodery/contract/families/registry';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { ageSeals } from '../../aged-job.ts';
import { expect, expectAccessible, signIn, test as base, openSignedIn } from '../../fixtures.ts';
import { type Product, startProduct } from '../../product.ts';
import { bytesOf, choose, decode, download, encode, rowOf, write } from '../../workflow.ts';
import {
  type MailServer,
  sharePathIn,
  startMailServer,
} from '../../../server/test/email/mail-server.ts';
import {
  type FakeService,
  startFakeService,
} from '../../../server/test/fixtures/makes/fake-service.ts';
import { type Make, masterSerial, listedSlavesOf } from '../../../server/src/demo/doubles/make.ts';
import { allMakes } from '../../../server/src/demo/doubles/makes.ts';
import { fill, textsByLocale } from '../../../server/src/texts/texts.ts';
import { zipOf } from '../../../server/src/demo/doubles/zip-of.ts';

interface WorkerFixtures {
  readonly product: Product;
  readonly mailServer: MailServer;
  readonly services: ReadonlyMap<Make, FakeService>;
}

const slave = 'Golf 7 of Jürgen';

const engineOf = ({ family }: Make): string => `our-${family}`;

const directory = `
organisations:
  - customerCode: CC-1001
    groupCodes:
      - code: G-B
        masters:
${allMakes
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

// a product of its own: a master here changes what the home page does with unknown files
const test = base.extend<object, WorkerFixtures>({
  services: [
    async ({}, use) => {
      const started = allMakes.map(async (make) => [make, await startFakeService(make)] as const);
      const services = new Map(await Promise.all(started));
      await use(services);
      await Promise.all([...services.values()].map((service) => service.stop()));
    },
    { scope: 'worker' },
  ],
  mailServer: [
    async ({}, use) => {
      const server = await startMailServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ services, mailServer }, use) => {
      const product = await startProduct({
        RECODERY_SMTP_URL: mailServer.url,
        RECODERY_MAIL_FROM: 'portal@demo.test',
      });
      await connect(product, services.values());
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

const mimeType = 'application/octet-stream';

/** A read file of its own, so that no job contains it yet. */
function newRead(make: Make, name = 'golf') {
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

async function expectPageOf(page: Page, { family }: Make): Promise<void> {
  const { name } = definitionOf(family);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

for (const make of allMakes) {
  const { name, encodedFileExtension: extension } = definitionOf(make.family);
  // `engine/makes/makes.test.ts` proves the same for all of them in each run, and their pages are the same code
  const tag = make === allMakes[0] ? '@each-run' : '@release';

  test(`${name}: a file on the home page is decoded, modified and encoded for its slave`, {
    tag,
  }, async ({ page }) => {
    const { image, read, modified } = newRead(make);
    await signIn(page);
    await expect(page.getByRole('navigation').getByRole('link', { name })).not.toHaveCount(0);
    await choose(page, read);
    // the content does not show the make: the page asks, the make of the name first
    const question = page.getByRole('region', { name: 'Which family is the file from?' });
    await expect(question.getByRole('button').first()).toHaveText(name);
    await expectAccessible(page, `${make.family}, question`);
    const coming = page.waitForEvent('download');
    await question.getByRole('button', { name, exact: true }).click();
    expect(image.equals(await bytesOf(await coming))).toBe(true);
    await expectPageOf(page, make);
    await expect(page.getByText(make.serialOf?.(slave) ?? slave).first()).toBeVisible();
    await expectAccessible(page, `${make.family}, decoded`);

    await choose(page, modified);
    await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
    const encoded = await encode(page);
    expect(encoded.suggestedFilename().endsWith(extension)).toBe(true);
    expect(make.open(await bytesOf(encoded))).toEqual({ slave, image: modified.buffer });
    const isExpiring = (definitionOf(make.family).sealing?.hoursValid ?? null) !== null;
    // it is shown, and announced
    const times = page.getByText(/sealed .+: write it before /);
    if (isExpiring) await expect(times.first()).toBeVisible();
    else await expect(times).toHaveCount(0);
    await expectAccessible(page, `${make.family}, encoded`);
  });

  // promise e3.makes.pages
  test(`${name}: a file on the page of another family goes to its own page`, { tag }, async ({
    page,
  }) => {
    const { image, read } = newRead(make, 'other');
    await openSignedIn(page, '/kessv2');
    await choose(page, read);
    await expect(page.getByText(`Its name suggests ${name}`)).toBeVisible();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: `Open on the ${name} page` }).click();
    expect(image.equals(await bytesOf(await coming))).toBe(true);
    await expectPageOf(page, make);
  });

  test(`${name} refuses an archive in place of the image, and never seals it`, { tag }, async ({
    page,
    services,
  }) => {
    const { image, read, modified } = newRead(make);
    await signIn(page);
    await page.goto(`/${make.family}`);
    await decode(page, read);
    const service = services.get(make);
    service?.sealed.splice(0);
    const buffer = Buffer.from(image);
    buffer.set([0x50, 0x4b, 3, 4]);
    await choose(page, { ...modified, name: 'golf.zip', buffer });
    await expect(page.getByText(/archive/i).first()).toBeVisible();
    expect(service?.sealed).toEqual([]);
  });

  test(`${name} reports a service that refuses the credentials in its words`, { tag }, async ({
    page,
    services,
  }) => {
    await signIn(page);
    await page.goto(`/${make.family}`);
    services.get(make)?.misbehave({ status: 401, body: '{"message":"Unauthenticated."}' });
    await choose(page, newRead(make, 'third').read);
    await expect(
      page.getByText(/refuses the credentials: HTTP 401: Unauthenticated/),
    ).toBeVisible();
  });
}

test('the trial of a connection prints a report without credentials and the name of the slave', async ({
  product,
}) => {
  for (const make of allMakes) {
    const file = product.demoFile(`trial-${make.family}`);
    await writeFile(file, newRead(make).read.buffer);
    const report = await product.recodery(
      'engine',
      'trial',
      engineOf(make),
      '--read',
      file,
      '--slave',
      slave,
    );
    expect(report).toMatch(/encode of the unchanged images: succeeded/);
    for (const word of [slave, make.credentials.secret]) expect(report).not.toContain(word);
  }
});

test('a tray decodes files of all makes', async ({ page }) => {
  const reads = allMakes.map((make) => newRead(make, `tray-${make.family}`).read);
  await signIn(page);
  await choose(page, reads);
  await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
  const rows = page.getByRole('list', { name: 'Files in this tray' }).locator('> li');
  await expect(rows).toHaveCount(reads.length);
  for (const make of allMakes) {
    const row = rows.filter({ hasText: `tray-${make.family}` });
    await expect(row.getByRole('link', { name: 'Open page' })).toBeVisible({ timeout: 30_000 });
    await expect(row).toContainText(definitionOf(make.family).name);
  }
});

const withMemories = allMakes.filter(({ family }) => definitionOf(family).modes.bootbench);

for (const make of withMemories) {
  const tag = make === withMemories[0] ? '@each-run' : '@release';
  const { name } = definitionOf(make.family);

  // promise e3.makes.memories
  test(`${name}: a read of several memories is decoded, and the modified one is sealed`, {
    tag,
  }, async ({ page }) => {
    const memories = ['int_flash', 'ext_eeprom'].map((memory) => ({
      name: memory,
      content: randomBytes(32_768),
    }));
    await openSignedIn(page, `/${make.family}`);
    const buffer = make.seal(slave, zipOf(memories));
    await choose(page, { name: `memories-${make.family}`, mimeType, buffer });
    await expect(rowOf(page, 'External EEPROM')).toBeVisible({ timeout: 30_000 });
    const modified = Buffer.from(memories[0]?.content ?? []).fill(9, 100, 110);
    const file = { name: 'stage 1.bin', mimeType, buffer: modified };
    await rowOf(page, 'Internal flash').locator('input[type=file]').setInputFiles(file);
    await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
    const encoded = await encode(page);
    expect(make.open(await bytesOf(encoded))).toEqual({ slave, image: modified });
  });
}

for (const make of allMakes.filter(({ listsSlaves }) => listsSlaves)) {
  const { name, encodedFileExtension: extension } = definitionOf(make.family);
  const other = 'Polo 6';

  /** Lists another slave of the master, or removes it. */
  async function setOther(product: Product, entry: string): Promise<void> {
    const file = product.demoFile(`slaves-${make.family}.yaml`);
    const master = `{ family: ${make.family}, serial: ${masterSerial(make, '0001')}, slaves: [${entry}] }`;
    await writeFile(
      file,
      `organisations:\n  - customerCode: CC-1001\n    groupCodes:\n      - { code: G-B, masters: [${master}] }\n`,
    );
    await product.recodery('directory', 'apply', file);
  }

  // promise e3.makes.slave
  test(`${name}: the page and a tray ask which of two slaves wrote a file`, async ({
    page,
    product,
  }) => {
    await setOther(product, `{ serial: ${other} }`);
    try {
      const { image, read } = newRead(make, 'asked');
      await openSignedIn(page, `/${make.family}`);
      await choose(page, read);
      await expect(page.getByRole('button', { name: other, exact: true })).toBeVisible();
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: slave, exact: true }).click();
      expect(image.equals(await bytesOf(await coming))).toBe(true);

      await page.goto('/');
      const names = [`first${extension}`, `second${extension}`];
      const reads = names.map((file) => ({ ...newRead(make).read, name: file }));
      await choose(page, reads);
      await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
      const rows = page.getByRole('list', { name: 'Files in this tray' }).locator('> li');
      for (const file of names) {
        const row = rows.filter({ hasText: file });
        const question = row.getByRole('group', { name: /^Select the slave/ });
        await expect(question.getByRole('button')).toHaveCount(2);
        await question.getByRole('button', { name: slave, exact: true }).click();
        await expect(row.getByRole('link', { name: 'Open page' })).toBeVisible({ timeout: 30_000 });
        await expect(question).toHaveCount(0);
      }
      await expectAccessible(page, `${make.family}, tray`);
    } finally {
      await setOther(product, `{ serial: ${other}, remove: true }`);
    }
  });
}

for (const make of allMakes.filter(({ family }) => doFilesExpire(family))) {
  const { name } = definitionOf(make.family);

  /** Decodes a read and uploads its modified image. */
  async function prepare(page: Page, file: string): Promise<Buffer> {
    const { read, modified } = newRead(make, file);
    await openSignedIn(page, `/${make.family}`);
    await decode(page, read);
    await choose(page, modified);
    await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
    return modified.buffer;
  }

  // promise e3.makes.sealed
  test(`${name}: a late download shows why the file was not sealed again, and then downloads a fresh one`, async ({
    page,
    product,
    services,
  }) => {
    const image = await prepare(page, 'late');
    await encode(page);
    await ageSeals(product, 30);
    const service = services.get(make);
    service?.sealed.splice(0);
    service?.misbehave({ status: 400, body: '{"message":"The read is too old."}' });
    await page.reload();
    await page.getByRole('button', { name: 'Download encoded file' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('The file was not sealed again');
    await expect(dialog).toContainText('The read is too old.');
    await expectAccessible(page, `${make.family}, sealing failed`);
    const fresh = await download(dialog.getByRole('button', { name: 'Try again' }));
    expect(make.open(await bytesOf(fresh))).toEqual({ slave, image });
    expect(service?.sealed).toHaveLength(1);
    await expect(dialog).toHaveCount(0);
  });

  // promise e3.makes.sealed
  test(`${name}: the recipient of a late link waits on its page while the file is sealed again`, async ({
    page,
    product,
    services,
    mailServer,
    openScriptless,
  }) => {
    const image = await prepare(page, 'sent');
    await page.getByRole('button', { name: 'More ways to encode' }).click();
    await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
    const popup = page.getByRole('dialog', { name: 'Encode and send' });
    await write(popup.getByLabel('Recipient email'), 'garage@rossi.test');
    await popup.getByRole('button', { name: 'Encode and send', exact: true }).click();
    const mail = await mailServer.next();
    await ageSeals(product, 30);
    const service = services.get(make);
    if (service === undefined) throw new Error('the make has no double');
    service.sealed.splice(0);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    service.onRequest = () => released;

    const texts = textsByLocale.get('it-IT');
    if (texts === undefined) throw new Error('there are no Italian texts');
    const button = { name: texts.shareButton };
    const receiver = await openScriptless();
    await receiver.goto(new URL(sharePathIn(mail), product.url).href);
    await expect(receiver.getByText(texts.shareSealDue)).toBeVisible();
    // the service reports no serial number
    await expect(receiver.getByRole('heading', { level: 1 })).toHaveText(
      fill(texts.shareTitle, make.serialOf?.(slave) ?? name),
    );
    expect(service.sealed).toEqual([]);
    await receiver.getByRole('button', button).click();
    await expect(receiver.getByText(texts.shareSealing)).toBeVisible();
    await expect(receiver.getByRole('button')).toHaveCount(0);
    release();
    service.onRequest = null;
    // the page reloads itself
    await expect(receiver.getByText(texts.shareSealing)).toHaveCount(0);
    await expect(receiver.getByText(texts.shareSealDue)).toHaveCount(0);
    const fresh = await download(receiver.getByRole('button', button));
    expect(make.open(await bytesOf(fresh))).toEqual({ slave, image });
    expect(service.sealed).toHaveLength(1);
  });
}

test('an organization without such a master does not see the pages', async ({ page }) => {
  await signIn(page, 'mia@demo.test');
  await expect(page.getByRole('link', { name: 'KESS3', exact: true }).first()).toBeVisible();
  for (const { family } of allMakes)
    await expect(page.getByRole('link', { name: definitionOf(family).name })).toHaveCount(0);
});
