/** A workflow on a portal's own API, the same for every family: decode, upload, encode, and what the slave then writes. */
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { ContainerFamily } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import { expect } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { readPaths } from '../fixtures/demo-devices.ts';
import type { Images } from '../journeys/component-workflow.ts';
import { started } from '../journeys/kessv2-workflow.ts';
import { keep } from './vendor-workflow.ts';

/** A read's family and mode. */
export interface FamilyMode {
  readonly family: ContainerFamily;
  readonly mode: Mode;
}

/** The caller, and the query that chooses the master. */
export interface Side {
  readonly client: Client;
  readonly query: string;
}

type Result = Readonly<Record<string, unknown>>;

/** A read that a portal has decoded. */
export interface PortalRead {
  readonly slotGuid: string;
  readonly result: Result;
  readonly images: Images;
}

/** What an encode uses. */
export interface EncodeChanges {
  readonly modified: Images;
  readonly original?: Uint8Array;
  readonly willCorrectCVN?: boolean;
}

const componentTypes: Readonly<Partial<Record<ComponentName, string>>> = {
  flash: 'Flash',
  micro: 'Micro',
  eeprom: 'EEPROM',
  tuningfile: 'TuningFile',
  mapfile: 'MapFile',
};

const typeOf = (component: ComponentName): string => componentTypes[component] ?? component;

/** Uploads a read. */
export async function startDecode(
  { client, query }: Side,
  { family }: FamilyMode,
  bytes: Uint8Array,
): Promise<Operation> {
  const read = { field: 'readFile', bytes, name: 'read.tfc' };
  return started(await client.upload('POST', readPaths[family] + query, read));
}

/** The decoded images and where they are, of a decode that has succeeded. */
export async function readDecoded(
  { client }: Side,
  { family, mode }: FamilyMode,
  { error, result, slotGUID }: Operation,
): Promise<PortalRead> {
  expect(error).toBeNull();
  const found = result as Result;
  const listed = found[family === 'kess3' ? 'bootBenchComponents' : 'components'];
  const urls: readonly (readonly [ComponentName, unknown])[] =
    mode === 'obd'
      ? [['obd', found[family === 'kess3' ? 'obdDecodedFileURL' : 'decodedFileURL']]]
      : (listed as { type: string; decodedFileURL: string }[]).map(({ type, decodedFileURL }) => [
          type.toLowerCase() as ComponentName,
          decodedFileURL,
        ]);
  const images = new Map<ComponentName, Uint8Array>();
  for (const [component, url] of urls) {
    if (typeof url !== 'string') continue;
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

function uploadCall({ family, mode }: FamilyMode, slot: string, component: ComponentName) {
  if (family === 'kessv2')
    return { path: `/api/kessv2/upload-modified-file/${slot}`, field: 'modifiedFile' };
  if (family === 'ktag')
    return {
      path: `/api/ktag/upload-modified-component-file/${slot}/${component}`,
      field: 'file',
    };
  const type = mode === 'obd' ? 'mod' : typeOf(component);
  return { path: `/api/kess3/upload-modified-file/${slot}/${type}`, field: 'file' };
}

function originalCall({ family }: FamilyMode, slot: string) {
  return family === 'kessv2'
    ? { path: `/api/kessv2/upload-original-file/${slot}`, field: 'originalFile' }
    : { path: `/api/kess3/upload-modified-file/${slot}/ori`, field: 'file' };
}

const noGuid = '00000000-0000-0000-0000-000000000000';

/** The call that encodes, and its body without files. */
function encodeCall({ family, mode }: FamilyMode, slot: string, isUnchanged: boolean) {
  if (family === 'kessv2') {
    const call = isUnchanged ? 'reencode-decoded-file' : 'encode-file';
    return { path: `/api/kessv2/${call}`, body: { kessv2FileSlotGUID: slot } };
  }
  if (family === 'ktag')
    return { path: '/api/ktag/encode-backup', body: { ktagFileSlotGUID: slot } };
  return mode === 'obd'
    ? {
        path: '/api/kess3/encode-obd-file',
        body: { kess3FileSlotGUID: slot, modifiedFileGUID: noGuid },
      }
    : { path: '/api/kess3/encode-boot-bench-file', body: { kess3FileSlotGUID: slot } };
}

/** Uploads the changes and starts to encode. */
export async function startPortalEncode(
  { client }: Side,
  kind: FamilyMode,
  slot: string,
  { modified, original, willCorrectCVN }: EncodeChanges,
): Promise<Operation> {
  const files: Record<string, string> = {};
  for (const [component, bytes] of modified) {
    const { path, field } = uploadCall(kind, slot, component);
    const name = kind.mode === 'obd' ? 'modified' : typeOf(component).replace(/File$/, '');
    files[`${name}FileGUID`] = await keep(client, path, field, bytes);
  }
  if (original !== undefined) {
    const { path, field } = originalCall(kind, slot);
    files['originalFileGUID'] = await keep(client, path, field, original);
  }
  const { path, body } = encodeCall(kind, slot, modified.size === 0);
  const switches = willCorrectCVN === undefined ? {} : { willCorrectCVN };
  return started(await client.post(path, { ...body, ...files, ...switches }));
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
