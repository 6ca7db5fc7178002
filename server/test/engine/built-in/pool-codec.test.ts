/** The engine's program: a process that can access only its folder runs the codec. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptEncoded, sealRead } from '@recodery/codec/simulator/slave';
import { isMachineFault } from '../../../src/operations/operation-rules.ts';
import { startChild } from '../../../src/engine/built-in/child.ts';
import { noIsolation } from '../../../src/engine/built-in/isolation.ts';
import { engineProgram, readable } from '../../../src/engine/built-in/program-files.ts';
import {
  createEnginePool,
  type EnginePool,
  type Scratch,
} from '../../../src/engine/built-in/pool.ts';

const slave = {
  family: 'kessv2',
  pairKey: randomBytes(32),
  keyId: 1,
  masterSerial: 'KV2-M-0001',
  slaveSerial: 'KV2-000007',
} as const;
const image = randomBytes(300_000);
const modified = Buffer.from(image);
modified.fill(0x55, 1000, 1100);
modified.fill(0xaa, 200_000, 200_010);
// the random byte may have been the same
for (const at of [1000, 200_000]) modified[at] = (image[at] ?? 0) ^ 0xff;

let pool: EnginePool;
let work: Scratch;
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'recodery-engine-'));
  pool = await createEnginePool({ engines: 1, scratch });
  work = await pool.openScratch();
  await lay(
    'read',
    sealRead({
      ...slave,
      protocolId: 9000,
      mode: 'obd',
      components: [{ name: 'obd', bytes: image }],
      information: { vin: 'ZAR93900001234567' },
      identificationOnly: false,
      readId: randomBytes(16),
      fileSalt: randomBytes(32),
    }),
  );
  await lay('decoded', image);
  await lay('modified', modified);
  await lay('rubbish', randomBytes(5000));
});
afterAll(async () => {
  await pool.close();
  await rm(scratch, { recursive: true, force: true });
});

const at = (name: string) => join(work.folder, name);
const lay = (name: string, bytes: Uint8Array) => writeFile(at(name), bytes);
const decode = (file: string) =>
  pool.run(
    {
      kind: 'decode',
      workflow: 'kessv2',
      filePath: at(file),
      pairKey: slave.pairKey,
      skipChecksum: false,
      outFolder: work.folder,
    },
    'one',
  );
const check = (image: string) =>
  pool.run(
    {
      kind: 'check-modified',
      workflow: 'kessv2',
      protocolId: 9000,
      mode: 'obd',
      component: 'obd',
      decodedPath: at('decoded'),
      imagePath: at(image),
    },
    'one',
  );

describe('an engine', () => {
  test('decodes a read into its components and its information', async () => {
    const answer = await decode('read');
    expect(answer.protocol.id).toBe(9000);
    expect(answer.information['vin']).toBe('ZAR93900001234567');
    expect(answer.components).toMatchObject([{ name: 'obd', size: image.length }]);
    expect((await readFile(at('obd.bin'))).equals(image)).toBe(true);
  });

  test('encodes a file that exactly its slave accepts', async () => {
    const answer = await pool.run(
      {
        kind: 'encode',
        workflow: 'kessv2',
        filePath: at('read'),
        pairKey: slave.pairKey,
        modified: [{ name: 'obd', path: at('modified') }],
        originalPath: null,
        removed: [],
        reencode: false,
        willCorrectCVN: false,
        willSkipChecksum: false,
        fileSalt: randomBytes(32),
        number: 1,
        outPath: at('encoded'),
      },
      'one',
    );
    const file = await readFile(at('encoded'));
    expect(answer.size).toBe(file.length);
    const [flashed] = acceptEncoded({ ...slave, file }).components;
    expect(Buffer.from(flashed?.bytes ?? []).equals(modified)).toBe(true);
  });

  test('reports what a modified image changed', async () => {
    expect((await check('modified')).changes).toMatchObject({
      regions: 2,
      size: image.length,
      spans: [{ offset: 1000 }, { offset: 200_000 }],
    });
  });

  test("reports a fault of the file with the codec's own code", async () => {
    await expect(decode('rubbish')).rejects.toMatchObject({
      name: 'CodecError',
      internalCode: 'FILE_NOT_RECOGNIZED',
    });
    await expect(check('read')).rejects.toMatchObject({ internalCode: 'MOD_STILL_ENCODED' });
  });

  test("leaves the caller's files unchanged", async () => {
    await check('modified');
    expect((await readFile(at('modified'))).equals(modified)).toBe(true);
    expect((await readFile(at('decoded'))).equals(image)).toBe(true);
  });
});

describe.runIf(process.platform === 'linux')('an error inside of the engine', () => {
  /** Makes the engine's program write its output into a file of its folder. */
  async function writeTo(lay: (path: string) => Promise<void>): Promise<unknown> {
    const folder = await mkdtemp(join(scratch, 'alone-'));
    const child = startChild({
      program: engineProgram,
      readable,
      folder,
      isolation: noIsolation,
      account: null,
      memoryBytes: 2 ** 29,
      diskBytes: 2 ** 28,
      timeMs: 30_000,
    });
    await child.ready;
    await writeFile(join(folder, 'read'), await readFile(at('read')));
    await lay(join(folder, 'obd.bin'));
    const task = {
      kind: 'decode',
      workflow: 'kessv2',
      filePath: join(folder, 'read'),
      pairKey: slave.pairKey,
      skipChecksum: false,
      outFolder: folder,
    } as const;
    const end = await child.run(task).catch((error: unknown) => error);
    child.kill();
    await child.gone;
    return end;
  }

  test('is a machine fault if the disk is full, and is retried', async () => {
    const error = await writeTo((path) => symlink('/dev/full', path));
    expect(error).toMatchObject({ code: 'ENOSPC' });
    expect(isMachineFault(error)).toBe(true);
  });

  test('is not retried if it is our own', async () => {
    const error = await writeTo((path) => symlink('/', path));
    expect(String(error)).toContain('EISDIR');
    expect(isMachineFault(error)).toBe(false);
  });
});
