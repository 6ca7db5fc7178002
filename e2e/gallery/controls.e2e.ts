/** The controls of `web/src/ui`: buttons and fields. */
import { expect, type Page } from '@playwright/test';
import { testGroup } from './states.ts';
import { expectReports, pressKey, t } from './steps.ts';

async function pressesAll(page: Page): Promise<void> {
  await pressKey(page.getByRole('button', { name: 'small' }), 'Enter');
  await pressKey(page.getByRole('button', { name: 'large' }), 'Space');
  // both stay in the tab order, and neither does anything
  await page.getByRole('button', { name: `Pending ${t('ui.working')}` }).click({ force: true });
  await page.getByRole('button', { name: 'Disabled' }).click({ force: true });
  await expectReports(page, 'small', 'large');
  const icon = page.getByRole('button', { name: 'Icon alone' });
  await expect(icon).toHaveAttribute('title', 'Icon alone');
}

async function isOff(page: Page): Promise<void> {
  for (const button of await page.getByRole('button').all()) {
    await expect(button).toBeDisabled();
    await button.click({ force: true });
  }
  await expectReports(page);
  await expect(page.getByRole('menu')).toHaveCount(0);
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Recipient e-mail' });

testGroup('controls', {
  'ui/actions/button.tsx': {
    primary: pressesAll,
    secondary: pressesAll,
    quiet: pressesAll,
    danger: pressesAll,
  },
  'ui/actions/split-button.tsx': {
    async ready(page) {
      const more = page.getByRole('button', { name: 'More ways to encode' });
      await pressKey(more, 'ArrowDown');
      await expect(page.getByRole('menuitem', { name: 'Encode', exact: true })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expect(more).toBeFocused();
      await page.getByRole('button', { name: 'Encode and send' }).click();
      await expectReports(page, 'encode', 'send');
    },
    async isPending(page) {
      await expect(page.getByRole('button').first()).toContainText(t('ui.working'));
      await isOff(page);
    },
    isDisabled: isOff,
  },
  'ui/actions/link-button.tsx': {
    async looks(page) {
      await expect(page.getByRole('link')).toHaveText(['primary', 'secondary', 'quiet', 'danger']);
      await expect(page.getByRole('link').first()).toHaveAttribute('href', '/');
    },
  },
  'ui/actions/plain-button.tsx': {
    async bare(page) {
      await pressKey(page.getByRole('button', { name: 'It has no look of its own' }), 'Enter');
      await expectReports(page, 'pressed');
    },
  },
  'ui/fields/text-field.tsx': {
    async empty(page) {
      await expect(field(page)).toHaveAccessibleDescription(/^Without an address/);
      await page.getByText('Recipient e-mail').click();
      await expect(field(page)).toBeFocused();
      await page.keyboard.type('garage@rossi.test');
      await expect(field(page)).toHaveValue('garage@rossi.test');
    },
    async 'with a placeholder'(page) {
      await expect(field(page)).toHaveAttribute('placeholder', '%d');
    },
    async filled(page) {
      await expect(field(page)).toHaveValue('garage@rossi.test');
      await expect(field(page)).toHaveAccessibleDescription('Garage Rossi');
      await expect(field(page)).not.toHaveAttribute('aria-invalid');
    },
    async wrong(page) {
      await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(field(page)).toHaveAccessibleDescription(
        'Garage Rossi This is not a complete address.',
      );
      await expect(page.getByText('This is not a complete address.')).toBeVisible();
    },
    async 'several lines'(page) {
      await pressKey(field(page), 'Control+End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('DPF off');
      await expect(field(page)).toHaveValue('Stage 1\nEGR as it was\nDPF off');
    },
  },
  'ui/fields/select.tsx': {
    async 'ready and disabled'(page) {
      const [ready, disabled] = [page.getByRole('button').first(), page.getByRole('button').last()];
      await expect(disabled).toBeDisabled();
      await expect(ready).toHaveAccessibleName('Master device KS3-M-0001 G-10');
      await pressKey(ready, 'Enter');
      const items = page.getByRole('menuitemradio');
      await expect(items.first()).toBeChecked();
      await expect(items.first()).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(ready).toBeFocused();
      // shortened on a narrow button, complete in its name and its tooltip
      await expect(ready.getByTitle(/LIKEWISE-LONG$/)).toHaveText(/LIKEWISE-LONG$/);
      await expect(ready).toHaveAccessibleName(
        'Master device KS3-M-0002-OF-A-VERY-LONG-SERIAL-NUMBER G-11-LIKEWISE-LONG',
      );
      await pressKey(ready, 'ArrowUp');
      await expect(items.last()).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(items).toHaveCount(0);
      await expect(ready).toBeFocused();
    },
  },
  'ui/fields/checkbox.tsx': {
    async ready(page) {
      const box = page.getByRole('checkbox', { name: 'I accept the terms of use' });
      await expect(box).toBeChecked();
      await pressKey(box, 'Space');
      await expect(box).not.toBeChecked();
      // the text is associated with it
      await page.locator('label').click({ position: { x: 100, y: 10 } });
      await expect(box).toBeChecked();
    },
  },
  'ui/fields/switch.tsx': {
    async 'ready and disabled'(page) {
      const ready = page.getByRole('switch', { name: 'Correct the CVN' }).first();
      await pressKey(ready, 'Space');
      await expect(ready).toBeChecked();
      // the browser's own state: a second one could differ from it
      await expect(ready).not.toHaveAttribute('aria-checked');
      await page.keyboard.press('Space');
      await expect(ready).not.toBeChecked();
      await expect(page.getByRole('switch').last()).toBeDisabled();
    },
  },
});
