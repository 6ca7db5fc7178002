/** The components of `web/src/ui` that display something. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from './states.ts';
import { button, dropFiles, expectReports, pressKey, shows, t } from './steps.ts';

const longName =
  'Volkswagen_Golf_VII_2.0_TDI_EDC17C64_ORIGINAL_read_after_service_KS3-000042_v3.k3r';

const draws =
  (count: number): Promises =>
  async (page) => {
    const drawings = page.locator('#root svg');
    await expect(drawings).toHaveCount(count);
    for (const drawing of await drawings.all()) {
      await expect(drawing).toBeVisible();
      await expect(drawing).toHaveAttribute('aria-hidden', 'true');
    }
  };

const dropArea = (page: Page) => page.getByRole('group', { name: 'Drop the read file here' });
const chooseButton = (page: Page) =>
  page.getByRole('button', { name: 'Choose from this computer' });

const strip = (page: Page) => page.getByRole('img');
const changed = (bytes: string, regions: string) =>
  t('ui.changesStrip', { bytes, regions, size: '4 MiB' });

async function takesFiles(page: Page): Promise<void> {
  // it takes the first of several files
  await dropFiles(dropArea(page), 'first.kv2', 'second.kv2');
  await expectReports(page, 'first.kv2');
  for (const _again of ['once', 'twice']) {
    const opening = page.waitForEvent('filechooser');
    await pressKey(chooseButton(page), 'Enter');
    const bytes = { name: 'chosen.kv2', mimeType: '', buffer: Buffer.from('bytes') };
    await (await opening).setFiles(bytes);
  }
  await expectReports(page, 'first.kv2', 'chosen.kv2', 'chosen.kv2');
}

async function takesNothing(page: Page): Promise<void> {
  await expect(dropArea(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(chooseButton(page)).toBeDisabled();
  await dropFiles(dropArea(page), 'first.kv2');
  // as when the area closes while the user has the file chooser open
  const file = { name: 'first.kv2', mimeType: '', buffer: Buffer.from('x') };
  await dropArea(page).locator('input').setInputFiles(file);
  await expect(page.getByText(t('ui.drop.disabled'))).toBeVisible();
  await expectReports(page);
}

const hasProgress =
  (label: string, now: string | null, words: string | null): Promises =>
  async (page) => {
    const bar = page.getByRole('progressbar', { name: label });
    for (const [attribute, value] of [
      ['aria-valuenow', now],
      ['aria-valuetext', words],
    ] as const) {
      if (value === null) await expect(bar).not.toHaveAttribute(attribute);
      else await expect(bar).toHaveAttribute(attribute, value);
    }
    // shortened after two lines, complete in the tooltip
    await expect(page.getByTitle(label)).toHaveText(label);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expectReports(page, 'cancel');
  };

type Step = 'done' | 'current' | 'failed' | 'waiting';
const words = (step: Step) => t(`ui.step.${step}`);

/** The strip marks one step as current, names the state of each step, and announces changes. */
const isAt =
  (current: string | null, steps: readonly Step[], news: string): Promises =>
  async (page) => {
    const items = page.getByRole('list', { name: t('ui.progressStrip') }).getByRole('listitem');
    await expect(items).toHaveCount(steps.length);
    for (const [at, step] of steps.entries())
      await expect(items.nth(at)).toContainText(words(step));
    const marked = page.locator('[aria-current=step]');
    if (current === null) await expect(marked).toHaveCount(0);
    else {
      await expect(marked).toContainText(current);
      // in forced colors, its ground is invisible
      await page.emulateMedia({ forcedColors: 'active' });
      await expect(marked).toHaveCSS('outline-style', 'solid');
      await page.emulateMedia({ forcedColors: 'none' });
    }
    await expect(page.getByRole('status')).toHaveText(news);
    for (const cut of await page.locator('li .truncate[title]').all())
      expect(await cut.getAttribute('title')).toBe(await cut.textContent());
  };

