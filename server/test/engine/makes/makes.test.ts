/** Each make, from the upload of a read to the encoded file, against a double of its service that also misbehaves. */
import { randomBytes } from 'node:crypto';
import { definitionOf } from '@recodery/contract/families/registry';
import { fileNameLength } from '@recodery/contract/file-names';
import { recognizeArchive } from '@recodery/contract/recognize';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type FakeService,
  noData,
  startFakeService,
  wrongHash,
} from '../../fixtures/makes/fake-service.ts';
import type { Mischief } from '../../../src/demo/doubles/double-service.ts';
import { addMake, saveService } from '../../fixtures/makes/make-portal.ts';
import { allMakes, makes } from '../../../src/demo/doubles/makes.ts';
import { startTestPortal, testPace } from '../../fixtures/running-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import { keep } from '../encoding-api/vendor-workflow.ts';
import { stepsOf } from './make-steps.ts';

/** Milliseconds. */
const poll = { least: 10, usual: 20, most: 50 };
/** Nine minutes of short pauses. */
const times = { patience: 60_000, pauses: { first: 5, longest: 10 }, answer: 60_000, poll };

/** Of an image: almost as large as a file can be here. */
const largest = (process.env['RECODERY_LONG_TESTS'] === 'on' ? 17 : 4) * 1024 * 1024 - 4096;

const settings = { RECODERY_MAX_FILE_MIB: String(Math.ceil(largest / 2 ** 20)) };
const portal = await startTestPortal(settings, true, { ...testPace, times });
const anna = await portal.signIn('anna@demo.test');
afterAll(() => portal.stop());

const release = { tags: 'release' };

