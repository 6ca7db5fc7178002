/**
 * A vendor's responses: read as JSON, and read by the client over a real connection, where status, headers and framing
 * are the vendor's, too.
 *
 *     0  1  what is asked for    1  1  options    2  …  JSON; or the raw HTTP response
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createEncodingApiClient } from '@recodery/server/encoding-api-client/client';
import { RequestRefused, ServiceUnavailable } from '@recodery/server/encoding-api-client/errors';
import {
  createFileAnswerReader,
  type FileAnswer,
} from '@recodery/server/encoding-api-client/file-answer';
import {
  joinWords,
  memberOf,
  parseJson,
  readBodyWords,
} from '@recodery/server/encoding-api-client/error-words';
import {
  readDecodeResult,
  readEncodeResult,
  readFileAnswer,
  readOperation,
  readSlots,
  readUploaded,
} from '@recodery/server/encoding-api-client/records';
import { asEngineError } from '@recodery/server/engine/patience';
import { families } from '@recodery/contract/families/registry';
import { type FuzzTarget, must, textBytes } from '../target.ts';

const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const secretKey = 'a-secret-of-this-connection';
const isGuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The bits of the second byte. */
const options = { isHttp: 1, isTokenRequest: 2, isSlotKnown: 4, endsSlowly: 8 } as const;

const groupOf = (kind: number): number => Math.floor(kind / 8) % 5;
/** The group of files, whose bytes are read while they arrive. */
const files = 3;
const mostBytes = 3000;

/** Reads a file in pieces of some bytes; null: it is refused. */
function readPieces(bytes: Uint8Array, size: number): FileAnswer | null {
  const reader = createFileAnswerReader(mostBytes);
  for (let at = 0; at < bytes.length; at += size)
    if (reader.push(bytes.subarray(at, at + size)) !== null) return null;
  return reader.end();
}

/** Reads a file, and checks that its pieces make no difference, and that JSON.parse finds the same bytes. */
function readFile(bytes: Uint8Array, size: number | null): void {
  const whole = readPieces(bytes, Math.max(1, bytes.length));
  const inPieces = readPieces(bytes, 1 + ((bytes[0] ?? 0) % 7));
  must(whole?.rest === inPieces?.rest, 'another rest in pieces');
  must(whole?.data?.toString('hex') === inPieces?.data?.toString('hex'), 'other bytes in pieces');
  if (whole === null) return;
  const json = parseJson(whole.rest);
  if (json === undefined) return;
  const file = readFileAnswer(json, whole.data, { size, sha256: null });
  const text = new TextDecoder().decode(bytes);
  // a name can be written with escapes, which only JSON.parse reads
  if (text.includes('\\')) return;
  const data = Buffer.from(String(memberOf(parseJson(text), 'data')), 'base64');
  must(file.bytes.equals(data) && data.length > 0, 'other bytes than those of JSON.parse');
}

/** Reads a response in each way that the engine does, and checks the result. */
function readAs(kind: number, json: unknown, slotGuid: string | null): void {
  const family = families[kind % families.length] ?? 'kess3';
  switch (groupOf(kind)) {
    case 0: {
      const { result } = readOperation(json, { guid: null, slotGuid });
      const decoded = readDecodeResult(family, result, slotGuid);
      for (const { url, size } of decoded.images)
        must(typeof url === 'string' && (size === null || typeof size === 'number'), 'a bad image');
      const slot = decoded.slotGuid;
      must(slot === null || isGuid.test(slot), 'a slot that is no GUID');
      return;
    }
    case 1: {
      const read = readOperation(json, { guid, slotGuid });
      if (read.status === 'succeeded') readEncodeResult(family, read.result, slotGuid);
      must(isGuid.test(read.guid), 'an operation that is no GUID');
      must(read.pollMs === null || read.pollMs > 0, 'a pause that is none');
      return;
    }
    case 2:
      for (const slot of readSlots(json)) must(isGuid.test(slot.guid), 'a slot that is no GUID');
      return;
    default:
      must(isGuid.test(readUploaded(json)), 'a file that is no GUID');
  }
}

