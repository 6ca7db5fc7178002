/** The change map and its parts. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from '../states.ts';
import {
  all,
  button,
  dialogOf,
  expectFocusTrapped,
  expectReports,
  lineBroken,
  offers,
  pressEscape,
  pressKey,
  refuses,
  showsText,
  t,
} from '../steps.ts';

const regions = (number: string) => t('changes.regions', { number });
const list = (page: Page) => page.getByRole('listbox');
const selected = (page: Page) => list(page).getByRole('option', { selected: true });
const status = (page: Page) => page.getByRole('status');
const map = (page: Page) => page.getByRole('slider', { name: t('changes.position') });

/** The dialog traps the focus and closes on Escape. */
const isDialog: Promises = async (page) => {
  await expect(dialogOf(page)).toHaveAccessibleName(t('changes.title', { component: 'Flash' }));
  await page.keyboard.press('Escape');
  await expectReports(page, 'close');
};

/** The first change is selected, and its bytes are marked. */
const showsFirst =
  (address: string, count: string): Promises =>
  async (page) => {
    await expect(list(page)).toHaveAccessibleName(regions(count));
    await expect(selected(page)).toContainText(`0x${address}`);
    await expect(status(page)).toHaveText(
      t('changes.current', { number: '1', count, address: `0x${address}` }),
    );
    await expect(page.locator('mark').first()).toBeVisible();
  };

/** A phone shows the bytes of both files one below the other, and nothing is wider than it. */
const fitsPhone: Promises = async (page) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('−');
  const table = await page.getByRole('table').boundingBox();
  expect(table?.height).toBeGreaterThan(300);
  const excess = await dialogOf(page).evaluate((one) => one.scrollWidth - one.clientWidth);
  expect(excess).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
};

/** In forced colors, which replace the page's own, the selected region has an outline. */
const showsSelection: Promises = async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(selected(page)).toHaveCSS('outline-style', 'solid');
  await page.emulateMedia({ forcedColors: 'none' });
};

/** The dots of the legend keep their colors, which are those of the map. */
const keepsLegend: Promises = async (page) => {
  const dots = page.getByRole('listitem').locator('[aria-hidden=true]');
  const colors = () =>
    dots.evaluateAll((all) => all.map((dot) => getComputedStyle(dot).backgroundColor));
  const usual = await colors();
  expect(new Set(usual).size).toBeGreaterThan(1);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await colors()).toEqual(usual);
  await page.emulateMedia({ forcedColors: 'none' });
};

