/** The draft of a file in a tray: each change is saved, one after another. */
import { Refusal } from '@recodery/contract/refusal';
import {
  type EncodeDraftChange,
  getEncodeDraft,
  putEncodeDraft,
} from '@recodery/contract/features/slots';
import { type Tray } from '@recodery/contract/features/trays';
import { describe, expect, test } from 'vitest';
import { bootBenchResult, guid, succeeded } from '../recoding/results.ts';
import { tab, changes, draftOf, trayOf, show, row, isIdle, useNewTabs } from './live-tray-steps.ts';

useNewTabs();

describe('a draft', () => {
  const bench = (removed: string[] | null, files: string[] = []): Tray => {
    const tray = trayOf(null);
    const stored = files.map((part) => ({
      part,
      fileGUID: guid(80),
      name: 'tune.bin',
      size: 4096,
      changes,
    }));
    return {
      ...tray,
      files: tray.files.map((file) => ({
        ...file,
        workflow: 'kess3' as const,
        decode: succeeded(bootBenchResult, { asyncOperationType: 'KESS3Decode' }),
        draft: { ...draftOf(null), files: stored, removed },
      })),
    };
  };
  const file = () => new File(['x'], 'tune.bin');
  /** The server's state after the saves. */
  const save = (): void => {
    tab.server = bench(tab.drafts.at(-1)?.removed ?? null);
  };

  test('keeps what was changed on another page while a file was uploaded', async () => {
    await show(bench(['EEPROM', 'Micro']));
    tab.uploaded = async () => {
      // in the meantime, the user chooses another component and corrects the CVN
      tab.server = bench(['EEPROM']);
      tab.server = {
        ...tab.server,
        files: tab.server.files.map((one) => ({
          ...one,
          draft: { ...draftOf(null), removed: ['EEPROM'], willCorrectCVN: true },
        })),
      };
      return Promise.resolve();
    };
    tab.live.modify(row(), 'EEPROM', file());
    await expect.poll(isIdle).toBe(true);
    expect(tab.drafts).toEqual([{ files: {}, removed: [], version: 1 }]);
  });

  test('puts both components into the draft if their files arrive together', async () => {
    await show(bench(['EEPROM', 'Micro']));
    tab.uploaded = () => Promise.resolve();
    const before = tab.answer;
    let version = 1;
    tab.answer = async (route, { body, ...given }, options) => {
      if (route === getEncodeDraft) return { changes: [], ...tab.server.files[0]?.draft, version };
      if (route !== putEncodeDraft) return before(route, { body, ...given }, options);
      const change = body as EncodeDraftChange;
      // as the server does: both changed the same field
      if (change.version !== version) throw new Refusal('DRAFT_CHANGED');
      version += 1;
      tab.drafts.push(change);
      save();
      return undefined;
    };
    tab.live.modify(row(), 'EEPROM', file());
    tab.live.modify(row(), 'Micro', file());
    await expect.poll(isIdle).toBe(true);
    expect(tab.drafts.map(({ removed }) => removed)).toEqual([['Micro'], []]);
  });
});
