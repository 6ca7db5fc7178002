/** The KESS3 page: OBD and BootBench reads. */
import { calls } from '@recodery/contract/family-routes/kess3';
import { describePage } from './describe-page.ts';
import type { PageLook } from './family-page.ts';

/** The common parts of the recoding page and the utility. */
export const kess3: PageLook = {
  refuses: {
    families: { kessv2: 'KESS3_FILE_IS_KESSV2', ktag: 'KESS3_FILE_IS_KTAG_BACKUP' },
    kind: 'KESS3_FILE_NOT_RECOGNIZED',
    archive: 'KESS3_FILE_IS_ARCHIVE',
  },
  panel: [
    'Mode',
    'Recognized',
    'Protocol',
    'Cks',
    'Family',
    'HW',
    'HW Ver.',
    'SW',
    'SW Ver.',
    'SW upg.',
    'Spare',
    'System',
    'Engine',
    'VIN',
    'SN',
    'Customer Code',
    'Group Code',
  ],
  named: ['protocol', 'recognized'],
  hasComponentsPopup: true,
  startsRemoved: ['EEPROM'],
};

export const page = describePage('kess3', calls, kess3);
