/** A browser whose clock is a day off: nothing that the page shows or does depends on it. */
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { decodeUnwatched } from '../../calls.ts';
import { decode, download, toastOf } from '../../workflow.ts';

const day = 86_400_000;

for (const [words, shift, tag] of [
  ['a day ahead', day, '@each-run'],
  ['a day behind', -day, '@release'],
] as const) {
  // promise d10.page.wrong-clock
  test(`with a clock ${words} a read is decoded, announced, and downloaded from its notification`, {
    tag,
  }, async ({ page, product }) => {
    await page.clock.install({ time: Date.now() + shift });
    await openSignedIn(page, '/kessv2');
    await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
    await decodeUnwatched(page, product.demoFile('samples/kessv2/read-9000.tfc'));
    await expect(toastOf(page, 'File decoded').first()).toBeVisible();
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Notifications/ })
      .click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await expect(list.getByRole('listitem').first()).toContainText('File decoded');
    await expectAccessible(page, `the bell ${words}`);
    const downloaded = await download(list.getByRole('listitem').first().getByRole('button'));
    expect(downloaded.suggestedFilename()).toMatch(/\.bin$/);
  });
}
