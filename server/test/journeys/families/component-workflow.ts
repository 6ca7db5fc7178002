/** The steps of a workflow with components, K-TAG's or KESS3's: what the slave reads, the calls, what it writes. */
import { randomBytes } from 'node:crypto';
import {
  acceptEncoded,
  type DeviceComponent,
  type ReadToSeal,
  type Slave,
  sealRead,
} from '@recodery/codec/simulator/slave';
import { generateImage } from '@recodery/codec/sample-images/images';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import { encodeResult, type EncodeResult } from '@recodery/contract/results';
import { type UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { contentSha256Header } from '@recodery/contract/features/slots';
import { expect } from 'vitest';
import type { Answer, Client } from '../../fixtures/client.ts';
import { protocolOf, started } from './kessv2-workflow.ts';

/** Images by component. */
export type Images = ReadonlyMap<ComponentName, Uint8Array>;

/** Images of a protocol; a size if the protocol allows more than one. */
export function imagesOf(
  protocolId: number,
  seed: number,
  sizes: Partial<Record<ComponentName, number | undefined>>,
): Images {
  const names = Object.keys(sizes) as ComponentName[];
  const protocol = protocolOf(protocolId);
  return new Map(names.map((name) => [name, generateImage(protocol, name, seed, sizes[name])]));
}

/** The file in which the slave seals these images. */
export function seal(
  slave: Slave,
  { protocolId, mode, images }: { protocolId: number; mode: Mode; images: Images },
  otherwise: Partial<ReadToSeal> = {},
): Uint8Array {
  return sealRead({
    ...slave,
    protocolId,
    mode,
    components: [...images].map(([name, bytes]) => ({ name, bytes })),
    information: { vin: 'ZAR93900001234567', hardware: 'HW-1', software: 'SW-1' },
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
    ...otherwise,
  });
}

/** Uploads a read with its call. */
export function uploadTo(
  client: Client,
  path: string,
  bytes: Uint8Array,
  name = 'read.tfc',
): Promise<Answer> {
  return client.upload('POST', path, { field: 'readFile', bytes, name });
}

/** The result of a started operation that succeeds. */
export async function resultOf(client: Client, answer: Answer): Promise<unknown> {
  const ended = await client.follow(started(answer));
  expect(ended.error).toBeNull();
  return ended.result;
}

/** The error of a started operation that fails. */
export async function errorOf(client: Client, answer: Answer) {
  const ended = await client.follow(started(answer));
  expect(ended.hasFailed).toBe(true);
  return ended.error;
}

/** Uploads an image that is accepted. */
export async function keep(client: Client, path: string, bytes: Uint8Array): Promise<UploadedFile> {
  const answer = await client.upload('PUT', path, { field: 'file', bytes });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as UploadedFile;
}

/** Uploads an image that is refused; returns status and code. */
export async function refuse(
  client: Client,
  path: string,
  bytes: Uint8Array,
): Promise<readonly [number, string]> {
  const answer = await client.upload('PUT', path, { field: 'file', bytes });
  return [answer.status, answer.text];
}

/** Starts an encode with its call and waits until it has succeeded. */
export async function encodeBy(
  client: Client,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<EncodeResult> {
  return encodeResult.parse(await resultOf(client, await client.post(path, body)));
}

/** The images that the slave writes to the ECU from an encoded file, and nothing else. */
export async function written(
  client: Client,
  slave: Slave,
  { encodedFileURL, sha256 }: EncodeResult,
): Promise<Images> {
  const file = await client.get(encodedFileURL);
  expect(file.headers.get(contentSha256Header)).toBe(sha256);
  const { components } = acceptEncoded({ ...slave, file: file.bytes });
  return new Map(components.map(({ name, bytes }: DeviceComponent) => [name, bytes]));
}

/** The file at an address: complete, downloaded without a session by its ticket alone. */
export async function fetchByTicket(client: Client, url: string): Promise<Uint8Array> {
  const answer = await fetch(new URL(url, client.url));
  expect(answer.status).toBe(200);
  return answer.bytes();
}

/** Compares quickly, and names the component that differs. */
export function expectImages(actual: Images, expected: Images): void {
  expect([...actual.keys()]).toEqual([...expected.keys()]);
  const differing = [...expected].filter(
    ([name, bytes]) => Buffer.compare(bytes, actual.get(name) ?? new Uint8Array()) !== 0,
  );
  expect(differing.map(([name]) => name)).toEqual([]);
}