/** Hides the secrets of the connection, as the engine does in every error that it passes on. */
const { hideSecrets } = createEncodingApiClient(
  { url: 'http://127.0.0.1:9', clientGuid: guid, secretKey },
  { waitMs: 1, stop: AbortSignal.abort() },
);

/** Whether an error is one that the engine expects; its message must then be suitable for display and for the log. */
function check(error: unknown): void {
  if (!(error instanceof RequestRefused) && !(error instanceof ServiceUnavailable)) throw error;
  const { message } = error;
  must(message !== '' && message.length < 500 && message.isWellFormed(), 'a bad message');
  must(!/[\p{Cc}\p{Bidi_Control}]/u.test(message), 'a message with invisible characters');
  const shown = asEngineError(error, hideSecrets);
  must(shown instanceof Error && !shown.message.includes(secretKey), 'a message with the secret');
  // a job logs it as it is
  if (error instanceof ServiceUnavailable)
    must(!message.includes(secretKey), 'a log line with the secret');
  if (error instanceof ServiceUnavailable)
    must(error.retryAfterMs === null || error.retryAfterMs >= 0, 'a pause that is none');
}

/** A service that always responds with these bytes; the first request is the token request. */
const service: {
  server: Server | null;
  answers: Uint8Array[];
  readonly sockets: Set<Socket>;
} = { server: null, answers: [], sockets: new Set() };

