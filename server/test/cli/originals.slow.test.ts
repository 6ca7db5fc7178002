/** `recodery originals add`: its output, its refusals, and the resulting library. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findOriginal } from '../../src/recoding/originals/originals.ts';
import { callCommand } from '../fixtures/command.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await createTestPlatform();
  folder = await mkdtemp(join(tmpdir(), 'recodery-originals-'));
  for (const seed of [1, 2]) await writeFile(join(folder, `${seed}.bin`), imageOf(seed));
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true });
});

function imageOf(seed: number): Uint8Array {
  const protocol = findProtocol(1002);
  if (protocol === null) throw new Error('there is no protocol 1002');
  return generateImage(protocol, 'obd', seed);
}

const add = (...words: readonly string[]) =>
  callCommand(platform, ['originals', 'add', ...words], { cwd: folder });

const numbers = ['--protocol', '1002', '--hw', 'HW 1', '--sw', 'SW 1'];
const question = { protocolId: 1002, hardware: 'HW 1', software: 'SW 1' };

// promise d3.commands.originals
it('adds an image, leaves it unchanged when it is added again, and replaces it with another', async () => {
  const first = await add(...numbers, '1.bin');
  expect(first).toMatchObject({
    code: 0,
    out: 'The original of HW 1 SW 1 for protocol 1002 was added.\n',
  });
  // the image's own numbers differ from those under which it is stored
  expect(first.complaint).toMatch(/^Warning: the image identifies itself as REF-HW-/);
  const found = await findOriginal(platform.db, question);
  expect(found).toMatchObject({ name: '1.bin', size: 524_288 });
  expect((await add(...numbers, '1.bin')).out).toContain('already');
  expect(await findOriginal(platform.db, question)).toEqual(found);
  expect((await add(...numbers, '2.bin')).out).toContain('was replaced');
  expect(await findOriginal(platform.db, question)).toMatchObject({ name: '2.bin' });
});

it.each([
  [['--protocol', '9000', '--hw', 'X', '--sw', 'Y', '1.bin'], 1],
  [['--protocol', '1002', '--hw', 'X', '--sw', 'Y', 'nothing.bin'], 1],
  [['--protocol', '1002', '--hw', ' ', '--sw', 'Y', '1.bin'], 2],
  [['--protocol', 'x', '--hw', 'X', '--sw', 'Y', '1.bin'], 2],
  [['--protocol', '1002', '--hw', 'X', '1.bin'], 2],
  [['--protocol', '1002', '--hw', 'X', '--sw', 'Y'], 2],
])('refuses %j with exit code %i and a clear error on one line', async (words, code) => {
  const answer = await add(...words);
  expect(answer).toMatchObject({ code, out: '' });
  expect(answer.complaint).not.toContain('    at ');
  expect(answer.complaint.length).toBeGreaterThan(10);
  expect(
    await findOriginal(platform.db, { protocolId: 1002, hardware: 'X', software: 'Y' }),
  ).toBeNull();
  expect(
    await findOriginal(platform.db, { protocolId: 9000, hardware: 'X', software: 'Y' }),
  ).toBeNull();
});
