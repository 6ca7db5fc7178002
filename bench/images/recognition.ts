/**
 * Measures the recognition of images of 4 MiB, also of those that are made to take long. `decode-latency` measures its
 * share of a decode.
 * `node bench/images/recognition.ts`
 */
import { randomBytes } from 'node:crypto';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { recognizeImage } from '@recodery/codec/recognition/recognize';
import { generateImage } from '@recodery/codec/sample-images/images';
import { ecuImageFamilies, generateEcuImage } from '../../codec/samples/ecu-images.ts';
import { timeOf } from '../support/time.ts';

const size = 4 * 1024 * 1024;
const runs = 9;
/** Milliseconds for an image of 4 MiB. */
const allowed = 30;

/** The fastest run: other programs slow down the others. */
async function fastest(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) least = Math.min(least, await timeOf(work));
  return least;
}

function report(text: string, isKept: boolean): void {
  console.log(`${text} ${isKept ? 'kept' : 'BROKEN'}`);
  if (!isKept) process.exitCode = 1;
}

const open = findProtocol(9000);
if (open === null) throw new Error('there is no protocol 9000');

/** As much text as is searched, in as many runs as possible. */
function cutText(): Uint8Array {
  const image = randomBytes(size);
  for (let at = 0; at < size; at += 40) image.set(Buffer.from('0261207\0'), at);
  return image;
}

const files: Record<string, Uint8Array> = {
  firmware: generateImage(open, 'obd', 1, size),
  'random bytes': randomBytes(size),
  text: new Uint8Array(Buffer.alloc(size, '40/1/ME7.5/5/4016.20//20e/ 5WK90027 ')),
  'short texts': cutText(),
  'exchanged numbers': new Uint8Array(Buffer.alloc(size, 'W59K0027\0\xff\xfe', 'latin1')),
};
for (const family of ecuImageFamilies) {
  const { image } = generateEcuImage(family, 1);
  files[family] = Buffer.concat([image, randomBytes(size - image.length)]);
}
for (const [name, image] of Object.entries(files)) {
  const took = await fastest(() => recognizeImage(image));
  report(
    `recognition of 4 MiB, ${name}: ${took.toFixed(1)} ms (at most ${allowed})`,
    took <= allowed,
  );
}