describe.each(allMakes)('$family:', (make) => {
  // Requests and responses of all makes are those of two modules: JSON with a hash, and a form with the serial number. One
  // make of each tries in each run what they share, and the other what is its own.
  const ofKind = make === makes.autotuner || make === makes.flex ? {} : release;
  // what all makes share
  const ofAll = make === makes.autotuner ? {} : release;
  const { family } = make;
  const { encodedFileExtension: extension, sealing } = definitionOf(family);
  const hoursValid = sealing?.hoursValid ?? null;
  const isArchive = recognizeArchive(make.seal('Golf', Buffer.alloc(1))) !== null;
  const { decodeEnd, decode, uploadPath, startEncode, encode } = stepsOf(make);
  let service: FakeService;

  beforeAll(async () => {
    service = await startFakeService(make);
    await addMake(portal.platform, service);
  });
  beforeEach(() => {
    service.behave();
    service.onRequest = null;
    service.requests.length = 0;
    service.sealed.length = 0;
  });
  afterAll(() => service.stop());

  /** Decodes a read, changes it and encodes it; whether both arrive byte for byte. */
  async function runWorkflow(): Promise<boolean> {
    const image = randomBytes(4096);
    const { slotGUID, decodedFileURL } = await decode(anna, make.seal('Golf', image));
    const isDecoded = image.equals((await anna.get(decodedFileURL)).bytes);
    const modified = Buffer.from(image).fill(7, 0, 16);
    const { opened } = await encode(anna, slotGUID, modified);
    return isDecoded && opened?.slave === 'Golf' && modified.equals(opened.image);
  }

  const decodeErrorOf = async (how: Mischief) => {
    service.misbehave(how, 1000);
    const { error } = await decodeEnd(anna, make.seal('Golf', randomBytes(64)));
    service.behave();
    return error;
  };

  /** Its other names and hashes do not apply to a service that needs the serial number, or states no hash. */
  const isNamed = !make.listsSlaves;
  const other = wrongHash(make);
  const slave = isNamed ? 'Golf 7 of Jürgen' : 'Golf';
  const serial = (make.serialOf ?? ((name: string) => name))(slave);

  describe('its service', () => {
    // promise e3.makes.workflow
    test('decodes, and encodes for the slave that wrote the read', async () => {
      const image = randomBytes(4096);
      const decoded = await decode(anna, make.seal(slave, image), `golf of ${family}`);
      const { slotGUID, decodedFileURL: url } = decoded;
      expect(decoded).toMatchObject({
        name: `golf of ${family}`,
        readFileName: `golf of ${family}${extension}`,
        components: [{ type: 'image', decodedFileName: `golf of ${family}.bin`, size: 4096 }],
        information: { slave: serial, customerCode: 'CC-1001', groupCode: 'G-B' },
      });
      expect(image.equals((await anna.get(url)).bytes)).toBe(true);
      const modified = Buffer.from(image).fill(1, 0, 9);
      const { result, opened } = await encode(anna, slotGUID, modified);
      expect(result).toMatchObject({
        name: expect.stringMatching(new RegExp(`\\${extension}$`)),
        sealedOn: expect.stringMatching(/^20\d\d-/),
        expiresOn: hoursValid === null ? null : expect.any(String),
        receiptCode: expect.any(String),
      });
      const { sealedOn, expiresOn } = result;
      if (hoursValid !== null)
        expect(Date.parse(expiresOn ?? '') - Date.parse(sealedOn)).toBe(hoursValid * 3_600_000);
      expect(opened).toEqual({ slave, image: modified });
      expect(service.requests).toEqual(['decode', 'encode']);
    });

    test(
      'dates the sealing of a file no later than the service could have done it',
      ofAll,
      async () => {
        const { slotGUID } = await decode(anna, make.seal('Golf', randomBytes(64)));
        let requestedOn = 0;
        service.onRequest = () => {
          requestedOn = Date.now();
        };
        const { result } = await encode(anna, slotGUID, null);
        expect(Date.parse(result.sealedOn)).toBeLessThanOrEqual(requestedOn);
      },
    );

    test.each(['Golf 7 -backup ', 'Öltäßer ñ 日本', 'a'.repeat(200)])(
      'takes a read file with the name %j',
      ofAll,
      async (name) => {
        const image = randomBytes(64);
        const path = `/api/${family}/upload-read-file`;
        const bytes = make.seal('Golf', image);
        const file = { field: 'readFile', bytes, name: `${name}${extension}` };
        const { error, result } = await anna.follow(started(await anna.upload('POST', path, file)));
        expect(error).toBeNull();
        const { slotGUID, readFileName } = result as unknown as Record<string, string>;
        const stem = name.slice(0, fileNameLength - extension.length);
        expect(readFileName).toBe(`${stem}${extension}`);
        expect((await encode(anna, slotGUID ?? '', null)).opened).toEqual({ slave: 'Golf', image });
      },
    );

    test('encodes the image as it was read if no file is named', ofKind, async () => {
      const image = randomBytes(64);
      const { slotGUID } = await decode(anna, make.seal('Golf', image));
      expect((await encode(anna, slotGUID, null)).opened).toEqual({ slave: 'Golf', image });
    });

    // the others return a number that identifies the slave
    test.runIf(isNamed).each([' A b  c "\\/<b> Öltäßer 日本 . ', `${'ñ'.repeat(199)}!`])(
      'returns the slave %j to the service unchanged',
      make === makes.bflash ? {} : release,
      async (name) => {
        const { slotGUID } = await decode(anna, make.seal(name, randomBytes(64)));
        await encode(anna, slotGUID, null);
        expect(service.sealed.map((one) => one.slave)).toEqual([name]);
      },
    );

    test('takes an image as large as a file can be', ofKind, async () => {
      const image = randomBytes(largest);
      const { slotGUID, decodedFileURL } = await decode(anna, make.seal('Golf', image));
      expect(image.equals((await anna.get(decodedFileURL)).bytes)).toBe(true);
      const { opened } = await encode(anna, slotGUID, null);
      expect(opened && image.equals(opened.image)).toBe(true);
    });

    test('prepares a restore kit when it is requested', ofKind, async () => {
      const image = randomBytes(64);
      const { slotGUID } = await decode(anna, make.seal('Golf', image));
      expect(service.sealed).toEqual([]);
      const kit = async () => (await anna.get(`/api/jobs/${slotGUID}`)).json as Restorable;
      interface Restorable {
        readonly restoreKit: { readonly state: string };
      }
      expect((await anna.post(`/api/jobs/${slotGUID}/restore-kit`)).status).toBe(200);
      await expect.poll(async () => (await kit()).restoreKit.state).toBe('ready');
      expect(service.sealed).toEqual([{ slave: 'Golf', image }]);
    });

    // promise e3.makes.archives
    test('is never given a modified file that is an archive, empty, sealed or of another size', async () => {
      const image = randomBytes(4096);
      const read = make.seal('Golf', image);
      const { slotGUID } = await decode(anna, read);
      const refusals = [];
      const zip = Buffer.from(image);
      zip.set([0x50, 0x4b, 3, 4]);
      for (const bytes of [zip, Buffer.alloc(0), image.subarray(1), read]) {
        const answer = await anna.upload('PUT', uploadPath(slotGUID), { field: 'file', bytes });
        refusals.push([answer.status, answer.text.slice(0, 60)]);
      }
      expect(refusals).toEqual([
        [400, 'FILE_IS_ZIP_ARCHIVE'],
        [400, 'FILE_LOAD_ERROR'],
        [400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'],
        [400, isArchive ? 'FILE_IS_ZIP_ARCHIVE' : 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'],
      ]);
      expect(service.sealed).toEqual([]);
    });

    test('has a pre-flight that reports what was not checked', ofKind, async () => {
      const image = randomBytes(4096);
      const { slotGUID } = await decode(anna, make.seal('Golf', image));
      const modified = Buffer.from(image).fill(3, 100, 110);
      await keep(anna, uploadPath(slotGUID), 'file', modified);
      const { status, json } = await anna.get(`/api/${family}/slots/${slotGUID}/preflight`);
      const { checks } = json as { checks: { id: string; status: string; part: string | null }[] };
      expect(status).toBe(200);
      const statusOf = Object.fromEntries(checks.map((check) => [check.id, check.status]));
      expect(statusOf).toMatchObject({
        files: 'green',
        size: 'green',
        'much-changed': 'green',
        checksums: 'unchecked',
        identification: 'unchecked',
      });
    });
  });

  const once: readonly Mischief[] = [
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 503 },
    {
      status: 500,
      body: '<html><title>Oops</title></html>',
      headers: { 'content-type': 'text/html' },
    },
    { status: 200, body: '<html>Welcome</html>' },
    { status: 200, body: '{"data":' },
    { status: 200, body: '{"data":17,"hash":"x","name":"y"}' },
    ...(other === null
      ? []
      : [other, { changed: (answer: object) => ({ ...answer, hash: undefined }) }]),
  ];

  describe('a service that responds once with', () => {
    test.each(once.map((how) => [JSON.stringify(how), how] as const))(
      '%s to each request is asked again',
      ofAll,
      async (_, how) => {
        service.misbehave(how);
        service.onRequest = () => {
          if (service.requests.length === 3) service.misbehave(how);
        };
        expect(await runWorkflow()).toBe(true);
        expect(service.requests).toEqual(['decode', 'decode', 'encode', 'encode']);
      },
    );

    test('503 for as long as nine of ten minutes is asked again', ofAll, async () => {
      // the pauses of the product: 1, 2, 4, 8 seconds, then 15
      service.misbehave({ status: 503 }, 40);
      expect(await runWorkflow()).toBe(true);
    });
  });

  describe('a service that refuses', () => {
    const refused = (words: string) => ({
      errorName: 'ENGINE_REFUSED',
      detail: expect.stringContaining(words),
    });
    test.each<[string, Mischief, string]>([
      [
        'the token',
        { status: 401, body: '{"message":"Unauthenticated."}' },
        'refuses the credentials: HTTP 401: Unauthenticated.',
      ],
      ['with no data', noData(make), 'the service returned an empty file'],
    ])('%s is asked once, and its words are shown', async (_, how, words) => {
      expect(await decodeErrorOf(how)).toMatchObject(refused(words));
      expect(service.requests).toEqual(['decode']);
    });
    const others: [string, Mischief, string][] = [
      [
        'the token with a page for signing in',
        { status: 302, headers: { location: '/login' } },
        'refuses the credentials: HTTP 302',
      ],
      [
        'the size',
        { status: 413, body: '<html><title>Too Large</title></html>' },
        'HTTP 413: Too Large',
      ],
      [
        'the file',
        { status: 422, body: '{"message":"The file is not a slave file."}' },
        'HTTP 422: The file is not a slave file.',
      ],
    ];
    test.each(others)('%s is asked once, and its words are shown', ofAll, async (_, how, words) => {
      expect(await decodeErrorOf(how)).toMatchObject(refused(words));
      expect(service.requests).toEqual(['decode']);
    });

    // promise e3.makes.identifiers
    describe.each(make.identifiers)('to report %s', (name) => {
      const ways: [string, unknown][] = [
        ['by null', null],
        ['by leaving it out', undefined],
        ['by an empty text', ''],
      ];
      // one check for all of them
      const tried = name === make.identifiers[0] ? ways : ways.slice(0, 1);
      test.each(tried)('%s is asked once, and the error says what to do', async (_, value) => {
        const error = await decodeErrorOf({ changed: (answer) => ({ ...answer, [name]: value }) });
        expect(error).toMatchObject({
          errorName: 'ENGINE_REFUSED',
          detail: `the service did not report the ${name} of this read, which an encode needs: read the control unit again, or ask the maker for support`,
        });
        expect(service.requests).toEqual(['decode']);
      });
    });

    test.runIf(other !== null)(
      'to report an identifier together with data of another hash is asked again',
      ofKind,
      async () => {
        const [name = ''] = make.identifiers;
        const changed = (answer: object) => ({ ...answer, [name]: null, hash: 'other' });
        service.misbehave({ changed });
        expect(await runWorkflow()).toBe(true);
        expect(service.requests).toEqual(['decode', 'decode', 'encode']);
      },
    );

    test('a file that is no read shows its words', async () => {
      const { error } = await decodeEnd(anna, randomBytes(200));
      expect(error).toMatchObject({
        errorName: 'ENGINE_REFUSED',
        detail: expect.stringContaining('The file is not a slave file.'),
      });
    });

    test('never gets its token into what users see', ofKind, async () => {
      const body = `{"message":"no access with ${service.credentials.secret}"}`;
      const error = await decodeErrorOf({ status: 403, body });
      expect(error?.detail).toContain('no access with ***');
    });

    test(
      'replaced credentials are used by operations that are already running',
      ofAll,
      async () => {
        const old = service.credentials;
        service.onRequest = async () => {
          if (service.requests.length > 1) return;
          service.credentials = { ...old, secret: 'the-replaced-token' };
          await saveService(portal.platform, service);
        };
        expect(await runWorkflow()).toBe(true);
        expect(service.requests).toEqual(['decode', 'decode', 'encode']);
        service.credentials = old;
        await saveService(portal.platform, service);
      },
    );

    test(
      'an encode of a read that another kind of engine opened fails with what to do',
      ofAll,
      async () => {
        const { slotGUID } = await decode(anna, make.seal('Golf', randomBytes(64)));
        const { db } = portal.platform;
        const context = { engine_context: null, remote_slot_guid: null };
        await db.updateTable('slot').set(context).where('guid', '=', slotGUID).execute();
        const { error } = await startEncode(anna, slotGUID, null);
        expect(error).toMatchObject({
          errorName: 'ENGINE_REFUSED',
          detail: 'this engine did not open the read: decode the read file again',
        });
        expect(service.sealed).toEqual([]);
      },
    );
  });
});
