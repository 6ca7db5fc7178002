/**
 * The makes with a stateless service in a real browser, each against its double: from a file on the home page, on another
 * page or in a tray to the file for the slave.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { definitionOf } from '@recodery/contract/families/registry';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { expect, expectAccessible, openSignedIn, signIn } from '../../fixtures.ts';
import { type Product } from '../../product.ts';
import { bytesOf, choose, decode, encode, rowOf, write } from '../../workflow.ts';
import { type Make, masterSerial } from '../../../server/src/demo/doubles/make.ts';
import { allMakes } from '../../../server/src/demo/doubles/makes.ts';
import { zipOf } from '../../../server/src/demo/doubles/zip-of.ts';
import { slave, engineOf, testOfMakes as test, mimeType, newRead } from '../equipped.ts';

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

  test(`${name} refuses an archive in place of the image, and never seals it`, {
    tag: '@release',
  }, async ({ page, services }) => {
    const { image, read, modified } = newRead(make);
    await openSignedIn(page, `/${make.family}`);
    await decode(page, read);
    const service = services.get(make);
    service?.sealed.splice(0);
    const buffer = Buffer.from(image);
    buffer.set([0x50, 0x4b, 3, 4]);
    await choose(page, { ...modified, name: 'golf.zip', buffer });
    await expect(page.getByText(/archive/i).first()).toBeVisible();
    expect(service?.sealed).toEqual([]);
  });

  test(`${name} reports a service that refuses the credentials in its words`, {
    tag: '@release',
  }, async ({ page, services }) => {
    await openSignedIn(page, `/${make.family}`);
    services.get(make)?.misbehave({ status: 401, body: '{"message":"Unauthenticated."}' });
    await choose(page, newRead(make, 'third').read);
    await expect(
      page.getByText(/refuses the credentials: HTTP 401: Unauthenticated/),
    ).toBeVisible();
  });
}

test('the trial of a connection prints a report without credentials and the name of the slave', {
  tag: '@release',
}, async ({ product }) => {
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

test('a tray decodes files of all makes', { tag: '@release' }, async ({ page }) => {
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

for (const make of allMakes.filter(({ family }) => definitionOf(family).modes.bootbench)) {
  const { name } = definitionOf(make.family);

  // promise e3.makes.memories
  test(`${name}: a read of several memories is decoded, and the modified one is sealed`, {
    tag: '@release',
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
  test(`${name}: the page and a tray ask which of two slaves wrote a file`, {
    tag: '@release',
  }, async ({ page, product }) => {
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

test('an organization without such a master does not see the pages', { tag: '@release' }, async ({
  page,
}) => {
  await signIn(page, 'mia@demo.test');
  await expect(page.getByRole('link', { name: 'KESS3', exact: true }).first()).toBeVisible();
  for (const { family } of allMakes)
    await expect(page.getByRole('link', { name: definitionOf(family).name })).toHaveCount(0);
});

// the slaves of these makes are not listed
for (const make of allMakes.filter(({ family }) => doFilesExpire(family))) {
  const { name } = definitionOf(make.family);

  test(`${name}: the page names the missing master, and opens once an operator has added one with its engine`, {
    tag: '@release',
  }, async ({ page, openBrowser }) => {
    await openSignedIn(page, `/${make.family}`, 'mia@demo.test');
    await expect(page.getByText(/^You need a master device of this make\./)).toBeVisible();
    await expectAccessible(page, `${make.family}, no master`);

    const operator = await openBrowser({ reducedMotion: 'reduce', locale: 'en-US' });
    await openSignedIn(operator, '/admin/masters/new', 'olga@demo.test');
    const main = operator.getByRole('main');
    await main.getByRole('button', { name: /^Family/ }).click();
    await operator.getByRole('menuitemradio', { name, exact: true }).click();
    for (const [label, text] of [
      ['Serial number', masterSerial(make, '3003')],
      ['Customer code', 'CC-3003'],
      ['Group code', 'G-30'],
    ] as const)
      await write(main.getByLabel(label, { exact: true }), text);
    // the engine of the portal, which the form suggests, opens no files of this make
    const add = main.getByRole('button', { name: 'Add master', exact: true });
    await add.click();
    await expect(main.getByText('The engine does not support this family.')).toBeVisible();
    await write(main.getByLabel('Decoding engine', { exact: true }), engineOf(make));
    await add.click();
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(masterSerial(make, '3003'));

    await expect(page.locator('main input[type=file]').first()).toBeAttached();
    await main.getByRole('button', { name: 'Remove', exact: true }).click();
    await operator.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(
      main.getByRole('heading', { level: 1, name: 'Masters', exact: true }),
    ).toBeVisible();
  });
}
