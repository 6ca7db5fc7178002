/** Decoded images as Intel HEX and S-record: who gets them, of what, and the way back through an upload. */
import { hash } from 'node:crypto';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { job } from '@recodery/contract/features/jobs/jobs';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { contentSha256Header, imageTextFormats } from '@recodery/contract/features/slots';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { imagesOf, resultOf, seal, uploadTo } from '../../journeys/families/component-workflow.ts';
import {
  decode,
  keepImage,
  protocolOf,
  sealImage,
} from '../../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const image = generateImage(protocolOf(1001), 'obd', 1);
const fileSizes = { flash: 0x8000, eeprom: 0x800 };

/** A decoded KESSv2 read: its slot, and the path of its image. */
async function decodeObd() {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const read = sealImage(slave, 1001, image);
  const { kessv2SlotGUID: slot, decodedFileURL } = await decode(anna, read, 'van.tfc');
  const { pathname, search } = new URL(decodedFileURL ?? '', portal.url);
  return { slot, pathname, search };
}

// promise 5.text-downloads.back
test.each(imageTextFormats)(
  'converts an image that was downloaded as %s back without loss when it is uploaded',
  async (format) => {
    const { slot, pathname } = await decodeObd();
    const text = await anna.get(`${pathname}?format=${format}&base=0x80000000`);
    expect(text.status).toBe(200);
    const path = `/api/kessv2/upload-modified-file/${slot}`;
    const upload = { field: 'modifiedFile', bytes: text.bytes, name: 'van.hex' };
    const headers = { accept: 'application/problem+json' };
    const refused = await anna.upload('PUT', path, { ...upload, headers });
    expect(refused.status).toBe(400);
    const found = diagnosis.parse((JSON.parse(refused.text) as { diagnosis: unknown }).diagnosis);
    const sha256 = hash('sha256', image);
    expect(found).toMatchObject({ kind: format, repair: { sha256, isLossless: true } });
    const used = await anna.post(`/api/kessv2/slots/${slot}/repairs/${found.repair?.guid}`);
    expect((used.json as UploadedFile).changes?.bytes).toBe(0);
  },
);

// promise 5.text-downloads.names
test('sends the text under the name of the image, also to the bearer of a ticket, without a hash of other bytes', async () => {
  const { pathname, search } = await decodeObd();
  for (const [format, extension, start] of [
    ['intel-hex', 'hex', ':020000048000'],
    ['s-record', 'srec', 'S0'],
  ] as const) {
    const address = `${pathname}${search}&format=${format}&base=80000000`;
    const answer = await fetch(new URL(address, portal.url));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="?KESSv2_KV2-000007_1001_[-0-9]+\\.${extension}"?$`),
    );
    expect(answer.headers.get(contentSha256Header)).toBeNull();
    expect((await answer.text()).startsWith(start)).toBe(true);
    const head = await fetch(new URL(address, portal.url), { method: 'HEAD' });
    expect(head.status).toBe(200);
  }
});

// promise 5.text-downloads.families
test('writes each component of the other families', async () => {
  const images = imagesOf(9000, 1, fileSizes);
  const ktagSlave = await portal.getSlave('ktag', 'KTG-000007');
  const kess3Slave = await portal.getSlave('kess3', 'KS3-000042');
  const read = { protocolId: 9000, mode: 'bootbench', images } as const;
  for (const [path, bytes] of [
    ['/api/ktag/upload-read-backup', seal(ktagSlave, read)],
    ['/api/kess3/upload-read-file', seal(kess3Slave, read)],
  ] as const) {
    const answer = await uploadTo(anna, path, bytes);
    const result = JSON.stringify(await resultOf(anna, answer));
    const slot = /SlotGUID":"([^"]+)"/.exec(result)?.[1];
    const { files } = job.parse((await anna.get(`/api/jobs/${slot}`)).json);
    const decoded = files.filter(({ role }) => role === 'decoded');
    expect(decoded).toHaveLength(2);
    for (const { fileGUID, size } of decoded) {
      const text = await anna.get(`/api/files/${fileGUID}?format=intel-hex`);
      const digits = [...text.text.matchAll(/^:20.{4}00(.{64})/gm)].map(([, data]) => data);
      const sha256 = files.find((file) => file.fileGUID === fileGUID)?.sha256;
      expect(hash('sha256', Buffer.from(digits.join(''), 'hex'))).toBe(sha256);
      expect(digits).toHaveLength(size / 32);
    }
  }
});

// promise 5.text-downloads.refusals
test('refuses an address outside of 4 GiB, an unknown format, other files, and users of other organizations', async () => {
  const { slot, pathname } = await decodeObd();
  const ask = async (query: string, client = anna) => {
    const { status, text } = await client.get(`${pathname}?${query}`);
    return [status, text.slice(0, 13)];
  };
  expect(await ask('format=intel-hex&base=fff80000')).toMatchObject([200, ':02000004FFF8']);
  for (const query of [
    'format=intel-hex&base=fff80001',
    'format=s-record&base=100000000',
    'format=s-record&base=-1',
    'format=s-record&base=',
    'format=ti-txt',
  ]) {
    expect((await ask(query))[0], query).toBe(400);
  }
  const tuned = tuneImage(protocolOf(1001), 'obd', image, 2);
  const { fileGUID } = await keepImage(anna, 'modified', slot, tuned);
  const { status, text } = await anna.get(`/api/files/${fileGUID}?format=s-record`);
  expect([status, text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
  const other = await portal.signIn('luca@demo.test');
  expect((await ask('format=intel-hex', other))[0]).toBe(404);
});