testGroup('changes', {
  'features/change-map/change-map.tsx': {
    identical: all(
      showsText(t('changes.identical'), t('changes.identicalAbout')),
      refuses('changes.csv'),
      offers('changes.print'),
      isDialog,
    ),
    'one region': all(
      showsFirst('10040', '1'),
      // the equal bytes between two changes belong to the region, but did not change
      showsText(t('changes.regionPart', { bytes: '12', length: '20\u00a0B' })),
      refuses('changes.previous', 'changes.next'),
      async (page) => expectFocusTrapped(dialogOf(page)),
      isDialog,
    ),
    'a few regions': all(
      showsFirst('524FC', '5'),
      async (page) => {
        await pressKey(button(page, 'changes.next'), 'Enter');
        await expect(selected(page)).toContainText('0x52BD0');
        await expect(map(page)).toHaveAttribute(
          'aria-valuetext',
          `0x52BD0, ${t('changes.kind.calibration')}`,
        );
        await pressKey(list(page), 'End');
        await expect(selected(page)).toContainText(t('changes.kind.checksum'));
        await expect(button(page, 'changes.next')).toHaveAttribute('aria-disabled', 'true');
        await pressKey(list(page), 'ArrowUp');
        await expect(selected(page)).toContainText('0x54604');
        // after a jump to another position, the next change is the first one after the address
        await page.getByLabel(t('changes.address'), { exact: true }).fill('53000');
        await page.keyboard.press('Enter');
        await expect(selected(page)).toHaveCount(0);
        await pressKey(button(page, 'changes.next'), 'Enter');
        await expect(selected(page)).toContainText('0x53A90');
      },
      fitsPhone,
      async (page) => pressKey(list(page), 'Home'),
      showsSelection,
      isDialog,
    ),
    'many regions': all(showsFirst('002000', '12,345'), async (page) => {
      await expect.poll(() => list(page).getByRole('option').count()).toBeLessThan(40);
      await expect(list(page).getByRole('option').first()).toHaveAttribute('aria-setsize', '12345');
      await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60);
    }),
    'few bytes in many places': all(showsFirst('04000', '380'), async (page) => {
      const share = await map(page)
        .locator('svg')
        .evaluate((drawing) => {
          const { width, height } = drawing.getBoundingClientRect();
          return [...drawing.querySelectorAll('.fill-modified')]
            .map((mark) => mark.getBoundingClientRect())
            .reduce((sum, mark) => sum + (mark.width * mark.height) / (width * height), 0);
        });
      expect(share, '0.07% of the bytes').toBeLessThan(0.15);
    }),
    'different sizes': all(
      showsText('The files differ in size: 524,288 B and 458,752 B.'),
      isDialog,
    ),
    async loading(page) {
      await expect(dialogOf(page).locator('.animate-skeleton').first()).toBeVisible();
    },
    unreachable: all(showsText(lineBroken), offers('ui.tryAgain'), isDialog),
  },
  'features/change-map/open-change-map.tsx': {
    async closed(page) {
      const opener = page.getByRole('button', {
        name: t('ui.labelled', { label: t('ui.showChanges'), value: 'Flash' }),
      });
      await pressKey(opener, 'Enter');
      await pressEscape(page);
      await expect(dialogOf(page)).toHaveCount(0);
      await expect(opener).toBeFocused();
    },
  },
  'features/change-map/change-summary.tsx': {
    'known areas': all(
      showsText(
        t('ui.labelled', { label: t('changes.kind.calibration'), value: '24\u00a0B' }),
        t('ui.labelled', { label: t('changes.kind.code'), value: '0\u00a0B' }),
      ),
      offers('changes.csv', 'changes.print'),
      keepsLegend,
    ),
    async 'unknown areas'(page) {
      await expect(page.getByText(/^0\.44% of 16.MiB changed$/)).toBeVisible();
      await expect(page.getByRole('listitem')).toHaveCount(0);
    },
  },
  'features/change-map/map-view.tsx': {
    async 'a few regions'(page) {
      await expect(map(page)).toHaveAttribute('aria-valuenow', String(0x524fc));
      const marks = map(page).locator('.fill-modified');
      // how many of the regions coincide depends on the width, which the page measures after each change
      const inWhole = 5;
      await expect(marks).toHaveCount(inWhole);
      await refuses('changes.zoomOut', 'changes.zoomAll')(page);
      for (let times = 0; times < 5; times += 1) await pressKey(map(page), '+');
      await expect(marks).not.toHaveCount(inWhole);
      await pressKey(map(page), '0');
      await expect(marks).toHaveCount(inWhole);
      await pressKey(button(page, 'changes.zoomIn'), 'Enter');
      await pressKey(button(page, 'changes.zoomAll'), 'Enter');
      await pressKey(map(page), 'Home');
      await expect(map(page)).toHaveAttribute(
        'aria-valuetext',
        `0x00000, ${t('changes.kind.protected')}`,
      );
      await map(page).hover();
      await page.mouse.wheel(0, -100);
      await expect(button(page, 'changes.zoomAll')).toBeEnabled();
      await expectReports(page, 'jump 0');
    },
  },
  'features/change-map/region-list.tsx': {
    async 'a few regions'(page) {
      await expect(selected(page)).toContainText('0x52BD0');
      await list(page).getByRole('option').last().click();
      await pressKey(list(page), 'ArrowDown');
      await pressKey(list(page), 'Home');
      await expectReports(page, 'select 4', 'select 2', 'select 0');
      const active = await list(page).getAttribute('aria-activedescendant');
      await expect(selected(page)).toHaveAttribute('id', active ?? '');
    },
  },
  'features/change-map/hex-view.tsx': {
    async 'a change'(page) {
      await expect(page.getByRole('row').filter({ hasText: '52BD0' })).toBeVisible();
      await pressKey(button(page, 'changes.previous'), 'Enter');
      await pressKey(button(page, 'changes.next'), 'Enter');
      const address = page.getByLabel(t('changes.address'), { exact: true });
      await address.fill('80000');
      await address.press('Enter');
      await expect(address).toHaveAccessibleDescription(
        t('changes.addressFault', { last: '0x7FFFF' }),
      );
      await address.fill('0x7ffff');
      await address.press('Enter');
      await expectReports(page, 'step -1', 'step 1', `jump ${0x7ffff}`);
    },
  },
  'features/change-map/hex-table.tsx': {
    async 'before above after'(page) {
      const row = page.getByRole('row').filter({ hasText: '52BD0' });
      await expect(row.getByRole('cell')).toHaveCount(2);
      await expect(row.locator('mark')).toHaveCount(2);
    },
    async 'with characters'(page) {
      const row = page.getByRole('row').filter({ hasText: '52BD0' });
      await expect(row.getByRole('cell').first()).toHaveText(/^(?:[0-9A-F]{2} ?){16}.{16}$/);
    },
    unreachable: all(showsText(lineBroken), offers('ui.tryAgain')),
  },
  'features/change-map/virtual-rows.tsx': {
    async 'five million rows'(page) {
      await page.getByRole('button', { name: 'Row 4000000' }).click();
      await expect(page.getByText('Row 4000000', { exact: true }).last()).toBeVisible();
      const scroller = page.locator('.overflow-y-auto');
      await scroller.hover();
      await page.mouse.wheel(0, 200);
      await expect(page.getByText('Row 4000010', { exact: true })).toBeVisible();
      await scroller.evaluate((one) => one.scrollTo(0, one.scrollHeight));
      await expect(page.getByText('Row 4999999', { exact: true })).toBeVisible();
      await scroller.evaluate((one) => one.scrollTo(0, 0));
      await expect(page.getByText('Row 0', { exact: true })).toBeVisible();
    },
  },
  'features/change-map/change-report.tsx': {
    async 'print this frame'(page) {
      const title = page.getByRole('heading', { name: t('changes.title', { component: 'Flash' }) });
      await expect(title).toBeHidden();
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await expect(title).toBeVisible();
      await expect(page.getByText(t('changes.moreRegions', { number: '11,845' }))).toBeVisible();
      // what is unknown is omitted
      await expect(page.locator('[data-facts]')).toHaveText('SlaveKV2-000007');
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await page.emulateMedia({ media: null });
      await expect(title).toBeHidden();
    },
  },
});
