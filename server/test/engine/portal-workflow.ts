/** A workflow on a portal's own API, the same for every family: decode, upload, encode, and what the slave then writes. */
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import type { ComponentName } from '@recodery/contract/families/family';
import type { Operation } from '@recodery/contract/features/operations';
import { expect } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { readPaths } from '../fixtures/demo-devices.ts';
import {
  encodeCallOf,
  type FamilyMode,
  type FamilyResult,
  findDecoded,
  imageCallOf,
  type ImagePart,
} from '../fixtures/family-calls.ts';
import type { Images } from '../journeys/families/component-workflow.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { keep } from './encoding-api/vendor-workflow.ts';

/** The caller, and the query that chooses the master. */
export interface Side {
  readonly client: Client;
  readonly query: string;
}

/** A read that a portal has decoded. */
export interface PortalRead {
  readonly slotGuid: string;
  readonly result: FamilyResult;
  readonly images: Images;
}

/** What an encode uses. */
export interface EncodeChanges {
  readonly modified: Images;
  readonly original?: Uint8Array;
  readonly willCorrectCVN?: boolean;
}

/** Uploads a read. */
export async function startDecode(
  { client, query }: Side,
  { family }: FamilyMode,
  bytes: Uint8Array,
): Promise<Operation> {
  const read = { field: 'readFile', bytes, name: 'read.tfc' };
  return started(await client.upload('POST', readPaths[family] + query, read));
}

/** The decoded images of a decode that has succeeded. */
export async function readDecoded(
  { client }: Side,
  kind: FamilyMode,
  { error, result, slotGUID }: Operation,
): Promise<PortalRead> {
  expect(error).toBeNull();
  const found = result as FamilyResult;
  const images = new Map<ComponentName, Uint8Array>();
  for (const [component, url] of findDecoded(kind, found)) {
    const { status, bytes } = await client.get(url);
    expect(status).toBe(200);
    images.set(component, bytes);
  }
  return { slotGuid: slotGUID ?? '', result: found, images };
}

/** Decodes a read. */
export async function decodeOn(
  side: Side,
  kind: FamilyMode,
  bytes: Uint8Array,
): Promise<PortalRead> {
  const operation = await startDecode(side, kind, bytes);
  return readDecoded(side, kind, await side.client.follow(operation));
}

/** Uploads the changes and starts to encode. */
export async function startPortalEncode(
  { client }: Side,
  kind: FamilyMode,
  slot: string,
  { modified, original, willCorrectCVN }: EncodeChanges,
): Promise<Operation> {
  const uploads = new Map<ImagePart, string>();
  const images: [ImagePart, Uint8Array][] = [...modified];
  if (original !== undefined) images.push(['original', original]);
  for (const [part, bytes] of images) {
    const { path, field } = imageCallOf(kind, slot, part);
    uploads.set(part, await keep(client, path, field, bytes));
  }
  const { path, body } = encodeCallOf(kind, slot, uploads);
  const switches = willCorrectCVN === undefined ? {} : { willCorrectCVN };
  return started(await client.post(path, { ...body, ...switches }));
}

/** What the slave writes from the file of an encode that has succeeded. */
export async function readWritten(
  { client }: Side,
  slave: Slave,
  { error, result }: Operation,
): Promise<Images> {
  expect(error).toBeNull();
  const { encodedFileURL } = result as { encodedFileURL: string };
  const { components } = acceptEncoded({
    ...slave,
    file: (await client.get(encodedFileURL)).bytes,
  });
  return new Map(components.map(({ name, bytes }) => [name, bytes]));
}

/** Encodes; what the slave then writes. */
export async function encodeOn(
  side: Side,
  slave: Slave,
  {
    kind,
    slot,
    changes,
  }: { readonly kind: FamilyMode; readonly slot: string; readonly changes: EncodeChanges },
): Promise<Images> {
  const operation = await startPortalEncode(side, kind, slot, changes);
  return readWritten(side, slave, await side.client.follow(operation));
}
