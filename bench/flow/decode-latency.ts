/**
 * Measures the time from the last uploaded byte of a 2 MiB read to "decoded" at the client, through HTTP and the event
 * stream, compared with the codec's own time for the same read in the same run, and with the time that recognizing its image
 * takes. `node bench/flow/decode-latency.ts`
 */
import { getCodec } from '@recodery/codec/families/registry';
import type { Slave } from '@recodery/codec/simulator/slave';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { recognizeImage } from '@recodery/codec/recognition/recognize';
import { generateImage } from '@recodery/codec/sample-images/images';
import { makeWorkspace } from '@recodery/codec/workspace';
import {
  openStream,
  type Ready,
  sealImage,
  serve,
  upload,
  withProduct,
} from '../support/product.ts';
import { median, percentile } from '../support/median.ts';

/** Milliseconds that everything except the codec may take (median). */
const allowed = 60;
/** Of the whole time, that recognizing the image may take. */
const allowedShare = 0.05;
const rounds = 31;
const warmUps = 5;
const imageBytes = 2 * 1024 * 1024;

/** Milliseconds that the codec alone takes for a read, as an engine runs it. */
function measureCodec(slave: Slave, file: Uint8Array): number {
  const { allocate, reset } = makeWorkspace();
  const times = Array.from({ length: rounds + warmUps }, () => {
    reset();
    const start = performance.now();
    const { pairKey } = slave;
    const input = { file: file.slice(), pairKey, skipChecksum: false, allocate };
    getCodec('kessv2').decode(input);
    return performance.now() - start;
  });
  return median(times.slice(warmUps));
}

/** Milliseconds that recognizing the image of a read takes. */
function measureRecognition(id: number): number {
  const protocol = findProtocol(id);
  if (protocol === null) throw new Error(`there is no protocol ${id}`);
  const image = generateImage(protocol, 'obd', 1, imageBytes);
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    recognizeImage(image);
    return performance.now() - start;
  });
  return median(times);
}

async function measureDecodes(ready: Ready, file: Uint8Array): Promise<number[]> {
  const stream = await openStream(ready);
  const times: number[] = [];
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const { guid, left } = await upload(ready, file);
    times.push((await stream.whenFinished(guid)).at - left);
  }
  stream.close();
  return times.slice(warmUps);
}

async function measureAll(ready: Ready): Promise<boolean> {
  let isGood = true;
  for (const id of [9000, 1004]) {
    const file = sealImage(ready.slave, id, imageBytes);
    const codec = measureCodec(ready.slave, file);
    const latencies = await measureDecodes(ready, file);
    const around = median(latencies) - codec;
    const share = measureRecognition(id) / median(latencies);
    isGood &&= around <= allowed && share <= allowedShare;
    const slow = percentile(latencies, 0.9);
    console.log(
      `${findProtocol(id)?.name} 2 MiB: last byte to decoded ${median(latencies).toFixed(1)} ms (p90 ${slow.toFixed(1)}), ` +
        `codec ${codec.toFixed(1)} ms, around it ${around.toFixed(1)} ms of ${allowed} allowed, ` +
        `recognition ${(100 * share).toFixed(1)} % of ${100 * allowedShare} allowed`,
    );
  }
  return isGood;
}

const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir);
else process.exit((await withProduct(import.meta.filename, measureAll)) ? 0 : 1);
