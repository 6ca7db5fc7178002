/** What was found in the images of a read. */
import { expect } from '@playwright/test';
import { testGroup } from '../states.ts';
import { all, expectReports, showsText, t } from '../steps.ts';

testGroup('recognized', {
  'features/recognized/found-in-image.tsx': {
    certain: all(showsText('Bosch ME7.5'), async (page) => {
      await expect(page.getByText('1037300002')).toBeVisible();
      await expect(page.getByText(t('recognized.at', { address: '0x18330' }))).toBeVisible();
      await expect(page.getByText(t('recognized.unproven'))).toHaveCount(0);
    }),
    probable: all(
      showsText(t('recognized.probable', { name: 'Bosch Motronic M1.7' })),
      showsText(t('recognized.swapped')),
      showsText(t('recognized.unproven')),
      // what is there, if it is written differently
      showsText('3000021620'),
    ),
    'several components': all(
      showsText(t('ui.labelled', { label: 'Flash', value: 'Bosch ME7.5' })),
      showsText(t('ui.labelled', { label: 'Micro', value: 'rusEFI' })),
    ),
  },
  'features/image-texts/text-menu.tsx': {
    closed: async (page) => {
      await page
        .getByRole('button', { name: t('images.otherFormats', { name: 'flash.bin' }) })
        .click();
      await expect(page.getByRole('menuitem')).toHaveText([
        t('images.intelHex'),
        t('images.sRecord'),
      ]);
    },
  },
  'features/image-texts/text-dialog.tsx': {
    'for an address': async (page) => {
      const base = page.getByLabel(t('images.base'));
      const start = page.getByRole('button', { name: t('images.download') });
      for (const wrong of ['0xfff80001', '12345678 9', 'g', '-1']) {
        await base.fill(wrong);
        await expect(page.getByText(t('images.baseError'))).toBeVisible();
        await expect(start).toBeDisabled();
      }
      await base.fill(' 0xFFF80000 ');
      await expect(page.getByText(t('images.baseError'))).toHaveCount(0);
      await start.click();
      await expectReports(page, 'fetch');
    },
  },
  'features/originals/kept-original.tsx': {
    none: async (page) => {
      await expect(
        page.getByRole('button', { name: `${t('images.keep')} Flash`, exact: true }),
      ).toBeVisible();
    },
    kept: async (page) => {
      await expect(page.getByText(/Anna Conti$/)).toBeVisible();
      await expect(page.getByRole('button', { name: t('images.keep') })).toHaveCount(0);
    },
    equal: async (page) => {
      await expect(page.getByRole('link', { name: 'golf_stage_0.kess3' })).toBeVisible();
      await expect(page.getByRole('button', { name: t('images.keep') })).toHaveCount(0);
    },
    different: async (page) => {
      await expect(page.getByText(/1,234/)).toBeVisible();
      await expect(
        page.getByRole('button', { name: `${t('images.keep')} Flash`, exact: true }),
      ).toBeVisible();
    },
  },
  'features/originals/originals-panel.tsx': {
    'of a manager': all(showsText('1037360987'), async (page) => {
      await expect(page.getByRole('button', { name: t('images.remove') })).toHaveCount(2);
    }),
    empty: all(showsText(t('images.none')), async (page) => {
      await expect(page.getByRole('button', { name: t('images.remove') })).toHaveCount(0);
    }),
  },
  'pages/jobs/found-in-job.tsx': {
    'of one component': showsText(t('ui.labelled', { label: 'Flash', value: 'Bosch ME7.5' })),
  },
});
