/**
 * Measures the time from the click on "Encode" to the first byte of the download, with 2 MiB, through HTTP and the event
 * stream, compared with the codec's own time for the same encode in the same run. `node bench/flow/encode-latency.ts`
 */
import { randomBytes } from 'node:crypto';
import { getCodec } from '@recodery/codec/families/registry';
import { makeWorkspace } from '@recodery/codec/workspace';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { generateImage } from '@recodery/codec/sample-images/images';
import { median, percentile } from '../support/median.ts';
import {
  openStream,
  post,
  type Ready,
  sealImage,
  sendFile,
  serve,
  type Stream,
  upload,
  waitForFirstByte,
  withProduct,
} from '../support/product.ts';

/** Milliseconds that everything except the codec may take (median). */
const allowed = 60;
const rounds = 31;
const warmUps = 5;
const protocolId = 9000;
const imageBytes = 2 * 1024 * 1024;

/** The image of a read, changed where no checksum is. */
function makeModified(): Uint8Array {
  const protocol = findProtocol(protocolId);
  if (protocol === null) throw new Error(`there is no protocol ${protocolId}`);
  const image = generateImage(protocol, 'obd', 1, imageBytes);
  image[100] = (image[100] ?? 0) ^ 1;
  return image;
}

/** Milliseconds that the codec alone takes for an encode, as an engine runs it. */
function measureCodec({ slave }: Ready, read: Uint8Array, modified: Uint8Array): number {
  const { allocate, reset } = makeWorkspace();
  const times = Array.from({ length: rounds + warmUps }, () => {
    reset();
    const input = {
      file: read.slice(),
      pairKey: slave.pairKey,
      allocate,
      modified: [{ name: 'obd', bytes: modified.slice() }],
      original: null,
      removed: [],
      willCorrectCVN: false,
      willSkipChecksum: false,
      fileSalt: randomBytes(32),
      number: 1,
    } as const;
    const start = performance.now();
    getCodec('kessv2').encode(input);
    return performance.now() - start;
  });
  return median(times.slice(warmUps));
}

/** Milliseconds from the call that encodes to the first byte of the encoded file. */
async function measureEncode(
  ready: Ready,
  stream: Stream,
  read: Uint8Array,
  modified: Uint8Array,
): Promise<number> {
  const { guid } = await upload(ready, read);
  const { result: decoded } = await stream.whenFinished(guid);
  const slot = String(decoded['kessv2SlotGUID']);
  const path = `/api/kessv2/upload-modified-file/${slot}`;
  const { answer } = await sendFile(ready, 'PUT', path, 'modifiedFile', modified);
  const start = performance.now();
  const { guid: encode } = (await post(ready, '/api/kessv2/encode-file', {
    kessv2FileSlotGUID: slot,
    modifiedFileGUID: (answer as { fileGUID: string }).fileGUID,
    originalFileGUID: '00000000-0000-0000-0000-000000000000',
    willCorrectCVN: false,
    contextData: null,
  })) as { guid: string };
  const { result } = await stream.whenFinished(encode);
  const { pathname, search } = new URL(String(result['encodedFileURL']), 'http://localhost');
  return (await waitForFirstByte(ready, pathname + search)) - start;
}

async function measureAll(ready: Ready): Promise<boolean> {
  const read = sealImage(ready.slave, protocolId, imageBytes);
  const modified = makeModified();
  const codec = measureCodec(ready, read, modified);
  const stream = await openStream(ready);
  const times: number[] = [];
  for (let round = 0; round < rounds + warmUps; round += 1)
    times.push(await measureEncode(ready, stream, read, modified));
  stream.close();
  const measured = times.slice(warmUps);
  const around = median(measured) - codec;
  console.log(
    `2 MiB: click on Encode to the first byte of the download ${median(measured).toFixed(1)} ms ` +
      `(p90 ${percentile(measured, 0.9).toFixed(1)}), codec ${codec.toFixed(1)} ms, ` +
      `around it ${around.toFixed(1)} ms of ${allowed} allowed`,
  );
  return around <= allowed;
}

const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir);
else process.exit((await withProduct(import.meta.filename, measureAll)) ? 0 : 1);
