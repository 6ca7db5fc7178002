/**
 * Measures the diagnosis of files of 16 MiB that do not fit, also of those that are made to take long.
 * `node bench/images/diagnosis.ts`
 */
import { randomBytes } from 'node:crypto';
import { diagnose } from '@recodery/codec/diagnosis/diagnose';
import type { DiagnosisKind } from '@recodery/codec/diagnosis/kinds';
import { transform } from '@recodery/codec/diagnosis/transformations';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { generateImage } from '@recodery/codec/sample-images/images';
import { writeIntelHex } from '../../codec/samples/write-texts.ts';
import { timeOf } from '../support/time.ts';

const size = 16 * 1024 * 1024;
const runs = 5;
/** Milliseconds. */
const allowed = 600;

const open = findProtocol(9000);
if (open === null) throw new Error('there is no protocol 9000');
const image = generateImage(open, 'obd', 1, size);

/** Every position of it looks like an anchor of the read. */
function repeatPiece(length: number): Uint8Array {
  const piece = image.subarray(0x40000, 0x40000 + length);
  return new Uint8Array(Buffer.concat(Array.from({ length: size / length }, () => piece)));
}

const files: Readonly<Record<string, readonly [DiagnosisKind, Uint8Array]>> = {
  'exchanged bytes': ['swapped', transform(image, 'pairs')],
  'one half': ['partial', image.slice(0, size / 2)],
  '64 KiB in front': ['inside', new Uint8Array(Buffer.concat([Buffer.alloc(65_536, 0xff), image]))],
  'Intel HEX': ['intel-hex', writeIntelHex(image, 0)],
  'random bytes': ['dense', randomBytes(size)],
  'another software': ['unrelated', generateImage(open, 'obd', 2, size)],
  'one piece of the read, repeated': ['unrelated', repeatPiece(4096)],
};

for (const [name, [kind, upload]] of Object.entries(files)) {
  const accepts = ({ length }: Uint8Array) => length === size;
  const ask = { upload, image, others: [], accepts, identify: () => null };
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    times.push(
      await timeOf(() => {
        const found = diagnose(ask)?.kind;
        if (found !== kind) throw new Error(`${name}: ${found} instead of ${kind}`);
      }),
    );
  }
  // the fastest run: other programs slowed down the others
  const took = Math.min(...times);
  const isKept = took <= allowed;
  console.log(
    `diagnosis of 16 MiB, ${name}: ${took.toFixed(0)} ms (at most ${allowed}) ${isKept ? 'kept' : 'BROKEN'}`,
  );
  if (!isKept) process.exitCode = 1;
}
