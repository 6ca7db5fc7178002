/** Which master device a decode uses: the one in the query, else the one named in the file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage } from '../journeys/families/kessv2-workflow.ts';
import { addProgram, type Program, type ProgramOperation } from './program.ts';

let portal: RunningPortal;
let program: Program;
beforeAll(async () => {
  portal = await startTestPortal();
  program = await addProgram(portal);
});
afterAll(() => portal.stop());

async function decode(serial: string, query = ''): Promise<ProgramOperation> {
  const read = sealImage(await portal.getSlave('kess3', serial), 9000, new Uint8Array(1024));
  return program.finish(await program.decode(`/api/kess3/decode-read-file/C-1${query}`, read));
}

async function groupOf({ slotGUID }: ProgramOperation): Promise<string> {
  const query = portal.platform.db.selectFrom('slot').where('guid', '=', slotGUID);
  return (await query.select('group_code').executeTakeFirstOrThrow()).group_code;
}

// promise e2.masters.file
test.each([
  { serial: 'KS3-000042', group: 'G-10' },
  { serial: 'KS3-000043', group: 'G-11' },
])('a read of $serial is opened by the master that it names', async ({ serial, group }) => {
  const done = await decode(serial);
  expect(done.error).toBeNull();
  expect(await groupOf(done)).toBe(group);
});

// promise e2.masters.query
test.each(['?groupCode=G-11', '?masterDeviceSerialNumber=KS3-M-0002', '?GroupCode=G-11'])(
  'the query %s comes before the file',
  async (query) => {
    const done = await decode('KS3-000043', query);
    expect(done.error).toBeNull();
    const refused = await decode('KS3-000042', query);
    expect(await groupOf(refused)).toBe('G-11');
    expect(refused.error).toEqual({ errorName: 'KESS3_TOOL_NOT_FOUND', detail: 'G-10' });
  },
);

test('a query that matches no master is refused', async () => {
  const read = new Uint8Array(10);
  const answer = await program.decode('/api/kess3/decode-read-file/C-1?groupCode=G-99', read);
  expect([answer.status, answer.text]).toEqual([403, 'USER_NOT_AUTHORIZED_KESS3']);
});

test('a master of another organisation is not found through the file', async () => {
  const done = await decode('KS3-003003');
  expect(done.error?.errorName).toBe('KESS3_WRONG_MASTER_CODE');
  expect(await groupOf(done)).toBe('G-10');
});

test.each([
  ['a foreign file', new Uint8Array(500).fill(7), 'KESS3_FILE_NOT_RECOGNIZED'],
  ['an empty file', new Uint8Array(), 'KESS3_PATH_OR_FILE_NOT_FOUND'],
])('%s fails with the error of the first master', async (_, bytes, errorName) => {
  const path = '/api/kess3/decode-read-file/C-1';
  const done = await program.finish(await program.decode(path, bytes));
  expect(done.error?.errorName).toBe(errorName);
});

test('a file with a truncated header fails with the error of its decode', async () => {
  const slave = await portal.getSlave('kess3', 'KS3-000043');
  const read = sealImage(slave, 9000, new Uint8Array(1024)).subarray(0, 40);
  const path = '/api/kess3/decode-read-file/C-1';
  const done = await program.finish(await program.decode(path, read));
  expect(done).toMatchObject({ hasFailed: true, result: null });
});
