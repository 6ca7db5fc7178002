/** The gallery as a whole: each of its groups has a test file, and React checks it in its strict mode. */
import { readdirSync } from 'node:fs';
import { expect } from '@playwright/test';
import { openNames, test } from './states.ts';

test('every group of the gallery has a test file', async ({ page }) => {
  await openNames(page);
  const groups = await page
    .locator('[data-group]')
    .evaluateAll((all) => all.map((group) => group.getAttribute('data-group') ?? ''));
  const files = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.e2e.ts') && name !== 'every-group.e2e.ts')
    .map((name) => name.slice(0, -'.e2e.ts'.length));
  expect(groups.toSorted()).toEqual(files.toSorted());
});

test('React runs in development mode, where strict mode runs each effect twice', async ({
  page,
}) => {
  // production builds have neither strict mode nor warnings, and do not log this
  const hint = page.waitForEvent('console', (message) => /React DevTools/.test(message.text()));
  await page.goto('/gallery.html?bare=#only=ui/button.tsx: primary');
  await page.reload();
  expect((await hint).type()).toBe('info');
});