async function open(): Promise<void> {
  const server = createServer((socket) => {
    service.sockets.add(socket);
    socket.on('close', () => service.sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(service.answers.shift() ?? new Uint8Array()));
  });
  service.server = server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function close(): Promise<void> {
  for (const socket of service.sockets) socket.destroy();
  service.server?.close();
  await Promise.resolve();
}

const token = Buffer.from(
  'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"accessToken":"a-token-of-this-connection"}',
);

async function call(kind: number, response: Uint8Array, option: number): Promise<unknown> {
  const address = service.server?.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client = createEncodingApiClient(
    { url: `http://127.0.0.1:${port}/path`, clientGuid: guid, secretKey },
    { waitMs: 30_000, stop: new AbortController().signal },
  );
  const isFirst = (option & options.isTokenRequest) !== 0;
  service.answers = isFirst ? [response, response] : [token, response, token, response];
  const request = { verb: 'GET', path: '/api/kess3/file-slots', longestAnswer: 4096 } as const;
  const { signal } = new AbortController();
  return groupOf(kind) === files
    ? client.download({ path: request.path, size: null, mostBytes }, signal)
    : client.call(request, signal);
}

async function run(input: Uint8Array): Promise<void> {
  const [kind = 0, option = 0] = input;
  const bytes = input.subarray(2);
  const slotGuid = (option & options.isSlotKnown) === 0 ? null : guid;
  try {
    if ((option & options.isHttp) !== 0) {
      const json = await call(kind, bytes, option);
      if (groupOf(kind) !== files) readAs(kind, json, slotGuid);
      return;
    }
    const text = new TextDecoder().decode(bytes);
    const words = joinWords(readBodyWords(text));
    must(words.length <= 400 && !/[\p{Cc}\p{Bidi_Control}]/u.test(words), 'words of no line');
    if (groupOf(kind) === files) readFile(bytes, slotGuid === null ? null : 3);
    else readAs(kind, parseJson(text), slotGuid);
  } catch (error) {
    check(error);
  }
}

const fileUrl = `https://vendor.test/api/kess3/file-slots/${guid}/files/${guid}`;
const record = (result: unknown): unknown => ({
  ...{ guid, slotGUID: guid, isCompleted: true, isSuccessful: true, result },
  recommendedPollingInterval: 2,
});
const components = [
  { type: 'Flash', decodedFileURL: fileUrl, size: 40 },
  { type: 'Micro', decodedFileURL: `${fileUrl}2`, size: 30 },
];
const answers: readonly (readonly [kind: number, json: unknown])[] = [
  [
    0,
    record({ name: 'read', decodedFileURL: fileUrl, decodedFileSize: 5, kessv2FileSlotGUID: guid }),
  ],
  [1, record({ components, ktagFileSlotGUID: guid })],
  [2, record({ kess3Mode: 'OBD', obdDecodedFileURL: fileUrl, isCVNCorrectionPossible: true })],
  [2, record({ kess3Mode: 'BootBench', bootBenchComponents: components })],
  [8, record({ encodedFileURL: fileUrl, kessv2FileGUID: guid, size: 9 })],
  [8, { guid, hasFailed: true, error: { name: 'X', detail: 'y' } }],
  [16, [{ guid, isClosed: false }, { guid: 1 }, null]],
  [24, { name: 'a', data: 'AAAA' }],
  [24, { more: { data: 'AA' }, Data: 'AAAAAA==', name: 'a "b' }],
  [32, { guid }],
  [32, { error: { errorName: 'FILE_REFUSED', message: 'no' } }],
];

function httpOf(status: string, headers: readonly string[], body: string): string {
  return [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n');
}

const responses = [
  httpOf('200 OK', ['content-length: 2'], '[]'),
  httpOf('200 OK', ['transfer-encoding: chunked'], '2\r\n[]\r\n0\r\n\r\n'),
  httpOf('200 OK', [], JSON.stringify({ accessToken: 'token' })),
  httpOf('401 Unauthorized', ['content-length: 0'], ''),
  httpOf('403 Forbidden', [], `{"error":"IP_NOT_ALLOWED","detail":"${secretKey}"}`),
  httpOf('429 Too Many Requests', ['retry-after: 5'], ''),
  httpOf('503 Unavailable', ['retry-after: Wed, 21 Oct 2015 07:28:00 GMT'], '<title>Down</title>'),
  httpOf('302 Found', ['location: http://127.0.0.1/'], ''),
  httpOf('200 OK', ['content-encoding: gzip'], '\u001f\u008b'),
  httpOf('200 OK', ['content-length: 99999'], '{}'),
  'HTTP/1.1 100 Continue\r\n\r\n',
];

/** See the file's first comment. */
export const target: FuzzTarget = {
  longest: 6000,
  open,
  close,
  seeds: () => [
    ...answers.flatMap(([kind, json]) =>
      [0, options.isSlotKnown].map((option) =>
        Buffer.concat([Uint8Array.of(kind, option), Buffer.from(JSON.stringify(json))]),
      ),
    ),
    ...responses.flatMap((text) =>
      [options.isHttp, options.isHttp | options.isTokenRequest].map((option) =>
        Buffer.concat([Uint8Array.of(16, option), Buffer.from(text, 'latin1')]),
      ),
    ),
  ],
  dictionary: textBytes([
    ...[
      '"guid":',
      '"slotGUID":',
      '"isCompleted":true',
      '"hasFailed":true',
      '"error":',
      '"result":',
    ],
    ...[
      '"data":',
      '"accessToken":',
      '"kess3Mode":"obd"',
      '"components":[',
      '"bootBenchComponents":[',
    ],
    ...[
      '"decodedFileURL":',
      '"obdDecodedFileURL":',
      '"encodedFileURL":',
      '"size":',
      '"type":"Flash"',
    ],
    ...[
      `"${guid}"`,
      'null',
      'true',
      '1e999',
      '-1',
      '""',
      '{}',
      '[]',
      '"__proto__":',
      '\\ud800',
      '\\u202e',
    ],
    ...[
      '\r\n',
      '\r\n\r\n',
      'content-encoding: br\r\n',
      'content-length: 5\r\n',
      'retry-after: -5\r\n',
    ],
    ...[
      'retry-after: 99999999999999999999\r\n',
      'HTTP/1.1 400 X',
      'HTTP/1.1 500 X',
      'HTTP/1.1 204 X',
    ],
    ...[secretKey, '<title>', 'transfer-encoding: chunked\r\n'],
  ]),
  run,
};
