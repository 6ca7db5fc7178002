/** The gallery as a whole: each of its groups has a test file, and React checks it in its strict mode. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from '@playwright/test';
import { findMisnamed } from '../label-in-name.ts';
import { openNames, openState, test } from './states.ts';

test('every group of the gallery has a test file', async ({ page }) => {
  await openNames(page);
  const groups = await page
    .locator('[data-group]')
    .evaluateAll((all) => all.map((group) => group.getAttribute('data-group') ?? ''));
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.e2e.ts') && path !== 'every-group.e2e.ts')
    .map((path) => basename(path, '.e2e.ts'));
  expect(groups.toSorted()).toEqual(files.toSorted());
});

test('React runs in development mode, where strict mode runs each effect twice', async ({
  page,
}) => {
  // production builds have neither strict mode nor warnings, and do not log this
  const hint = page.waitForEvent('console', (message) => /React DevTools/.test(message.text()));
  await page.goto('/gallery.html?bare=#only=ui/actions/button.tsx: primary');
  await page.reload();
  expect((await hint).type()).toBe('info');
});

test('nothing that a test replaces is left in the next state', async ({ page }) => {
  const open = () => openState(page, 'controls', 'ui/actions/button.tsx: primary');
  const replace = [
    () => page.evaluate(() => void (globalThis.fetch = async () => Response.json({}))),
    () => page.evaluate(() => void (window.print = () => undefined)),
    () => page.evaluate(() => void Object.defineProperty(navigator, 'clipboard', { value: {} })),
    () => page.evaluate(() => sessionStorage.setItem('left', '1')),
  ];
  const left = () =>
    page.evaluate(() => [
      fetch.name,
      String(print).includes('native code'),
      'readText' in navigator.clipboard,
      sessionStorage.getItem('left'),
    ]);
  await open();
  const clean = await left();
  for (const one of replace) {
    await one();
    expect(await left()).not.toEqual(clean);
    await open();
    expect(await left()).toEqual(clean);
  }
});

test('the check of names finds controls that do not have their visible words in their name', async ({
  browser,
}) => {
  const page = await browser.newPage();
  await page.setContent(`
    <button aria-label="Leave Flash out">Removed</button>
    <label><input type="checkbox" aria-label="Leave Micro out">Switched <i aria-hidden="true">x</i></label>
    <button aria-label="Removed: EEPROM">Removed</button>
    <button aria-label="Close"><svg></svg></button>
    <button>Open</button>`);
  expect(await findMisnamed(page)).toEqual([
    '“removed” is not in the name “leave flash out”',
    '“switched” is not in the name “leave micro out”',
  ]);
  await page.close();
});
