/** The steps of a workflow through a vendor's engine, for every family. */
import { randomBytes } from 'node:crypto';
import type { Operation } from '@recodery/contract/features/operations';
import type { ContainerFamily } from '@recodery/contract/families/registry';
import { expect } from 'vitest';
import type { Answer, Client } from '../../fixtures/client.ts';
import { byContainerFamily, readPaths as portalPaths } from '../../fixtures/demo-devices.ts';
import {
  readVendorEncoded,
  type VendorEncoded,
  writeVendorRead,
} from '../../fixtures/services/fake-vendor.ts';
import { vendorGroup } from '../../fixtures/vendor-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';

export const readPaths = byContainerFamily((family) => portalPaths[family] + vendorGroup);

/** A KESS3 OBD read with a new random image. */
export function someRead(): { readonly image: Buffer; readonly bytes: Buffer } {
  const image = randomBytes(4096);
  const bytes = writeVendorRead({ family: 'kess3', images: { OBD: image }, name: 'a tuned car' });
  return { image, bytes };
}

/** Uploads a read. */
export function upload(
  client: Client,
  family: ContainerFamily,
  bytes: Uint8Array,
  name = 'read.bin',
): Promise<Answer> {
  return client.upload('POST', readPaths[family], { field: 'readFile', bytes, name });
}

/** Uploads a read, and waits for the end of its decoding. */
export async function decodeEnd(
  client: Client,
  family: ContainerFamily,
  bytes: Uint8Array,
): Promise<Operation> {
  return client.follow(started(await upload(client, family, bytes)));
}

/** Uploads a read that is decoded successfully. */
export async function decode(
  client: Client,
  family: ContainerFamily,
  bytes: Uint8Array,
): Promise<Operation & { readonly slotGUID: string; readonly result: Record<string, unknown> }> {
  const ended = await decodeEnd(client, family, bytes);
  expect(ended.error).toBeNull();
  return ended as never;
}

/** Uploads an image, and returns its GUID. */
export async function keep(
  client: Client,
  path: string,
  field: string,
  bytes: Uint8Array,
): Promise<string> {
  const answer = await client.upload('PUT', path, { field, bytes });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.json as { fileGUID: string }).fileGUID;
}

/** Starts an encode, and waits for its end. */
export async function encodeEnd(client: Client, path: string, body: unknown): Promise<Operation> {
  return client.follow(started(await client.post(path, body)));
}

/** Starts to encode a modified OBD image of KESS3. */
export async function startVendorEncode(
  client: Client,
  slotGuid: string,
  modified: Uint8Array,
  otherwise: Readonly<Record<string, unknown>> = {},
): Promise<Operation> {
  const path = `/api/kess3/upload-modified-file/${slotGuid}/mod`;
  const answer = await client.post('/api/kess3/encode-obd-file', {
    kess3FileSlotGUID: slotGuid,
    modifiedFileGUID: await keep(client, path, 'file', modified),
    ...otherwise,
  });
  return started(answer);
}

/** Encodes a modified OBD image of KESS3, and waits for the end. */
export async function encodeObdEnd(
  ...args: Parameters<typeof startVendorEncode>
): Promise<Operation> {
  return args[0].follow(await startVendorEncode(...args));
}

/** The file that the vendor has encoded in a successful operation. */
export async function readEncoded(client: Client, ended: Operation): Promise<VendorEncoded> {
  expect(ended.error).toBeNull();
  const { encodedFileURL } = ended.result as { encodedFileURL: string };
  return readVendorEncoded((await client.get(encodedFileURL)).bytes);
}

/** The bytes of an image in an encoded file, or in the vendor's record of it. */
export function bytesOf(base64: string | undefined): Buffer {
  return Buffer.from(base64 ?? '', 'base64');
}
