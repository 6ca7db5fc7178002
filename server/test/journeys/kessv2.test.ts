/** The KESSv2 journey from sealed read to what the slave takes, over HTTP, with real engines, database and storage. */
import { randomBytes } from 'node:crypto';
import { verifyChecksums } from '@recodery/codec/checksum';
import { acceptEncoded, type Slave, sealRead } from '@recodery/codec/device';
import { generateImage, tuneImage } from '@recodery/codec/images';
import { findComponent, findProtocol } from '@recodery/codec/protocols';
import { decodeResult, type DecodeResult } from '@recodery/contract/kessv2';
import { type Operation, operation as operationSchema } from '@recodery/contract/operations';
import { encodeResult, type EncodeResult, type UploadedFile } from '@recodery/contract/recoding';
import { contentSha256Header } from '@recodery/contract/slots';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let portal: RunningPortal;
let anna: Client;
let slave: Slave;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
  slave = await portal.getSlave('kessv2', 'KV2-000007');
});
afterAll(() => portal.stop());

function protocolOf(id: number) {
  const protocol = findProtocol(id);
  if (protocol === null) throw new Error(`there is no protocol ${id}`);
  return protocol;
}

function seal(protocolId: number, image: Uint8Array): Uint8Array {
  return sealRead({
    ...slave,
    protocolId,
    mode: 'obd',
    components: [{ name: 'obd', bytes: image }],
    information: { vin: 'ZAR93900001234567', hardware: 'HW-1' },
    identificationOnly: false,
    utility: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
}

async function upload(bytes: Uint8Array, name = 'read.tfc'): Promise<Operation> {
  const path = '/api/kessv2/upload-read-file';
  const answer = await anna.upload('POST', path, { field: 'readFile', bytes, name });
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return operationSchema.parse(answer.json);
}

async function decode(bytes: Uint8Array, name?: string): Promise<DecodeResult> {
  const ended = await anna.follow(await upload(bytes, name));
  expect(ended.error).toBeNull();
  return decodeResult.parse(ended.result);
}

async function uploadModified(slotGUID: string, bytes: Uint8Array): Promise<UploadedFile> {
  const path = `/api/kessv2/upload-modified-file/${slotGUID}`;
  const answer = await anna.upload('PUT', path, { field: 'modifiedFile', bytes });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as UploadedFile;
}

async function encode(path: string, body: unknown): Promise<EncodeResult> {
  const answer = await anna.post(path, body);
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  const ended = await anna.follow(answer.json as Operation);
  expect(ended.error).toBeNull();
  return encodeResult.parse(ended.result);
}

/** What the slave writes to the ECU. */
async function accept(result: EncodeResult): Promise<Uint8Array> {
  const file = await anna.get(result.encodedFileURL);
  expect(file.headers.get(contentSha256Header)).toBe(result.sha256);
  const { components } = acceptEncoded({ ...slave, file: file.bytes });
  const [image, ...others] = components;
  if (image === undefined || others.length > 0) throw new Error('not one image');
  return image.bytes;
}

describe('open firmware (9000)', () => {
  test('comes back from the slave exactly as it was modified', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 1, 256 * 1024);
    const decoded = await decode(seal(9000, image), 'Giulia 2.2.tfc');
    expect(decoded).toMatchObject({
      readFileName: 'Giulia 2.2.tfc',
      decodedFileSize: image.length,
      isOriginalFileNeeded: false,
      isChecksumCorrectionNeeded: false,
      isCVNCorrectionPossible: false,
      checksumRules: 0,
      warnings: [],
    });
    expect(decoded.decodedFileName).toBe(`${decoded.name}.bin`);
    expect(decoded.name).toMatch(/^KESSv2_KV2-000007_REF-OPEN_\d{8}-\d{6}$/);
    expect(decoded.information).toMatchObject({ protocolID: '9000', vin: 'ZAR93900001234567' });
    const plain = await anna.get(decoded.decodedFileURL ?? '');
    expect(Buffer.compare(plain.bytes, image)).toBe(0);

    const modified = tuneImage(protocolOf(9000), 'obd', image, 2);
    const { fileGUID, changes } = await uploadModified(decoded.kessv2SlotGUID, modified);
    expect(changes).toMatchObject({ size: image.length });
    expect(changes?.bytes).toBeGreaterThan(0);
    expect(changes?.spans.length).toBeGreaterThan(0);
    const encoded = await encode('/api/kessv2/encode-file', {
      kessv2FileSlotGUID: decoded.kessv2SlotGUID,
      modifiedFileGUID: fileGUID,
      originalFileGUID: '00000000-0000-0000-0000-000000000000',
      willCorrectCVN: false,
      contextData: null,
    });
    expect(encoded.name).toMatch(/^KESSv2_KV2-000007_REF-OPEN_\d{8}-\d{6}\.moc$/);
    expect(Buffer.compare(await accept(encoded), modified)).toBe(0);
  });

  test('is encoded again as it was read, to restore the ECU', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 3, 64 * 1024);
    const { kessv2SlotGUID: kessv2FileSlotGUID } = await decode(seal(9000, image));
    const encoded = await encode('/api/kessv2/reencode-decoded-file', { kessv2FileSlotGUID });
    expect(Buffer.compare(await accept(encoded), image)).toBe(0);
  });
});

describe('an ECU with checksums (1001)', () => {
  test('comes back as it was modified, apart from checksums that are right now', async () => {
    const protocol = protocolOf(1001);
    const spec = findComponent(protocol, 'obd');
    const scheme = spec?.checksums;
    if (scheme === undefined) throw new Error('1001 has no checksums');
    const image = generateImage(protocol, 'obd', 5);
    const decoded = await decode(seal(1001, image));
    expect(decoded.checksumRules).toBe(scheme.rules.length);
    const modified = tuneImage(protocol, 'obd', image, 6);
    expect(verifyChecksums(scheme, modified).some(({ state }) => state === 'mismatch')).toBe(true);
    const { fileGUID } = await uploadModified(decoded.kessv2SlotGUID, modified);
    const written = await accept(
      await encode('/api/kessv2/encode-file', {
        kessv2FileSlotGUID: decoded.kessv2SlotGUID,
        modifiedFileGUID: fileGUID,
      }),
    );
    expect(verifyChecksums(scheme, written).every(({ state }) => state === 'ok')).toBe(true);
    const differing = written.filter((byte, at) => byte !== modified[at]).length;
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThanOrEqual(scheme.rules.length * 8);
  });

  test('is written by no other slave, and not when one bit has flipped', async () => {
    const image = generateImage(protocolOf(1001), 'obd', 7);
    const { kessv2SlotGUID: kessv2FileSlotGUID } = await decode(seal(1001, image));
    const encoded = await encode('/api/kessv2/reencode-decoded-file', { kessv2FileSlotGUID });
    const { bytes } = await anna.get(encoded.encodedFileURL);
    const other = await portal.getSlave('kessv2', 'KV2-003003');
    expect(() => acceptEncoded({ ...other, file: bytes })).toThrow('WRONG_MASTER_CODE');
    const flipped = bytes.slice();
    flipped[bytes.length - 100] = (flipped[bytes.length - 100] ?? 0) ^ 1;
    expect(() => acceptEncoded({ ...slave, file: flipped })).toThrow('FILE_CORRUPTED');
  });
});
