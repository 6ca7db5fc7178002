/** The user guide in a real browser: the menu opens it in the page's language, and everyone can read it. */
import { expect, expectAccessible, startSession, test } from '../fixtures.ts';

// promise d4.guide.replaceable
test('the menu opens the guide in the language of the page', { tag: '@release' }, async ({
  page,
}) => {
  await startSession(page);
  await page.evaluate(() => localStorage.setItem('LNG', 'it-IT'));
  await page.goto('/');
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: /^Guida utente/ }).click();
  const guide = await opening;
  await expect(guide).toHaveURL(/\/guide\/it$/);
  await expect(guide.locator('html')).toHaveAttribute('lang', 'it-IT');
  await expect(guide.getByRole('heading', { level: 1 })).toHaveText('Guida utente');
  await guide.close();
  const legal = page.getByRole('contentinfo').getByRole('link', { name: 'Note legali' });
  await expect(legal).toHaveAttribute('href', /\/guide\/it#legal$/);
});

// promise d4.guide.page
test('needs no session; the contents link to the chapters, and the pictures load', {
  tag: '@release',
}, async ({ page }) => {
  await page.goto('/guide/en');
  await page
    .getByRole('navigation', { name: 'Contents' })
    .getByRole('link', { name: 'Troubleshooting' })
    .click();
  await expect(page.getByRole('heading', { name: 'Troubleshooting' })).toBeInViewport();
  for (const picture of await page.getByRole('img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(400);
  }
  await page.getByRole('link', { name: 'Polski' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Podręcznik');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in ${colorScheme} mode, in a Latin and in a non-Latin script`, {
    tag: '@release',
  }, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const language of ['de', 'zh']) {
      await page.goto(`/guide/${language}`);
      await expectAccessible(page, `guide ${language}, ${colorScheme}`);
    }
  });
}

test('nothing is cut off at 320 px in any language', { tag: '@release' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const language of ['de', 'en', 'es', 'fr', 'it', 'pl', 'pt', 'ru', 'zh']) {
    await page.goto(`/guide/${language}`);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, language).toBe(0);
  }
});
