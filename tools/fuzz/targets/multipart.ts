/**
 * Uploads: the parser of multipart forms reads a body that arrives in pieces of any size, breaks off, or is not a form.
 *
 *     0  1  content type    1  1  options    2  1  size of the pieces    3  …  body
 */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { encodingApiCallsOf } from '@recodery/contract/encoding-api/routes';
import { Refusal } from '@recodery/contract/refusal';
import { makeFileNameSafe } from '@recodery/contract/file-names';
import { type MultipartForm, readForm } from '@recodery/server/http/requests/multipart-form';
import { readFields } from '@recodery/server/http/requests/read-input';
import { type FuzzTarget, must, textBytes } from '../target.ts';

const maxFileBytes = 600;
const maxBodyBytes = 2000;
const codes: ReadonlySet<string> = new Set([
  'FILE_MISSING',
  'FILE_TOO_LARGE',
  'UPLOAD_INTERRUPTED',
]);

const contentTypes: readonly (string | undefined)[] = [
  'multipart/form-data; boundary=B',
  'multipart/form-data; boundary="B B"',
  'multipart/form-data;charset=utf-8; boundary=B; x=y',
  'multipart/form-data; boundary=',
  'multipart/mixed; boundary=B',
  'application/json',
  undefined,
];

/** The bits of the second byte. */
const options = { breaksOff: 1, isLengthDeclared: 2 } as const;

type Outcome = MultipartForm<string> | string;

/** Reads the body; the outcome is a form or the code of the refusal. */
async function read(
  contentType: string | undefined,
  pieces: readonly Uint8Array[],
  option: number,
): Promise<Outcome> {
  const raw = new IncomingMessage(new Socket());
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (contentType !== undefined) raw.headers['content-type'] = contentType;
  if ((option & options.isLengthDeclared) !== 0) raw.headers['content-length'] = String(length);
  const open = new Set<object>();
  const reading = readForm<string>(raw, {
    isFileField: (name) => name === 'readFile',
    maxFileBytes,
    maxBodyBytes,
    pace: { bytes: 0, ms: 60_000 },
    store: async (stream) => {
      open.add(stream);
      const parts: Uint8Array[] = [];
      try {
        for await (const part of stream) parts.push(part);
      } finally {
        open.delete(stream);
      }
      const bytes = Buffer.concat(parts);
      must(bytes.length <= maxFileBytes, 'a file is stored that is larger than allowed');
      return bytes.toString('hex');
    },
  });
  // Like a socket: the pieces arrive one after the other, in separate turns of the event loop.
  const sending = (async () => {
    for (const piece of pieces) {
      await new Promise(setImmediate);
      if (raw.destroyed) return;
      raw.push(piece);
    }
    await new Promise(setImmediate);
    if ((option & options.breaksOff) !== 0) raw.destroy();
    else {
      raw.complete = true;
      raw.push(null);
    }
  })();
  const outcome = await reading.catch((error: unknown): string => {
    if (!(error instanceof Refusal)) throw error;
    must(codes.has(error.code), `refused with ${error.code}`);
    return error.code;
  });
  must(open.size === 0, 'storing has not ended');
  await sending;
  raw.destroy();
  return outcome;
}

/** How the portal handles a form. */
function use(form: MultipartForm<string>): void {
  if (form.file !== null) {
    const name = makeFileNameSafe(form.file.name);
    must(name !== '' && !/[\\/\p{Cc}]/u.test(name), 'the name of the file is not safe');
    must(makeFileNameSafe(name) === name, 'a safe name is not safe');
  }
  try {
    readFields(encodingApiCallsOf('kess3').decode, form.fields);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    must(error.code === 'BAD_REQUEST', `the fields are refused with ${error.code}`);
  }
}

function cut(body: Uint8Array, size: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += size) pieces.push(body.subarray(at, at + size));
  return pieces;
}

async function run(input: Uint8Array): Promise<void> {
  const [type = 0, option = 0, size = 0] = input;
  const body = input.subarray(3);
  const contentType = contentTypes[type % contentTypes.length];
  const outcome = await read(contentType, [body], option);
  if (typeof outcome !== 'string') use(outcome);
  const breaksOff = (option & options.breaksOff) !== 0;
  const hasEnd = /--B(?: B)?--/.test(Buffer.from(body).toString('latin1'));
  must(hasEnd || typeof outcome === 'string', 'a form is read that has no end');
  if (body.length > 400 * (1 + size)) return;
  const inPieces = await read(contentType, cut(body, 1 + size), option);
  // Over the limit, it depends on the pieces which limit is met first.
  const isAmbiguous = body.length > maxFileBytes || (breaksOff && typeof inPieces === 'string');
  must(isAmbiguous || isDeepStrictEqual(inPieces, outcome), 'in pieces, the form is another one');
}

function part(head: string, content: string, boundary = 'B'): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
}

const file = 'name="readFile"; filename="a.bin"';
const bodies: readonly (readonly [type: number, body: string])[] = [
  [0, `${part(file, 'bytes')}${part('name="userInfo"', 'anna')}--B--\r\n`],
  [0, `${part('name="a"', '1')}${part('name="a"', '2')}--B--\r\n`],
  [0, `${part('name="readFile"; filename=""', '')}--B--`],
  [0, `${part("name=readFile; filename*=utf-8''%e2%82%ac%20r.bin", 'x')}--B--\r\n`],
  [0, `${part('name="readFile"; filename="..\\\\..\\\\con.txt"', '\r\n--')}--B--\r\n`],
  [1, `${part(file, 'bytes', 'B B')}--B B--\r\n`],
  [0, `${part(`${file}\r\nContent-Type: application/octet-stream`, 'x'.repeat(700))}--B--\r\n`],
  [0, `${part(`${file}\r\nContent-Transfer-Encoding: base64`, 'AAAA')}--B--\r\n`],
  [0, part(file, 'bytes')],
  [6, ''],
];

/** See the file's first comment. */
export const target: FuzzTarget = {
  longest: 2500,
  seeds: () =>
    bodies.flatMap(([type, body], index) => [
      Buffer.concat([Uint8Array.of(type, 0, 6), Buffer.from(body)]),
      Buffer.concat([Uint8Array.of(type, 1 + (index % 2), 200), Buffer.from(body)]),
    ]),
  dictionary: textBytes([
    '--B\r\n',
    '--B--\r\n',
    '\r\n\r\n',
    '\r\n',
    'Content-Disposition: form-data; name="',
    'Content-Type: text/plain; charset=utf-16le',
    'filename="',
    "filename*=utf-8''%ff",
    'name="readFile"',
    'name="__proto__"',
    '\0',
    '%',
    '"',
    '\\',
    ';',
  ]),
  run,
};
