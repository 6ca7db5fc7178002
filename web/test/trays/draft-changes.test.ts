/** What a tray changes in a draft: only what its user has changed, whatever else the draft has. */
import type { SlotDraft } from '@recodery/contract/features/slots';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { inputsOfDraft } from '../../src/features/recoding/inputs.ts';
import { withoutShown, withPart } from '../../src/features/trays/rows/draft-changes.ts';
import type { DecodedRow } from '../../src/features/trays/tray-rows.ts';
import { bootBenchResult, guid, succeeded } from '../recoding/results.ts';

const read = kess3.readOf(succeeded(bootBenchResult, { asyncOperationType: 'KESS3Decode' }));
const names = read.parts.map(({ name }) => name);
const part = fc.constantFrom(...names);

const refusedUpload = (name: string, label: string) => ({
  ...{ part: name, name: label, size: 1, errorCode: 'WRONG_SIZE', details: null },
  ...{ diagnosis: null, refusedOn: '2026-11-27T08:00:00.000Z' },
});

/** Any draft of the read: files, refused files, and all choices. */
const anyDraft = fc
  .record({
    files: fc.subarray(names),
    refused: fc.subarray(names),
    removed: fc.option(fc.subarray(names), { nil: null }),
    willCorrectCVN: fc.boolean(),
    willSkipChecksum: fc.boolean(),
    willCorrectChecksums: fc.boolean(),
    version: fc.nat(),
  })
  .map(
    ({ files, refused, ...choices }): SlotDraft => ({
      ...{ ...choices, slotGUID: read.slotGUID, changes: [] },
      files: files.map((name, at) => ({
        ...{ part: name, fileGUID: guid(80 + at), name: 'tune.bin', size: 1, changes: null },
      })),
      refused: refused.map((name) => refusedUpload(name, 'wrong.bin')),
    }),
  );

/** What a row shows of a draft. */
function shownOf(draft: SlotDraft): Pick<DecodedRow, 'read' | 'inputs' | 'images'> {
  const inputs = inputsOfDraft(read, draft);
  const images = read.parts.flatMap((one) => {
    const state = inputs.parts[one.name];
    const complete = state?.at === 'complete' ? state : null;
    const noted = draft.refused?.find((file) => file.part === one.name);
    const refused = noted
      ? { name: noted.name, fault: { kind: 'refused', thrown: null } as const }
      : null;
    return complete || refused ? [{ part: one, complete, job: null, refused }] : [];
  });
  return { read, inputs, images };
}

// promise 4.tray.choices
test('including a component changes no other choice', () => {
  fc.assert(
    fc.property(anyDraft, part, (draft, name) => {
      const before = inputsOfDraft(read, draft);
      const fields = withPart(read, draft, name);
      const isRemoved = before.parts[name]?.at === 'removed';
      expect(Object.keys(fields ?? {})).toEqual(isRemoved ? ['files', 'removed'] : []);
      if (fields === null) return;
      expect(fields.files).toEqual({});
      const after = inputsOfDraft(read, { ...draft, removed: fields.removed ?? null });
      for (const one of names) {
        const isSame = after.parts[one]?.at === before.parts[one]?.at;
        expect(isSame).toBe(one !== name);
      }
    }),
  );
});

// promise 4.tray.choices
test('removing what a row shows names only its part, and a refusal is dismissed before its file', () => {
  fc.assert(
    fc.property(anyDraft, part, (draft, name) => {
      const fields = withoutShown(shownOf(draft), draft, name);
      const file = draft.files.find((one) => one.part === name)?.fileGUID ?? null;
      const isRefused = draft.refused?.some((one) => one.part === name);
      const expected = isRefused ? { [name]: file } : { [name]: null };
      expect(fields).toEqual(isRefused || file !== null ? { files: expected } : null);
    }),
  );
});

// promise 4.tray.choices
test('a file or a refusal that the row did not show yet is not removed', () => {
  fc.assert(
    fc.property(anyDraft, part, (draft, name) => {
      const files = draft.files.filter((one) => one.part !== name);
      const others = draft.refused?.filter((one) => one.part !== name) ?? [];
      const [stored] = draft.files.filter((one) => one.part === name);
      const newer = { part: name, fileGUID: guid(99), name: 'new.bin', size: 2, changes: null };
      const replaced = { ...draft, refused: others, files: [...files, newer] };
      expect(withoutShown(shownOf(draft), replaced, name)).toBeNull();
      const shown = { ...draft, files: stored ? [...files, stored] : files };
      const noted = { ...shown, refused: [...others, refusedUpload(name, 'another.bin')] };
      const isRefused = draft.refused?.some((one) => one.part === name);
      if (isRefused) expect(withoutShown(shownOf(shown), noted, name)).toBeNull();
    }),
  );
});
