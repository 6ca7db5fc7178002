/** Requests as existing clients send them: field names in any case, odd bodies, odd file names, unknown types. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateImage } from '@recodery/codec/sample-images/images';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { protocolOf, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { askAs } from './ask-as.ts';
import { addProgram, type Program, type ProgramOperation } from './program.ts';

const image = new Uint8Array(1024).map((_, at) => at);
const decodePath = '/api/kessv2/decode-read-file/C-1';
const ownHost = 'api.example.org';

let portal: RunningPortal;
let program: Program;
beforeAll(async () => {
  portal = await startTestPortal({
    RECODERY_ENCODING_API_HOSTS: `other.example.org:81, ${ownHost}`,
  });
  program = await addProgram(portal);
});
afterAll(() => portal.stop());

async function sealRead(bytes: Uint8Array = image): Promise<Uint8Array> {
  return sealImage(await portal.getSlave('kessv2', 'KV2-000007'), 9000, bytes);
}

async function decode(): Promise<ProgramOperation> {
  const done = await program.succeed(await program.decode(decodePath, await sealRead()));
  await program.post(`/api/kessv2/file-slots/${done.slotGUID}/reopen`);
  return done;
}

/** A form as raw bytes, with a file part whose header line is given. */
function rawForm(disposition: string, bytes: Uint8Array, more = ''): RequestInit {
  const boundary = 'a-line-between-parts';
  const head = `--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(`${more}${head}`),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

// promise e1.requests.names
describe('field names', () => {
  test.each(['READFILE', 'readfile', 'ReadFile'])('of a file part may be %s', async (field) => {
    const answer = await program.decode(decodePath, await sealRead(), {
      field,
      fields: { UserInfo: '{}' },
    });
    expect(answer).toMatchObject({ status: 200, json: { userInfo: '{}' } });
    await program.succeed(answer);
  });

  test('of a query and of a JSON body may be in any case', async () => {
    const answer = await program.decode(
      `${decodePath}?CallbackUrl=https%3A%2F%2F93.184.215.14%2Fh&GROUPCODE=G-10`,
      await sealRead(),
    );
    expect(answer.json).toMatchObject({ callbackURL: 'https://93.184.215.14/h' });
    const { slotGUID } = await program.succeed(answer);
    const modified = await program.keep(
      `/api/kessv2/upload-modified-file/C-1/${slotGUID}/modified`,
      image.toReversed(),
    );
    const encoded = await program.post('/api/kessv2/encode-file', {
      UserCustomerCode: 'C-1',
      KessV2FileSlotGuid: slotGUID.toUpperCase(),
      modifiedfileguid: modified,
      WILLCORRECTCVN: null,
    });
    expect(encoded.status).toBe(200);
    const byType = `/api/kessv2/file-slots/${slotGUID}/files?FILETYPE=decoded&Download=True`;
    expect((await program.get(byType)).status).toBe(200);
    await program.succeed(encoded);
  });

  test('are read as text even if the part is declared as JSON', async () => {
    const part =
      '--a-line-between-parts\r\nContent-Disposition: form-data; name="userInfo"\r\n' +
      'Content-Type: application/json\r\n\r\n{"a":1}\r\n';
    const disposition = 'Content-Disposition: form-data; name="readFile"; filename="a.tfc"';
    const form = rawForm(disposition, await sealRead(), part);
    const answer = await program.call('POST', decodePath, form);
    expect(answer).toMatchObject({ status: 200, json: { userInfo: '{"a":1}' } });
    await program.succeed(answer);
  });
});

// promise e1.requests.file-names
describe('file names', () => {
  test.each([
    ['C:\\Users\\Joe\\read 1.tfc', 'read 1.tfc'],
    ['/home/joe/../../etc/read.tfc', 'read.tfc'],
    ['a\u0001b\u0007\u202etfc.exe', 'abtfc.exe'],
    ['..', 'file'],
  ])('%j keeps its last segment, without control characters', async (name, kept) => {
    const disposition = `Content-Disposition: form-data; name="readFile"; filename="${name}"`;
    const answer = await program.call('POST', decodePath, rawForm(disposition, await sealRead()));
    expect(answer.status).toBe(200);
    const { slotGUID } = await program.succeed(answer);
    await program.post(`/api/kessv2/file-slots/${slotGUID}/close`);
    const { read_file_name } = await portal.platform.db
      .selectFrom('slot')
      .where('guid', '=', slotGUID)
      .select('read_file_name')
      .executeTakeFirstOrThrow();
    expect(read_file_name).toBe(kept);
  });
});

describe('bodies', () => {
  const types = [{ 'content-type': 'application/json' }, {}] as const;
  test.each([
    ['[]', 400, 'BAD_REQUEST'],
    ['', 400, 'BAD_REQUEST'],
    ['{', 400, 'BAD_REQUEST'],
    ['null', 400, 'BAD_REQUEST'],
    ['{"kessv2FileSlotGUID": "x"}', 400, 'BAD_REQUEST'],
    ['{"kessv2FileSlotGUID": "01900000-0000-7000-8000-00000000dead"}', 404, 'NOT_FOUND'],
    [`{"__proto__": {}, "kessv2FileSlotGUID": "x"}`, 400, 'BAD_REQUEST'],
  ])('%j of an encode has its defined response', async (body, status, code) => {
    const headers = types[0];
    const answer = await program.call('POST', '/api/kessv2/encode-file', { headers, body });
    expect([answer.status, answer.type, answer.text]).toEqual([
      status,
      'text/plain; charset=utf-8',
      code,
    ]);
  });

  test.each(types)('of a read file that is not a form (%j) is refused', async (headers) => {
    const answer = await program.call('POST', decodePath, { headers, body: '[]' });
    expect([answer.status, answer.text]).toEqual([400, 'FILE_MISSING']);
  });

  // promise e1.requests.errors
  test('are refused as one word even to a caller who accepts a problem document', async () => {
    const headers = { accept: 'application/problem+json' };
    for (const path of ['/api/async-operations/x', '/api/nothing', '/', '']) {
      const answer = await program.call('GET', path, { headers });
      expect([path, answer.status, answer.type, answer.text]).toEqual([
        path,
        404,
        'text/plain; charset=utf-8',
        'NOT_FOUND',
      ]);
    }
  });
});

describe('types of files', () => {
  // promise e1.files.types
  test('that are unknown are refused, and known ones without a file are not found', async () => {
    const { slotGUID: slot } = await decode();
    const files = `/api/kessv2/file-slots/${slot}/files/`;
    const upload = (type: string) =>
      program.send('PUT', `/api/kessv2/upload-modified-file/C-1/${slot}/${type}`, {
        field: 'file',
        bytes: image.toReversed(),
      });
    for (const [answer, status, code] of [
      [await program.get(`${files}?fileType=OBDDecoded&download=true`), 400, 'BAD_REQUEST'],
      [await program.get(`${files}?fileType=__proto__`), 400, 'BAD_REQUEST'],
      [await program.get(files), 400, 'BAD_REQUEST'],
      [await program.get(`${files}?fileType=Encoded&download=true`), 404, 'NOT_FOUND'],
      [await upload('OBDModified'), 400, 'BAD_REQUEST'],
      [await upload('constructor'), 400, 'BAD_REQUEST'],
    ] as const) {
      expect([answer.status, answer.text, answer.json]).toEqual([status, code, null]);
    }
    expect((await upload('MODIFIED')).json).toEqual({ guid: expect.any(String) });
  });

  test('of another mode are not found', async () => {
    const slave = await portal.getSlave('kess3', 'KS3-000042');
    const read = sealImage(slave, 9000, image);
    const path = '/api/kess3/decode-read-file/C-1';
    const { slotGUID: slot } = await program.succeed(await program.decode(path, read));
    const upload = await program.send(
      'PUT',
      `/api/kess3/upload-modified-file/C-1/${slot}/BootBenchModifiedFlash`,
      { field: 'file', bytes: image },
    );
    expect([upload.status, upload.text]).toEqual([404, 'NOT_FOUND']);
    await program.succeed(
      await program.post('/api/kess3/encode-obd-file', { kess3FileSlotGUID: slot }),
    );
    const get = (type: string) =>
      program.get(`/api/kess3/file-slots/${slot}/files/?fileType=${type}&download=true`);
    expect((await get('OBDEncoded')).status).toBe(200);
    expect((await get('BootBenchEncoded')).status).toBe(404);
    // another family's path does not find the slot
    const elsewhere = await program.get(`/api/ktag/file-slots/${slot}/files/?fileType=Encoded`);
    expect(elsewhere.status).toBe(404);
  });

  test('a file that does not fit is refused with its error name and without a GUID', async () => {
    const { slotGUID: slot } = await decode();
    const answer = await program.send(
      'PUT',
      `/api/kessv2/upload-modified-file/C-1/${slot}/Modified`,
      { field: 'file', bytes: new Uint8Array(5) },
    );
    expect(answer).toMatchObject({ status: 400, type: 'text/plain; charset=utf-8', json: null });
    expect(answer.text).toMatch(/^[A-Z_]+$/);
  });
});

// promise e1.files.json
describe('the bytes of a file', () => {
  test.each([1024, 1025, 1026, 3 * 2 ** 20 + 1])('are whole with a size of %i', async (size) => {
    const bytes = generateImage(protocolOf(9000), 'obd', 5, size);
    const done = await program.succeed(await program.decode(decodePath, await sealRead(bytes)));
    const address = done.result['decodedFileURL'] ?? '';
    const { status, headers, text } = await program.get(address);
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(text.length));
    expect(headers.get('x-content-sha256')).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(Buffer.compare((await program.download(address)).bytes, bytes)).toBe(0);
    const head = await program.call('HEAD', address);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(text.length)]);
    await program.post(`/api/kessv2/file-slots/${done.slotGUID}/close`);
  });
});

describe('a dedicated host', () => {
  const ask = (host: string, path: string, headers = {}) => askAs(program, host, { path, headers });

  // promise e2.base.hosts
  test.each([ownHost, `${ownHost}:8080`, ownHost.toUpperCase(), 'other.example.org:81'])(
    '(%s) serves the Encoding API at its root, and nothing else',
    async (host) => {
      const { status, text } = await ask(host, '/api/kessv2/file-slots');
      expect([status, Array.isArray(JSON.parse(text))]).toEqual([200, true]);
      for (const path of [
        '/',
        '/login',
        '/api/operations',
        '/api/service-status',
        '/api/docs',
        '/idp/.well-known/openid-configuration',
        '/encoding-api',
        '/encoding-api?x=1',
        '/encoding-api/api/operations',
        '/encoding-api/encoding-api/api/kessv2/file-slots',
        '/encoding-apis/api/kessv2/file-slots',
        '/../api/kessv2/file-slots',
      ]) {
        expect([path, await ask(host, path)]).toEqual([
          path,
          { status: 404, type: 'text/plain; charset=utf-8', text: 'NOT_FOUND' },
        ]);
      }
    },
  );

  // promise e2.base.hosts
  test.each(['', '/encoding-api'])('is the base of results with the prefix %j', async (prefix) => {
    const { guid } = await decode();
    const { text } = await ask(ownHost, `${prefix}/api/async-operations/${guid}`);
    const { result } = JSON.parse(text) as ProgramOperation;
    const address = new URL(result['decodedFileURL'] ?? '');
    expect(address.href).toMatch(`http://${ownHost}${prefix}/api/kessv2/file-slots/`);
    const { text: file } = await ask(ownHost, address.pathname);
    expect(JSON.parse(file)).toHaveProperty('data');
  });

  // promise e2.base.known
  test.each([
    ['evil.test', {}],
    ['evil.test:81', { 'x-forwarded-host': ownHost }],
    ['evil.test', { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }],
  ])('that is not listed (%s, %j) is not repeated in results', async (host, headers) => {
    const { guid } = await decode();
    const { text } = await ask(host, `/encoding-api/api/async-operations/${guid}`, headers);
    const { result } = JSON.parse(text) as ProgramOperation;
    expect(result['decodedFileURL']).toMatch(
      `${portal.platform.config.publicUrl}/encoding-api/api/kessv2/file-slots/`,
    );
  });

  test('matches whole names only', async () => {
    for (const host of ['example.org', `x.${ownHost}`, `${ownHost}.x`, 'other.example.org']) {
      const { status } = await ask(host, '/api/kessv2/file-slots');
      expect([host, status]).toEqual([host, 404]);
    }
  });

  test('refuses a target that is not a path', async () => {
    const { status, text } = await ask(ownHost, `http://${ownHost}/api/kessv2/file-slots`);
    expect([status, text]).toEqual([400, 'BAD_REQUEST']);
  });
});

test('a slash before the query is ignored', async () => {
  expect((await program.get('/api/kess3/file-slots/?ownerCustomerCode=none')).json).toEqual([]);
});
