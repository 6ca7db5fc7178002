/** Which page opens a file of unknown kind that was dropped on the home page, and the reason why none does. */
import { engineDefinitions } from '@recodery/contract/features/engines';
import { byWorkflow } from '@recodery/contract/families/registry';
import { faultDetails } from '@recodery/contract/features/operations';
import { expect, test } from 'vitest';
import { faultOfUnopened, foreignPages } from '../src/pages/jobs/find-page.ts';

test('an archive is refused with its kind as the detail', () => {
  const fault = faultOfUnopened({ outcome: 'archive', archive: '7z' }, 'golf.7z');
  if (fault.kind !== 'refused' || !(fault.thrown instanceof Error)) throw new Error(fault.kind);
  expect(fault.thrown).toMatchObject({ code: 'FILE_IS_ZIP_ARCHIVE' });
  const { details } = fault.thrown as Error & { details: unknown };
  expect(faultDetails.parse(details).detail).toBe('7z');
});

const master = (family: 'kess3' | 'ktag', serial: string, kind: 'built-in' | 'encoding-api') => ({
  family,
  groupCode: 'G-10',
  masterDeviceSerialNumber: serial,
  engine: { name: kind, kind, offers: engineDefinitions[kind].offers },
});

test('a file of unknown kind is offered to the families that have an engine that accepts it and that the user may open', () => {
  const masters = [
    master('kess3', 'KS3-1', 'built-in'),
    master('kess3', 'KS3-2', 'encoding-api'),
    master('kess3', 'KS3-3', 'encoding-api'),
    master('ktag', 'KTG-1', 'encoding-api'),
  ];
  const all = byWorkflow(() => null);
  const kess3 = { page: 'kess3', device: { groupCode: 'G-10', serialNumber: 'KS3-2' } };
  const ktag = { page: 'ktag', device: { groupCode: 'G-10', serialNumber: 'KTG-1' } };
  const none = () => null;
  expect(foreignPages(masters, all, none)).toEqual([kess3, ktag]);
  const withoutKtag = { ...all, ktag: 'USER_NO_RIGHTS' } as const;
  expect(foreignPages(masters, withoutKtag, none)).toEqual([kess3]);
  expect(foreignPages(masters, all, () => 'KS3-3')[0]?.device.serialNumber).toBe('KS3-3');
  expect(foreignPages([masters[0] ?? master('ktag', '', 'built-in')], all, none)).toEqual([]);
});
