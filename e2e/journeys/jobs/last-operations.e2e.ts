/** The last operations on the home page: what each line shows, that each opens, and that older ones can be loaded. */
import type { OperationSummary } from '@recodery/contract/features/operations';
import type { Locator, Page } from '@playwright/test';
import { call, decodeUnwatched, read, runOperation } from '../../calls.ts';
import { giveOtto } from '../../colleague.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';
import { choose, decode } from '../../workflow.ts';

const sample = 'samples/kessv2/read-9000.tfc';

function rowsOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Recent operations' }).locator('tbody tr');
}

async function countOperations(page: Page): Promise<number> {
  let count = 0;
  let before = '';
  for (;;) {
    const part = await read<OperationSummary[]>(page, `/api/operations?count=50${before}`);
    const last = part.at(-1);
    count += part.length;
    if (part.length < 50 || last === undefined) return count;
    before = `&before=${last.guid}`;
  }
}

async function openHome(page: Page): Promise<void> {
  await page.goto('/');
  await expect(rowsOf(page).first()).toBeVisible();
}

// promise 2.home-cards.opens
test('each line shows operation, vehicle, user and result, and opens its operation', {
  tag: '@release',
}, async ({ page, product, openBrowser }) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(sample));
  await decodeUnwatched(page, product.demoFile('samples/mistakes/damaged.tfc'));
  await page.goto('/ktag');
  await decode(page, product.demoFile('samples/ktag/backup-2002.tfc'));
  await page.goto('/kess3-utility');
  await decode(page, product.demoFile('samples/kess3-utility/backup-obd-1001.tfc'));
  await giveOtto(product, ['CC-1001', 'CC-4004']);
  const colleague = await openBrowser();
  await startSession(colleague, 'otto@demo.test');
  const decoded = await decodeUnwatched(colleague, product.demoFile(sample));
  await runOperation(colleague, '/api/kessv2/reencode-decoded-file', {
    kessv2FileSlotGUID: decoded.slotGUID,
  });

  await openHome(page);
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(6);
  const open = async (at: number): Promise<void> => {
    await openHome(page);
    // a message above the page would move the row away from the mouse
    await rows.nth(at).getByRole('link').press('Enter');
  };
  const demo = ['Demo engine 2.0'];
  for (const [at, words] of [
    ['KESSv2', 'read-9000.tfc', '.moc', 'REF-OPEN', ...demo, 'Otto Brandt', 'Encoded'],
    ['KESSv2', 'read-9000.tfc', 'REF-OPEN', ...demo, 'KV2-000007', 'Otto Brandt', 'Decoded'],
    ['KESS3', 'backup-obd-1001.tfc', 'REF-OBD-512K', ...demo, 'Anna Conti', 'Unpacked'],
    ['K-TAG', 'backup-2002.tfc', 'REF-KTAG-SMALL', ...demo, 'KTG-000007', 'Anna Conti', 'Decoded'],
    ['KESSv2', 'damaged.tfc', 'The file is damaged', 'Anna Conti', 'Not decoded'],
    ['KESSv2', 'read-9000.tfc', 'REF-OPEN', ...demo, 'KV2-000007', 'Anna Conti', 'Decoded'],
  ].entries()) {
    for (const word of words) await expect(rows.nth(at), words.join()).toContainText(word);
  }
  const texts = await rows.allInnerTexts();
  expect(new Set(texts).size, 'no two lines are alike').toBe(texts.length);
  await expectAccessible(page, 'home, last operations');

  const main = page.getByRole('main');
  await open(0);
  await expect(main.getByRole('button', { name: 'Download encoded file' })).toBeVisible();
  // another program has started this encode
  await expect(main.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
  await open(1);
  await expect(main.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
  await expect(main.getByText('read-9000.tfc').first()).toBeVisible();
  await open(2);
  await page.waitForURL((url) => url.pathname === '/kess3-utility');
  await expect(main.getByRole('button', { name: 'Download unpacked file' })).toBeVisible();
  await open(3);
  await page.waitForURL((url) => url.pathname === '/ktag');
  await expect(main.getByText('backup-2002.tfc').first()).toBeVisible();
  await open(4);
  await expect(main.getByRole('alert')).toContainText('The file is damaged');
  await open(5);
  await expect(main.getByRole('button', { name: 'Download decoded file' })).toBeVisible();

  expect((await call(page, 'DELETE', `/api/jobs/${decoded.slotGUID}`)).status()).toBe(204);
  const expectDeleted = async (): Promise<void> => {
    await expect(main.getByText('The job of this operation was deleted')).toBeVisible();
    await expect(main.getByRole('button', { name: /^Download/ })).toHaveCount(0);
  };
  await open(0);
  await expectDeleted();
  // also where this tab still has another read of the family open
  await open(5);
  await expect(main.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Recodery, home' }).click();
  await rows.nth(1).getByRole('link').press('Enter');
  await expectDeleted();
  // the journeys of a worker share one product, and others require that Otto has no slaves
  await giveOtto(product, ['CC-4004']);
});

// promise 2.home-cards.opens
test('a line opens its own operation while another one of the same family is running', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(sample));
  const { search } = new URL(page.url());
  await product.signalEngines('SIGSTOP');
  try {
    await page.getByRole('button', { name: 'Decode new file' }).click();
    await choose(page, product.demoFile('samples/kessv2/read-1001.tfc'));
    await expect(page).toHaveURL(/operation=/);
    await openHome(page);
    await expect(rowsOf(page).first()).toContainText('Decoding');
    await rowsOf(page).nth(1).getByRole('link').click();
    await page.waitForURL((url) => url.search === search);
    await expect(page.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
    await openHome(page);
    await rowsOf(page).first().getByRole('link').click();
    await expect(page.getByRole('main').getByText('Decoding').first()).toBeVisible();
  } finally {
    await product.signalEngines('SIGCONT');
  }
  await expect(page.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
});

// promise 2.home-cards.see-more
test('"See more" adds older operations until all are listed', async ({ page, product }) => {
  await startSession(page);
  const decoded = await decodeUnwatched(page, product.demoFile(sample));
  await page.goto('/mark.svg');
  const body = { kessv2FileSlotGUID: decoded.slotGUID };
  // earlier journeys have left operations too: there must be more than the page shows at first
  for (let left = 8 - (await countOperations(page)); left > 0; left -= 1)
    await runOperation(page, '/api/kessv2/reencode-decoded-file', body);
  await openHome(page);
  const more = page.getByRole('button', { name: 'See more' });
  await expect(rowsOf(page)).toHaveCount(6);
  const all = await countOperations(page);
  await more.click();
  await expect(rowsOf(page)).toHaveCount(Math.min(26, all));
  await expect(rowsOf(page).nth(6)).toBeFocused();
  await expectAccessible(page, 'home, more operations');
  for (let shown = 26; shown < all; shown = Math.min(shown + 20, all)) {
    await expect(rowsOf(page)).toHaveCount(shown);
    await more.click();
  }
  await expect(rowsOf(page)).toHaveCount(all);
  await expect(more).toHaveCount(0);
});
