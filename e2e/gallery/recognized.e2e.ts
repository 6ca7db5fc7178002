/** What was found in the images of a read. */
import { expect } from '@playwright/test';
import { testGroup } from './states.ts';
import { all, showsText, t } from './steps.ts';

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
  'pages/found-in-job.tsx': {
    'of one component': showsText(t('ui.labelled', { label: 'Flash', value: 'Bosch ME7.5' })),
  },
});
