/** What a page prepares for a read that it opens again, and the context that an encode stores for it. */
import { describe, expect, test } from 'vitest';
import {
  decodeOperationIn,
  planIn,
  sentToIn,
  writeContext,
} from '../../../../src/features/recoding/flow/drafts/context-data.ts';
import { familyPages } from '../../families/family-pages.ts';
import { freshInputs, ready } from '../../../../src/features/recoding/inputs.ts';
import { beginning } from '../../../../src/features/recoding/flow/state/resume-operation.ts';
import { bootBenchResult, guid, kessv2Result, succeeded } from '../../results.ts';
import { loadPage } from '../../../../src/features/recoding/families/registry.ts';

const kessv2 = await loadPage('kessv2');

const decoded = succeeded(kessv2Result);
const read = kessv2.readOf(decoded);
const draft = {
  slotGUID: kessv2Result.kessv2SlotGUID,
  files: [],
  removed: null,
  willCorrectCVN: false,
  willSkipChecksum: false,
  version: 1,
  changes: [],
};

describe('what is prepared for a read', () => {
  const decodedBench = succeeded(bootBenchResult, { asyncOperationType: 'KESS3Decode' });
  const bench = familyPages.kess3.readOf(decodedBench);
  const file = { fileGUID: guid(80), name: 'stage1.fls', size: 4096, changes: null };
  const uploadedFlash = {
    at: 'complete',
    file: { name: 'stage1.fls', size: 4096 },
    fileGUID: guid(80),
    changes: null,
  };

  test('is restored: files, removals and switches', () => {
    const kept = {
      files: [{ ...file, part: 'Flash' }],
      removed: ['Micro'],
      willCorrectCVN: true,
      willSkipChecksum: true,
      slotGUID: kessv2Result.kessv2SlotGUID,
      version: 1,
      changes: [],
    };
    const flow = beginning(familyPages.kess3, {
      operation: decodedBench,
      readFile: null,
      slot: { read: bench, draft: kept, encoded: [] },
    });
    expect(flow).toMatchObject({
      at: 'decoded',
      encode: {
        at: 'preparing',
        inputs: {
          parts: {
            Flash: uploadedFlash,
            Micro: { at: 'removed', kept: null },
            EEPROM: ready,
          },
          correctsCVN: true,
          skipsChecksum: true,
        },
      },
    });
  });

  test('keeps the file of a removed component', () => {
    const kept = { ...draft, files: [{ ...file, part: 'Flash' }], removed: ['Flash'] };
    const flow = beginning(familyPages.kess3, {
      operation: decodedBench,
      readFile: null,
      slot: { read: bench, draft: kept, encoded: [] },
    });
    expect(flow).toMatchObject({
      encode: { inputs: { parts: { Flash: { at: 'removed', kept: uploadedFlash } } } },
    });
  });

  test("starts with the family's defaults if nothing has been chosen yet", () => {
    const flow = beginning(familyPages.kess3, {
      operation: decodedBench,
      readFile: null,
      slot: { read: bench, draft, encoded: [] },
    });
    expect(flow).toMatchObject({ encode: { inputs: freshInputs(bench) } });
  });
});

describe('the context of an encode', () => {
  const complete = {
    at: 'complete',
    file: { name: 'stage 1 + più.bin', size: null },
    fileGUID: guid(80),
    changes: null,
  } as const;
  const inputs = {
    parts: {
      Flash: complete,
      Micro: ready,
      EEPROM: { at: 'removed', kept: null },
    },
    correctsCVN: true,
    skipsChecksum: false,
  } as const;
  const plan = { source: 'parts', recipient: null, prepared: inputs, unused: null } as const;
  const bench = familyPages.kess3.readOf(
    succeeded(bootBenchResult, { asyncOperationType: 'KESS3Decode' }),
  );

  test('restores the read and what was encoded', () => {
    const context = writeContext(bench, inputs, plan);
    expect(decodeOperationIn(context)).toBe(guid(1));
    expect(planIn(context, bench, draft, [])).toEqual(plan);
  });

  test('takes size and check result of a file from the draft, which still has it', () => {
    const stored = { part: 'Flash', fileGUID: guid(80), name: 'whole.bin', size: 7, changes: null };
    const found = planIn(
      writeContext(bench, inputs, plan),
      bench,
      { ...draft, files: [stored] },
      [],
    );
    expect(found.prepared.parts['Flash']).toMatchObject({ file: { name: 'whole.bin', size: 7 } });
  });

  test('of the decoded file has no upload, and leads back to what is prepared', () => {
    const prepared = { parts: { modified: complete }, correctsCVN: false, skipsChecksum: false };
    const again = { source: 'decoded', recipient: null, prepared, unused: prepared } as const;
    const context = writeContext(read, freshInputs(read), again);
    expect(planIn(context, read, draft, [])).toEqual({
      ...again,
      prepared: freshInputs(read),
      unused: freshInputs(read),
    });
  });

  test('contains the address that the result was sent to', () => {
    const recipient = { email: 'garage+1@rossi.test', message: null, isPrivate: true };
    expect(sentToIn(writeContext(bench, inputs, { ...plan, recipient }))).toBe(recipient.email);
    expect(sentToIn(writeContext(bench, inputs, plan))).toBeNull();
  });

  test.each([
    { email: 'garage+1@rossi.test', message: 'Prima il banco & poi la strada', isPrivate: true },
    { email: 'garage@rossi.test', message: null, isPrivate: false },
    { email: null, message: 'Ciao', isPrivate: false },
  ])('restores the recipient of the result: %o', (recipient) => {
    const addressed = { ...plan, recipient };
    expect(planIn(writeContext(bench, inputs, addressed), bench, draft, [])).toEqual(addressed);
  });

  test('omits a message that is too long, and with it the recipient', () => {
    const recipient = { email: 'garage@rossi.test', message: 'ж'.repeat(4000), isPrivate: true };
    const context = writeContext(bench, inputs, { ...plan, recipient });
    expect(context.length).toBeLessThan(4096);
    expect(sentToIn(context)).toBe(recipient.email);
    expect(planIn(context, bench, draft, []).recipient).toBeNull();
  });

  test('of another program leads nowhere', () => {
    for (const context of [null, '', '{"mine":1}', 'sentTo=x%40y']) {
      expect(decodeOperationIn(context)).toBeNull();
      expect(sentToIn(context)).toBeNull();
      expect(planIn(context, bench, draft, []).prepared).toEqual(freshInputs(bench));
    }
  });

  test('stays within 4 KiB however long the names are', () => {
    const long = { ...complete, file: { name: '很'.repeat(400), size: null } };
    const parts = { Flash: long, Micro: long, EEPROM: long, MapFile: long };
    const email = `${'x'.repeat(242)}@rossi.test`;
    const recipient = { email, message: null, isPrivate: true };
    const context = writeContext(bench, { ...inputs, parts }, { ...plan, recipient });
    expect(context.length).toBeLessThan(4096);
  });
});
