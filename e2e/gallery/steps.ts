/** Actions and expectations that the gallery tests share. */
import { expect, type Locator, type Page } from '@playwright/test';
import { textsOf } from '../page-texts.ts';
import { drop } from '../workflow.ts';
import type { Promises } from './states.ts';

const texts = textsOf('en-US');

/** The page's text for a key, with its placeholders filled. */
export function t(key: string, values: Readonly<Record<string, string>> = {}): string {
  const text = texts(key);
  if (text === key) throw new Error(`the page has no text ${key}`);
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** The button whose text is exactly that of a key. */
export const button = (page: Page, key: string, values?: Readonly<Record<string, string>>) =>
  page.getByRole('button', { name: t(key, values), exact: true });

export const dialogOf = (page: Page) => page.getByRole('dialog');

/** Expects that the page contains at least this accessibility tree. */
export const shows =
  (tree: string): Promises =>
  (page) =>
    expect(page.locator('body')).toMatchAriaSnapshot(tree);

/** Expects that these texts are visible. */
export const showsText =
  (...words: readonly string[]): Promises =>
  async (page) => {
    for (const one of words) await expect(page.getByText(one).first()).toBeVisible();
  };

/** Combines expectations, which are checked one after the other. */
export const all =
  (...promises: readonly Promises[]): Promises =>
  async (page) => {
    for (const promise of promises) await promise(page);
  };

/** Expects that a button is enabled. */
export const offers =
  (...keys: readonly string[]): Promises =>
  async (page) => {
    for (const key of keys) await expect(button(page, key)).toBeEnabled();
  };

/** Expects that a button is present and disabled. */
export const refuses =
  (...keys: readonly string[]): Promises =>
  async (page) => {
    for (const key of keys) await expect(button(page, key)).toBeDisabled();
  };

/** Expects exactly these reports from the component, in this order. */
export async function expectReports(page: Page, ...reports: readonly string[]): Promise<void> {
  const html = page.locator('html');
  if (reports.length === 0) await expect(html).not.toHaveAttribute('data-reports');
  else await expect(html).toHaveAttribute('data-reports', reports.join(', '));
}

/** Presses a key on a control, which must be focusable. */
export async function pressKey(control: Locator, key: string): Promise<void> {
  await control.focus();
  await expect(control).toBeFocused();
  await control.press(key);
}

/** The open menu; there is only one at a time. */
export const menuOf = (page: Page): Locator => page.getByRole('menu');

/** Closes a dialog or a menu with Escape, once it has the focus: until then, it ignores the key. */
export async function pressEscape(page: Page, popup = dialogOf(page)): Promise<void> {
  await expect(popup.and(page.locator(':focus-within'))).toBeVisible();
  await page.keyboard.press('Escape');
}

/** Drops files with these names on an element, as if from the desktop. */
export async function dropFiles(target: Locator, ...names: readonly string[]): Promise<void> {
  await drop(target, ...names.map((name) => ({ name, bytes: Buffer.from('bytes') })));
}

/** Expects a dialog that asks before something is lost, with the texts of these keys and with `about` between them. */
export async function asksToLose(
  page: Page,
  title: string,
  about: string,
  confirm: string,
): Promise<void> {
  await expect(dialogOf(page)).toHaveAccessibleName(t(title));
  await expect(dialogOf(page)).toContainText(about);
  await expectFocusTrapped(dialogOf(page));
  const confirming = dialogOf(page).getByRole('button', { name: t(confirm), exact: true });
  await expect(confirming).toBeEnabled();
}

/** Expects an open dialog that traps the focus: Tab cycles within it. */
export async function expectFocusTrapped(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  const within = dialog.locator(':focus');
  const controls = await dialog.locator('a, button, input, textarea').count();
  for (let stops = 0; stops <= controls; stops += 1) {
    await dialog.page().keyboard.press('Tab');
    await expect(within).toHaveCount(1);
  }
}

/** Whether the focus is on an element or within it. */
const hasFocus = (element: Element): boolean => element.contains(document.activeElement);

/** Expects that a button opens a popup from the keyboard, and that Escape closes it and returns the focus. */
export async function expectOpens(
  trigger: Locator,
  popup: Locator,
  key: 'Enter' | 'Space' | 'ArrowDown' = 'Enter',
): Promise<void> {
  await pressKey(trigger, key);
  await expect(popup).toBeVisible();
  await expect.poll(() => popup.evaluate(hasFocus)).toBe(true);
  await trigger.page().keyboard.press('Escape');
  await expect(popup).toHaveCount(0);
  await expect(trigger).toBeFocused();
}

/** The progress bar of an upload or an operation. */
export const bar = (page: Page) => page.getByRole('progressbar');

/** A fault is announced with its headline, and offers actions: the most helpful one first, then the others, then help. */
export const hasFault =
  (headline: string, ...keys: readonly string[]): Promises =>
  async (page) => {
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(t('ui.errorHeading'));
    await expect(alert).toContainText(headline);
    // in a row, the name of a button also contains the component
    for (const key of keys) await expect(alert.getByRole('button', { name: t(key) })).toBeEnabled();
    const order = [...keys, 'ui.contactSupport'].map((key) => t(key));
    await expect(alert.locator('button, a')).toContainText(order);
  };

export const damaged = t('RECOD_ERROR_FILE_CORRUPTED_TITLE');
export const lineBroken = t('NETWORK_ERROR_TITLE');
