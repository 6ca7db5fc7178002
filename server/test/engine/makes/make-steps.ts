/** The steps of a workflow with a file of a make: decode, upload and encode. */
import type { Operation } from '@recodery/contract/features/operations';
import { definitionOf } from '@recodery/contract/families/registry';
import { expect } from 'vitest';
import type { Make } from '../../../src/demo/doubles/make.ts';
import type { Client } from '../../fixtures/client.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import { encodeEnd, keep } from '../encoding-api/vendor-workflow.ts';

interface Decoded {
  readonly slotGUID: string;
  readonly decodedFileURL: string;
  readonly information: Readonly<Record<string, string | null>>;
}

export function stepsOf(make: Make) {
  const { family } = make;
  const { encodedFileExtension: extension } = definitionOf(family);

  async function decodeEnd(client: Client, bytes: Uint8Array, name = 'golf'): Promise<Operation> {
    const file = { field: 'readFile', bytes, name: `${name}${extension}` };
    const path = `/api/${family}/upload-read-file`;
    return client.follow(started(await client.upload('POST', path, file)));
  }

  async function decode(client: Client, bytes: Uint8Array, name?: string): Promise<Decoded> {
    const ended = await decodeEnd(client, bytes, name);
    expect(ended.error).toBeNull();
    return ended.result as unknown as Decoded;
  }

  const uploadPath = (slot: string): string => `/api/${family}/upload-modified-file/${slot}/image`;

  async function startEncode(client: Client, slotGUID: string, modified: Uint8Array | null) {
    const image = modified && (await keep(client, uploadPath(slotGUID), 'file', modified));
    const body = { slotGUID, files: image === null ? {} : { image }, contextData: 'mine' };
    return encodeEnd(client, `/api/${family}/encode-file`, body);
  }

  async function encode(client: Client, slotGUID: string, modified: Uint8Array | null) {
    const ended = await startEncode(client, slotGUID, modified);
    expect(ended.error).toBeNull();
    const result = ended.result as {
      readonly encodedFileURL: string;
      readonly sealedOn: string;
      readonly expiresOn: string | null;
    };
    return { result, opened: make.open((await client.get(result.encodedFileURL)).bytes) };
  }

  return { decodeEnd, decode, uploadPath, startEncode, encode };
}
