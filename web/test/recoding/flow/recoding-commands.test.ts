/** What happens to a file before its upload has started: it is inspected, and not sent if canceled or left. */
import type { RefusalCode } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test, vi } from 'vitest';
import type { FamilyPage } from '../../../src/features/recoding/families/family-page.ts';
import { mayEncode } from '../../../src/features/recoding/flow/state/encode-flow.ts';
import { flowStore } from '../../../src/features/recoding/flow/state/flow-store.ts';
import { commandsOn } from '../../../src/features/recoding/flow/recoding-commands.ts';
import { idle } from '../../../src/features/recoding/flow/state/recoding-flow.ts';
import { noUploads } from '../../../src/features/recoding/flow/uploads.ts';
import { findUnsaved } from '../../../src/ui/dialogs/unsaved-work.ts';
import { image } from '../reads.ts';
import { operation } from '../results.ts';
import { loadPage } from '../../../src/features/recoding/families/registry.ts';

const kessv2 = await loadPage('kessv2');

/** A page that records the names of the files that are sent. */
function open(fails: Partial<Pick<FamilyPage, 'uploadRead' | 'uploadPart'>> = {}) {
  const sent: string[] = [];
  const page: FamilyPage = {
    ...kessv2,
    uploadRead: async ({ name }) => {
      sent.push(name);
      return operation();
    },
    uploadPart: async (_read, _part, { name }) => {
      sent.push(name);
      return { fileGUID: 'file-1', changes: null };
    },
    ...fails,
  };
  const store = flowStore(idle);
  const uploads = noUploads('CC-1001', () => {});
  const device = { groupCode: 'G-10', masterDeviceSerialNumber: 'M-1' };
  const ground = {
    page,
    device,
    takesForeignFiles: false,
    isEngineUp: true,
    maxFileBytes: 2 ** 20,
    store,
    uploads,
  };
  const leave = uploads.abortAll;
  return { sent, store, leave, commands: commandsOn(ground) };
}

const read = new File(['TFC1'], 'read.tfc');
const modified = new File([new Uint8Array(16)], 'stage1.bin');
const switches = { skipsChecksum: false, hasDebugFlag: false };
const otherRead = new File(['TFC1'], 'other.tfc');
const otherModified = new File([new Uint8Array(16)], 'stage2.bin');

function openDecoded(uploadPart?: FamilyPage['uploadPart']) {
  const opened = open(uploadPart && { uploadPart });
  const { dispatch } = opened.store;
  const file = { name: 'read.tfc', size: 4 };
  dispatch({ type: 'read-chosen', attempt: -1, file, isEngineUp: true });
  dispatch({ type: 'read-accepted', attempt: -1, operationGUID: 'decode-1' });
  dispatch({ type: 'decode-ended', operationGUID: 'decode-1', read: image });
  return opened;
}

test('a modified file is sent', async () => {
  const { sent, commands } = openDecoded();
  commands.choosePart('modified', modified);
  await expect.poll(() => sent).toEqual(['stage1.bin']);
});

test('a file that is canceled immediately is not sent, and leaves room for another', async () => {
  const { sent, commands, store } = openDecoded();
  commands.choosePart('modified', modified);
  commands.cancelPart('modified');
  const flow = store.now();
  expect(flow.at === 'decoded' && flow.encode.inputs.parts).toEqual({
    modified: { at: 'ready', refused: null },
  });
  commands.choosePart('modified', otherModified);
  await expect.poll(() => sent).toContain('stage2.bin');
  expect(sent).toEqual(['stage2.bin']);
});

function partIn(store: ReturnType<typeof open>['store']) {
  const flow = store.now();
  if (flow.at !== 'decoded') throw new Error(`the page is ${flow.at}`);
  const { read: decoded, encode } = flow;
  const part = encode.inputs.parts['modified'];
  return { part, isEncodable: mayEncode(decoded, encode.inputs) };
}

test('a part counts as uploading while its file is being inspected, and nothing is encoded without it', async () => {
  const { sent, commands, store } = openDecoded();
  const inspection = Promise.withResolvers<boolean>();
  commands.choosePart('modified', modified, () => inspection.promise);
  expect(partIn(store)).toMatchObject({ part: { at: 'uploading' }, isEncodable: false });
  expect(await findUnsaved()).toEqual(['upload']);
  expect(await findUnsaved('CC-1001')).toEqual(['upload']);
  expect(await findUnsaved('CC-2002')).toEqual([]);
  expect(sent).toEqual([]);
  inspection.resolve(true);
  await expect.poll(() => partIn(store).part?.at).toBe('complete');
  expect(sent).toEqual(['stage1.bin']);
  expect(await findUnsaved()).toEqual([]);
});

