/** The simulated slave's memory: with a state file, `device write` refuses older files. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHeader } from '@recodery/codec/container/header';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { benchParts, encode, imageOf, packed, partsOf, seal } from '../../../codec/test/reads.ts';
import { slaveOf } from '../../../codec/test/slaves.ts';
import { runProgram } from '../../src/cli/program.ts';
import { writeSlaveKey } from '../../src/organisations/slave-key.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-slave-'));
  await writeFile(join(folder, 'key'), writeSlaveKey(slaveOf('kess3')));
  const backup = seal(packed, partsOf(packed, benchParts));
  await writeFile(join(folder, 'backup'), backup);
  const modified = [{ name: 'flash', bytes: imageOf(3001, 'flash') }] as const;
  for (const number of [3, 4])
    await writeFile(
      join(folder, `compacted-${number}`),
      encode(packed, backup, { modified, number }).sealed.whole(),
    );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a file to the slave; returns the exit code. */
async function write(file: string, out: string, state: string | null): Promise<number> {
  const at = (name: string): string => join(folder, name);
  const words = ['device', 'write', '--key', at('key'), '--in', at(file), '--out-dir', at(out)];
  return runProgram([...words, ...(state === null ? [] : ['--state', at(state)])]);
}

test('a compacted backup names the backup that it was made from, and its number', async () => {
  const file = await readFile(join(folder, 'compacted-3'));
  const { kind, previous, number } = readHeader(file, file.length);
  expect([kind, previous, number]).toEqual([
    'utility-backup',
    expect.stringMatching(/^\w{64}$/),
    3,
  ]);
});

test('older files are refused after newer ones, and nothing of them is written', async () => {
  expect(await write('compacted-3', 'a', 'state')).toBe(0);
  expect(await write('compacted-4', 'b', 'state')).toBe(0);
  expect(await write('compacted-3', 'c', 'state')).toBe(1);
  expect(await readdir(folder)).not.toContain('c');
  // the last one again, for instance after an interruption
  expect(await write('compacted-4', 'd', 'state')).toBe(0);
  // without a memory, as before
  expect(await write('compacted-3', 'e', null)).toBe(0);
});

test("a slave's own backup is refused, because it comes from a slave", async () => {
  expect(await write('backup', 'own', 'fresh')).toBe(1);
  expect(await readdir(folder)).not.toContain('own');
  expect(await readdir(folder)).not.toContain('fresh');
});

test('a file that is not the state of this slave is refused', async () => {
  expect(await write('compacted-4', 'f', 'key')).toBe(1);
  expect(await write('compacted-4', 'f', 'state-of-other')).toBe(0);
  const text = await readFile(join(folder, 'state-of-other'), 'utf8');
  await writeFile(join(folder, 'state-of-other'), text.replace('KS3-000042', 'KS3-000043'));
  expect(await write('compacted-4', 'g', 'state-of-other')).toBe(1);
});