testGroup('ui', {
  'ui/display/badge.tsx': {
    states: shows('- text: Modified Encoded Not decoded From backup Removed'),
  },
  'ui/display/icon.tsx': { sizes: draws(3) },
  'ui/display/mark.tsx': { sizes: draws(2) },
  'ui/display/long-text.tsx': {
    async 'a file name in a narrow place'(page) {
      const place = page.locator('p');
      await expect(place).toHaveText(longName);
      expect(await place.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      // a serial number stays on one line
      const serial = page.locator('span span', { hasText: 'KS3-000042' });
      expect(await serial.evaluate((one) => one.getClientRects().length)).toBe(1);
    },
  },
  'ui/actions/link.tsx': { bare: shows('- link "Within the app":\n  - /url: /') },
  'ui/actions/text-link.tsx': {
    'in a sentence': shows('- paragraph:\n  - text: Read the\n  - link "terms of use"'),
  },
  'ui/actions/copy-code.tsx': {
    async 'short and long'(page) {
      // the many digits are not read with the button
      await expect(button(page, 'ui.copyHash', { name: 'stage1.bin' })).toBeVisible();
      await expect(button(page, 'ui.copyGUID', { name: 'Tuning robot' })).toBeVisible();
      const copy = button(page, 'ui.copyCode', { code: 'FILE_CORRUPTED' });
      await expect(page.getByRole('status').first()).toHaveText('');
      // shown for two seconds: on a busy machine it can be over before it is looked at
      await expect(async () => {
        await pressKey(copy, 'Enter');
        await expect(page.getByRole('status').first()).toHaveText(t('ui.copied'), {
          timeout: 5000,
        });
      }).toPass();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('FILE_CORRUPTED');
    },
  },
  'ui/display/changes-strip.tsx': {
    async 'some bytes'(page) {
      await expect(strip(page)).toHaveAccessibleName(changed('424', '26'));
      await expect(page.locator('svg rect')).toHaveCount(4);
    },
    async nothing(page) {
      await expect(strip(page)).toHaveAccessibleName(changed('0', '0'));
      await expect(page.locator('svg rect')).toHaveCount(0);
    },
  },
  'ui/actions/menu.tsx': {
    async 'actions and choices'(page) {
      const button = page.getByRole('button', { name: 'Open the menu' });
      const menu = page.getByRole('menu', { name: 'More' });
      await expect(button).toHaveAttribute('aria-haspopup', 'menu');
      await expect(button).toHaveAttribute('aria-expanded', 'false');
      for (const key of ['Enter', 'Space', 'ArrowDown']) {
        await pressKey(button, key);
        await expect(menu.getByRole('menuitem', { name: 'Encode and send' })).toBeFocused();
        await expect(button).toHaveAttribute('aria-expanded', 'true');
        await page.keyboard.press(key === 'Space' ? 'Tab' : 'Escape');
        await expect(menu).toHaveCount(0);
        await expect(button).toBeFocused();
      }
      await pressKey(button, 'Enter');
      await expect(menu.getByRole('menuitemradio', { name: 'In force' })).toBeChecked();
      await expect(menu.getByRole('menuitem', { name: 'Encode and send' })).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(menu.getByRole('menuitemradio', { name: longName })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(menu).toHaveCount(0);
      await expect(button).toBeFocused();
      await button.click();
      await menu.getByRole('menuitem', { name: 'Encode and send' }).click();
      await expectReports(page, 'a', 'send');
    },
  },
  'ui/display/banner.tsx': {
    warning: shows('- text: The service is suspended. Try again in a few minutes.'),
    async 'info, to be closed'(page) {
      await pressKey(page.getByRole('button', { name: 'Close' }), 'Enter');
      await expectReports(page, 'close');
    },
  },
  'ui/fields/drop-area.tsx': {
    'tall, ready (drag a file over it)': takesFiles,
    'tall, closed (drag a file over it)': takesNothing,
    'wide, ready (drag a file over it)': takesFiles,
    'wide, closed (drag a file over it)': takesNothing,
    'row, ready (drag a file over it)': takesFiles,
    'row, closed (drag a file over it)': takesNothing,
  },
  'ui/display/progress-bar.tsx': {
    0: hasProgress('Uploading', '0', '0%'),
    '0.42': hasProgress(longName, '42', '42%'),
    1: hasProgress('Uploading', '100', '100%'),
    unknown: hasProgress('Uploading', null, null),
  },
  'ui/display/skeleton.tsx': {
    async 'six lines'(page) {
      const bars = page.locator('[aria-hidden=true] > div');
      await expect(bars).toHaveCount(6);
      // invisible at first, so that a quick response does not cause flicker
      for (const bar of await bars.all()) await expect(bar).toBeVisible();
    },
  },
  'ui/display/empty-state.tsx': {
    'in a panel': shows(`
      - region "Last operations":
        - heading "Last operations" [level=2]
        - paragraph: Nothing decoded yet`),
  },
  'ui/display/problem-panel.tsx': {
    async 'with an action'(page) {
      const alert = page.getByRole('alert');
      await expect(alert).toContainText(t('ui.errorHeading'));
      await expect(alert).toContainText('This is a K-TAG backup');
      await expect(button(page, 'ui.copyCode', { code: 'FILE_IS_KTAG_BACKUP' })).toBeVisible();
      await expect(alert.getByRole('link')).toHaveText(t('ui.contactSupport'));
      await page.getByRole('button', { name: 'Open on the K-TAG page' }).click();
      await expectReports(page, 'open');
    },
    async 'text only'(page) {
      await shows(
        '- alert:\n  - paragraph: The connection is broken\n  - paragraph: Check the network.',
      )(page);
      await expect(page.getByRole('button')).toHaveCount(0);
    },
  },
  'ui/display/panel.tsx': {
    'with actions': shows(`
      - region "Decoded":
        - heading "Decoded" [level=2]
        - button "Download ID"`),
  },
  'ui/display/description-list.tsx': {
    'short, long and missing values': shows(`
      - term: Mode
      - definition: BootBench
      - term: HW
      - definition: REF0261A1
      - term: SW
      - definition: /^Volkswagen_Golf/
      - term: Serial number
      - definition: KS3-000042-REV-B-ITALIA-2026
      - paragraph: "Not in this read: Spare"`),
  },
  'ui/display/page-title.tsx': {
    async 'with an aside'(page) {
      await shows('- heading "KESS3 slave management" [level=1]')(page);
      // the point where a screen reader continues after a page change
      await expect(page.getByRole('heading')).toHaveAttribute('tabindex', '-1');
      await expect(page.getByRole('button', { name: 'Mark all as seen' })).toBeVisible();
    },
  },
  'ui/display/progress-strip.tsx': {
    'at the beginning': isAt(
      'Read file',
      ['current', 'waiting', 'waiting', 'waiting'],
      `Read file, ${words('current')}, ${longName}`,
    ),
    decoding: isAt(
      'Decoded',
      ['done', 'current', 'waiting', 'waiting'],
      `Read file, ${words('done')}, ${longName}. Decoded, ${words('current')}, 4 components`,
    ),
    modifying: isAt(
      'Modified',
      ['done', 'done', 'current', 'waiting'],
      `Decoded, ${words('done')}, 4 components. Modified, ${words('current')}, 1 of 4 modified`,
    ),
    encoding: isAt(
      'Encoded',
      ['done', 'done', 'done', 'current'],
      `Modified, ${words('done')}, 1 of 4 modified. Encoded, ${words('current')}`,
    ),
    done: isAt(null, ['done', 'done', 'done', 'done'], `Encoded, ${words('done')}`),
    'failed at the first step': isAt(
      'Read file',
      ['failed', 'waiting', 'waiting', 'waiting'],
      `Read file, ${words('failed')}, ${longName}`,
    ),
    'failed at the last step': isAt(
      'Encoded',
      ['done', 'done', 'done', 'failed'],
      `Modified, ${words('done')}, 1 of 4 modified. Encoded, ${words('failed')}`,
    ),
  },
});
