/** The steps of a KESS3 workflow, by the mode of the read and for both pages. */
import type { ReadToSeal, Slave } from '@recodery/codec/simulator/slave';
import { type DecodeResult, decodeResult } from '@recodery/contract/families/kess3';
import type { Mode } from '@recodery/contract/families/family';
import type { EncodeResult } from '@recodery/contract/results';
import type { Answer, Client } from '../../fixtures/client.ts';
import { encodeBy, type Images, keep, resultOf, seal, uploadTo } from './component-workflow.ts';

/** A read as the slave creates it. */
export interface Kess3Read {
  readonly protocolId: number;
  readonly mode: Mode;
  readonly images: Images;
}

/** What happens to a BootBench component: modified or removed; if omitted, it comes from the backup. */
export type Change = Uint8Array | 'removed';

const readPath = '/api/kess3/upload-read-file';

export function uploadKess3(client: Client, bytes: Uint8Array, query = ''): Promise<Answer> {
  return uploadTo(client, readPath + query, bytes);
}

/** Uploads a read and waits until it is decoded; `query` contains the flags. */
export async function decodeKess3(
  client: Client,
  slave: Slave,
  read: Kess3Read,
  { query = '', ...otherwise }: Partial<ReadToSeal> & { readonly query?: string } = {},
): Promise<DecodeResult> {
  const bytes = seal(slave, read, otherwise);
  return decodeResult.parse(await resultOf(client, await uploadKess3(client, bytes, query)));
}

export function uploadPath(slot: string, component: string): string {
  return `/api/kess3/upload-modified-file/${slot}/${component}`;
}

/** Encodes a read of one image, with the fields of `otherwise` next to the files. */
export async function encodeObd(
  client: Client,
  slot: string,
  files: { readonly modified?: Uint8Array; readonly original?: Uint8Array },
  otherwise: Readonly<Record<string, unknown>> = {},
): Promise<EncodeResult> {
  const guidOf = async (component: string, bytes: Uint8Array | undefined) =>
    bytes === undefined ? null : (await keep(client, uploadPath(slot, component), bytes)).fileGUID;
  return encodeBy(client, '/api/kess3/encode-obd-file', {
    kess3FileSlotGUID: slot,
    modifiedFileGUID:
      (await guidOf('mod', files.modified)) ?? '00000000-0000-0000-0000-000000000000',
    originalFileGUID: await guidOf('ori', files.original),
    ...otherwise,
  });
}

/** The body of an encode of components; modified ones are uploaded first. */
export async function benchBody(
  client: Client,
  slot: string,
  changes: Partial<Record<'Flash' | 'Micro' | 'EEPROM' | 'MapFile', Change>>,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = { kess3FileSlotGUID: slot };
  for (const [component, change] of Object.entries(changes)) {
    if (change === 'removed') body[`Remove${component}`] = true;
    else {
      const kept = await keep(client, uploadPath(slot, component), change);
      // FlashFileGUID, but MapFileGUID
      body[`${component.replace(/File$/, '')}FileGUID`] = kept.fileGUID;
    }
  }
  return body;
}

/** Encodes a read of components. */
export async function encodeBench(
  client: Client,
  slot: string,
  changes: Parameters<typeof benchBody>[2] = {},
  otherwise: Readonly<Record<string, unknown>> = {},
): Promise<EncodeResult> {
  const body = { ...(await benchBody(client, slot, changes)), ...otherwise };
  return encodeBy(client, '/api/kess3/encode-boot-bench-file', body);
}
