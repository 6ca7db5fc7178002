/** The steps of a KESSv2 workflow as a page takes them, each checked for what the page relies on. */
import { randomBytes } from 'node:crypto';
import {
  acceptEncoded,
  sealRead,
  type ReadToSeal,
  type Slave,
} from '@recodery/codec/simulator/slave';
import type { Protocol } from '@recodery/codec/protocols/shape';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { decodeResult, type DecodeResult } from '@recodery/contract/families/kessv2';
import {
  type Operation,
  operation as operationSchema,
} from '@recodery/contract/features/operations';
import { encodeResult, type EncodeResult } from '@recodery/contract/results';
import { type UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { contentSha256Header } from '@recodery/contract/features/slots';
import { expect } from 'vitest';
import type { Answer, Client } from '../../fixtures/client.ts';

export function protocolOf(id: number): Protocol {
  const protocol = findProtocol(id);
  if (protocol === null) throw new Error(`there is no protocol ${id}`);
  return protocol;
}

/** A read file with one image, as the slave seals it. */
export function sealImage(
  slave: Slave,
  protocolId: number,
  image: Uint8Array,
  otherwise: Partial<ReadToSeal> = {},
): Uint8Array {
  return sealRead({
    ...slave,
    protocolId,
    mode: 'obd',
    components: [{ name: 'obd', bytes: image }],
    information: { vin: 'ZAR93900001234567', hardware: 'HW-1' },
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
    ...otherwise,
  });
}

/** The record in a response that started an operation. */
export function started(answer: Answer): Operation {
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return operationSchema.parse(answer.json);
}

export function uploadRead(client: Client, bytes: Uint8Array, name = 'read.tfc'): Promise<Answer> {
  const path = '/api/kessv2/upload-read-file';
  return client.upload('POST', path, { field: 'readFile', bytes, name });
}

/** Uploads a read and waits until it is decoded. */
export async function decode(
  client: Client,
  bytes: Uint8Array,
  name?: string,
): Promise<DecodeResult> {
  const ended = await client.follow(started(await uploadRead(client, bytes, name)));
  expect(ended.error).toBeNull();
  return decodeResult.parse(ended.result);
}

export function uploadImage(
  client: Client,
  role: 'modified' | 'original',
  slotGuid: string,
  bytes: Uint8Array,
): Promise<Answer> {
  const path = `/api/kessv2/upload-${role}-file/${slotGuid}`;
  return client.upload('PUT', path, { field: `${role}File`, bytes });
}

/** Uploads an image that is accepted. */
export async function keepImage(...args: Parameters<typeof uploadImage>): Promise<UploadedFile> {
  const answer = await uploadImage(...args);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as UploadedFile;
}

/** Starts an encode and waits until it has succeeded. */
export async function encode(
  client: Client,
  body: Readonly<Record<string, unknown>>,
  call: 'encode-file' | 'reencode-decoded-file' = 'encode-file',
): Promise<EncodeResult> {
  const ended = await client.follow(started(await client.post(`/api/kessv2/${call}`, body)));
  expect(ended.error).toBeNull();
  return encodeResult.parse(ended.result);
}

/** What the slave writes to the ECU from an encoded file. */
export async function accept(
  client: Client,
  slave: Slave,
  result: EncodeResult,
): Promise<Uint8Array> {
  const file = await client.get(result.encodedFileURL);
  expect(file.headers.get(contentSha256Header)).toBe(result.sha256);
  const { components } = acceptEncoded({ ...slave, file: file.bytes });
  const [image, ...others] = components;
  if (image === undefined || others.length > 0) throw new Error('not one image');
  return image.bytes;
}
