/**
 * Measures the memory of a process that decodes and encodes a file of 64 MiB as an engine does: one copy of the file,
 * which is decrypted in place, and written in pieces.
 */

import { spawnSync } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { derivePairKey } from '@recodery/codec/container/cipher';
import { getCodec } from '@recodery/codec/families/registry';
import { sealRead } from '@recodery/codec/simulator/slave';
import { makeWorkspace } from '@recodery/codec/workspace';

const mebibyte = 1024 * 1024;
/** Resident memory, in MiB. */
const allowed = 200;
const names = ['flash', 'micro', 'eeprom', 'mapfile'] as const;
/** Four of them and the header are just below the size limit of a file. */
const componentSize = 16 * mebibyte - 32 * 1024;
const pairKey = derivePairKey(new Uint8Array(32), 'kess3', 'M-0001', 'S-000001', 1);

function writeRead(path: string): void {
  const bytes = new Uint8Array(componentSize).fill(0x5a);
  const file = sealRead({
    family: 'kess3',
    pairKey,
    keyId: 1,
    masterSerial: 'M-0001',
    slaveSerial: 'S-000001',
    protocolId: 9000,
    mode: 'bootbench',
    components: names.map((name) => ({ name, bytes })),
    information: {},
    identificationOnly: false,
    readId: new Uint8Array(16),
    fileSalt: new Uint8Array(32),
  });
  writeFileSync(path, file);
}

/** The child process: decodes, then encodes with everything from the backup, several times. */
function work(path: string): void {
  const { allocate, reset, collect } = makeWorkspace();
  const codec = getCodec('kess3');
  const memory = { allocate, collect, mayOverwriteFile: true };
  const load = (): Uint8Array => {
    reset();
    const file = openSync(path, 'r');
    const bytes = allocate(fstatSync(file).size);
    readSync(file, bytes);
    closeSync(file);
    return bytes;
  };
  for (let round = 0; round < 3; round += 1) {
    codec.decode({ ...memory, file: load(), pairKey, skipChecksum: false });
    const { sealed } = codec.encode({
      ...memory,
      file: load(),
      pairKey,
      modified: [],
      original: null,
      removed: [],
      willCorrectCVN: false,
      willSkipChecksum: false,
      fileSalt: new Uint8Array(32),
      number: 1,
    });
    const out = openSync(`${path}.encoded`, 'w');
    for (const piece of sealed.pieces()) writeFileSync(out, piece);
    closeSync(out);
  }
  console.log(process.resourceUsage().maxRSS / 1024);
}

function measure(): void {
  const folder = mkdtempSync(join(tmpdir(), 'codec-memory-'));
  try {
    const path = join(folder, 'read.bin');
    writeRead(path);
    const child = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, path], {
      encoding: 'utf8',
    });
    const resident = Number(child.stdout);
    const isWithin = child.status === 0 && resident <= allowed;
    console.log(
      `decode and encode of 64 MiB: ${resident.toFixed(0)} MiB resident at most (limit ${allowed}): ` +
        (isWithin ? 'ok' : `too much${child.stderr}`),
    );
    process.exitCode = isWithin ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [path] = process.argv.slice(2);
if (path === undefined) {
  measure();
} else {
  work(path);
}