test('a file that needs a question is not sent, and its part is ready for another', async () => {
  const { sent, commands, store } = openDecoded();
  commands.choosePart('modified', modified, async () => false);
  await expect.poll(() => partIn(store).part?.at).toBe('ready');
  expect(sent).toEqual([]);
});

test('a file that is canceled while it is being inspected does not cancel the next one', async () => {
  const { sent, commands, store } = openDecoded();
  const inspection = Promise.withResolvers<boolean>();
  commands.choosePart('modified', modified, () => inspection.promise);
  commands.cancelPart('modified');
  commands.choosePart('modified', otherModified);
  inspection.resolve(false);
  await expect.poll(() => partIn(store).part?.at).toBe('complete');
  expect(sent).toEqual(['stage2.bin']);
});

test('a read is not sent if the user leaves the page immediately', async () => {
  const { sent, commands, leave, store } = open();
  commands.chooseRead(read, switches);
  leave();
  expect(store.now().at).toBe('choosing');
  commands.chooseRead(otherRead, switches);
  await expect.poll(() => sent).toContain('other.tfc');
  expect(sent).toEqual(['other.tfc']);
});

/** A file whose first bytes can be read only after `arrive` was called. */
function lateFile(name: string) {
  const file = new File(['TFC1'], name);
  const { promise, resolve: arrive } = Promise.withResolvers<void>();
  const start = file.slice();
  vi.spyOn(start, 'arrayBuffer').mockImplementation(() => promise.then(() => file.arrayBuffer()));
  vi.spyOn(file, 'slice').mockReturnValue(start);
  return { file, arrive };
}

describe('of two reads that are dropped before the first has been inspected', () => {
  test('the one that was uploaded is uploaded again', async () => {
    const sent: string[] = [];
    const { commands, store } = open({
      async uploadRead({ name }) {
        sent.push(name);
        if (sent.length === 1) throw new TypeError('Failed to fetch');
        return operation();
      },
    });
    const { file, arrive } = lateFile('other.tfc');
    commands.chooseRead(read, switches);
    commands.chooseRead(file, switches);
    await expect.poll(() => store.now().at).toBe('failed');
    arrive();
    await expect.poll(() => findUnsaved()).toEqual([]);
    commands.repeatRead();
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent).toEqual(['read.tfc', 'read.tfc']);
  });

  test('the one that was refused is passed to its page', async () => {
    const { commands, store } = open();
    const { file, arrive } = lateFile('other.tfc');
    const refused = new File(['PK\u0003\u0004'], 'reads.zip');
    commands.chooseRead(refused, switches);
    commands.chooseRead(file, switches);
    await expect.poll(() => store.now().at).toBe('failed');
    arrive();
    await expect.poll(() => findUnsaved()).toEqual([]);
    expect(store.now()).toMatchObject({ at: 'failed', file: { name: 'reads.zip' } });
    expect(store.held()?.file).toBe(refused);
  });
});

// promise 5.refused.kept
describe('an upload that fails', () => {
  async function refusedWith(thrown: Error) {
    const { commands, store } = openDecoded(() => Promise.reject(thrown));
    commands.choosePart('modified', modified);
    await expect.poll(() => partIn(store).part).toMatchObject({ refused: { fault: { thrown } } });
    return partIn(store).part;
  }

  test.each<RefusalCode>([
    'SERVICE_UNAVAILABLE',
    'TOO_MANY_UPLOADS',
    'API_ERROR_UNAUTHORIZED',
    'API_ERROR_THROTTLING',
    'UPLOAD_INTERRUPTED',
    'FILE_MISSING',
    'IDEMPOTENCY_KEY_IN_USE',
    'USER_NO_RIGHTS',
    'GENERIC_ERROR',
  ])('with %s is noted by the page: the server may not have received it', async (code) => {
    expect(await refusedWith(new Refusal(code))).toMatchObject({ refused: { isLocal: true } });
  });

  test('without an answer is noted by the page', async () => {
    const part = await refusedWith(new TypeError('Failed to fetch'));
    expect(part).toMatchObject({ refused: { isLocal: true } });
  });

  test.each(['WRONG_SIZE', 'FILE_TOO_LARGE', 'STORAGE_QUOTA_REACHED'] as const)(
    'with %s is left to the note of the server',
    async (code) => {
      const part = await refusedWith(new Refusal(code));
      expect(part).not.toHaveProperty('refused.isLocal');
    },
  );
});
