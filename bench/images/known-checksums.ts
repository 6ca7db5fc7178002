/**
 * Measures the verification and the correction of a real control unit's checksums in 1 MiB, also compared with the CRC
 * of the same bytes by a table. `node bench/images/known-checksums.ts`
 */
import { crcOf } from '@recodery/codec/checksum/crc';
import { crc32Mpeg2 } from '@recodery/codec/checksum/crc-catalog';
import { correctKnown, verifyKnown } from '@recodery/codec/known-checksums/known-checksums';
import { generateChecked } from '../../codec/samples/me7-checksums.ts';
import { timeOf } from '../support/time.ts';

const runs = 15;
/** Milliseconds. */
const allowed = 10;

const image = generateChecked({ seed: 1, size: 0x100000, crc: 'seeded' });
const changed = new Uint8Array(image);
for (let at = 0x10300; at < 0x13f00; at += 7) changed[at] = (changed[at] ?? 0) ^ 0x55;
const other = new Uint8Array(image.length).fill(0x5a);

/** The fastest run: other programs slowed down the others. */
async function fastest(work: () => void): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await timeOf(work));
  return Math.min(...times);
}

function verify(): void {
  const isRight = verifyKnown(image)?.parts.every(({ state }) => state === 'right') ?? false;
  if (!isRight) throw new Error('the image is not right');
}

const crc = await fastest(() => crcOf(crc32Mpeg2, [image]));
const verifying = await fastest(verify);
const correcting = await fastest(() => correctKnown(changed, image));
const unknown = await fastest(() => verifyKnown(other));
const isKept = verifying <= allowed;
const ratio = (ms: number): string => `${ms.toFixed(1)} ms, ${(ms / crc).toFixed(1)} times a CRC`;
console.log(
  `known checksums of 1 MiB: verify ${ratio(verifying)} (at most ${allowed} ms) ${isKept ? 'kept' : 'BROKEN'}`,
);
console.log(`known checksums of 1 MiB: correct ${ratio(correcting)}; no scheme ${ratio(unknown)}`);
if (!isKept) process.exitCode = 1;
