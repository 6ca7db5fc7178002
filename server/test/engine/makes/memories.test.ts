/** Makes whose service returns an image of each memory, and needs to know the slave, against their doubles. */
import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { Operation } from '@recodery/contract/features/operations';
import { definitionOf } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import type { Client } from '../../fixtures/client.ts';
import { type FakeService, noData, startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { masterSerial } from '../../../src/demo/doubles/make.ts';
import { allMakes, makes } from '../../../src/demo/doubles/makes.ts';
import { type ArchiveEntry, zipOf } from '../../../src/demo/doubles/zip-of.ts';
import { readZip } from '../../fixtures/read-zip.ts';
import { type RunningPortal, startTestPortal, testPace } from '../../fixtures/running-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import { encodeEnd, keep } from '../encoding-api/vendor-workflow.ts';

interface Decoded {
  readonly slotGUID: string;
  readonly decodedFileURL: string;
  readonly components: readonly { readonly type: string; readonly decodedFileURL: string }[];
  readonly information: Readonly<Record<string, string | null>>;
}

const makesOfMemories = allMakes.filter(
  ({ family }) => definitionOf(family).modes.bootbench !== undefined,
);

describe.each(makesOfMemories)('$family:', (make) => {
  const { family } = make;
  // what the module of these makes does with each response
  const ofAll = make === makes.flex ? {} : { tags: 'release' };
  let service: FakeService;
  let portal: RunningPortal;
  let anna: Client;

  beforeAll(async () => {
    service = await startFakeService(make);
    const times = { ...testPace.times, patience: 1500, answer: 1500 };
    portal = await startTestPortal({ RECODERY_MAX_FILE_MIB: '1' }, true, { ...testPace, times });
    await addMake(portal.platform, service);
    anna = await portal.signIn('anna@demo.test');
  });
  beforeEach(() => {
    service.behave();
    service.requests.length = 0;
    service.sealed.length = 0;
  });
  afterAll(async () => {
    await portal.stop();
    await service.stop();
  });

  const upload = (bytes: Uint8Array, query = '') =>
    anna.upload('POST', `/api/${family}/upload-read-file${query}`, {
      field: 'readFile',
      bytes,
      name: 'golf',
    });

  /** The slaves that a refused upload asks for; null: it was refused for another reason, or not at all. */
  async function askedFor(bytes: Uint8Array, query = ''): Promise<readonly string[] | null> {
    const body = new FormData();
    body.append('readFile', new Blob([new Uint8Array(bytes)]), 'golf');
    const headers = { accept: 'application/problem+json' };
    const path = `/api/${family}/upload-read-file${query}`;
    const { status, text } = await anna.call('POST', path, { headers, body });
    const { errorCode, details } = JSON.parse(text) as {
      readonly errorCode?: string;
      readonly details?: { readonly slaves: readonly string[] };
    };
    return status === 400 && errorCode === 'SLAVE_NEEDED' ? (details?.slaves ?? null) : null;
  }

  const decodeEnd = async (bytes: Uint8Array, query = ''): Promise<Operation> =>
    anna.follow(started(await upload(bytes, query)));

  async function decode(entries: readonly ArchiveEntry[]): Promise<Decoded> {
    const ended = await decodeEnd(make.seal('Golf', zipOf(entries)));
    expect(ended.error).toBeNull();
    return ended.result as unknown as Decoded;
  }

  async function encode(slotGUID: string, images: Readonly<Record<string, Uint8Array>>) {
    const files: Record<string, string> = {};
    for (const [type, bytes] of Object.entries(images)) {
      const path = `/api/${family}/upload-modified-file/${slotGUID}/${type}`;
      files[type] = await keep(anna, path, 'file', bytes);
    }
    const ended = await encodeEnd(anna, `/api/${family}/encode-file`, { slotGUID, files });
    expect(ended.error).toBeNull();
    const { encodedFileURL, name } = ended.result as unknown as Record<string, string>;
    return { name, bytes: (await anna.get(String(encodedFileURL))).bytes };
  }

  const entry = (name: string, size = 512): ArchiveEntry => ({ name, content: randomBytes(size) });

  // promise e3.makes.memories
  test('each memory of a read is a component, and the modified ones are sealed with their types', async () => {
    const memories = [
      entry('int_flash.bin', 4096),
      entry('dump/EXT_EEPROM.bin'),
      entry('Can Module'),
    ];
    const { slotGUID, components } = await decode(memories);
    expect(components.map(({ type }) => type)).toEqual(['int_flash', 'ext_eeprom', 'memory1']);
    const images = await Promise.all(
      components.map(async ({ decodedFileURL }) => (await anna.get(decodedFileURL)).bytes),
    );
    expect(images.map((image, at) => memories[at]?.content.equals(image))).toEqual([
      true,
      true,
      true,
    ]);

    const modified = Buffer.from(memories[1]?.content ?? []).fill(7, 0, 9);
    const one = await encode(slotGUID, { ext_eeprom: modified });
    expect(one.name?.endsWith(definitionOf(family).encodedFileExtension)).toBe(true);
    expect(make.open(one.bytes)).toEqual({ slave: 'Golf', image: modified });
    expect(service.sealed).toEqual([{ slave: 'Golf', image: modified }]);

    const further = Buffer.from(memories[2]?.content ?? []).fill(7, 0, 9);
    const both = await encode(slotGUID, { ext_eeprom: modified, memory1: further });
    expect(both.name).toMatch(/\.zip$/);
    const { encodedFileExtension: extension } = definitionOf(family);
    const files = [...readZip(both.bytes)].map(([name, bytes]) => [name, make.open(bytes)?.image]);
    expect(Object.fromEntries(files)).toEqual({
      [`ext_eeprom${extension}`]: modified,
      [`memory1${extension}`]: further,
    });
  });

  test('all memories are encoded unchanged if none is named', async () => {
    const memories = [entry('int_flash.bin'), entry('ext_flash.bin')];
    const { slotGUID } = await decode(memories);
    const { bytes } = await encode(slotGUID, {});
    expect([...readZip(bytes).values()].map((file) => make.open(file)?.image)).toEqual(
      memories.map(({ content }) => content),
    );
  });

  // promise e3.makes.archive-bounds
  test.each<[string, readonly ArchiveEntry[], string]>([
    [
      'more than sixteen files',
      Array.from({ length: 17 }, (_, at) => entry(`m${at}`)),
      'an archive of more than 16 files',
    ],
    [
      'too many memories of unknown names',
      Array.from({ length: 5 }, (_, at) => entry(`m${at}`)),
      'too many memories of unknown names: m4',
    ],
    [
      'a bomb',
      [{ name: 'int_flash', content: Buffer.alloc(8 * 1024 * 1024), isDeflated: true }],
      'the images in the archive are too large',
    ],
    ['an empty file', [entry('int_flash'), entry('ext_flash', 0)], 'an empty file in its archive'],
    ['no file', [], 'the service returned no image'],
  ])('an archive with %s is refused at once', ofAll, async (_, entries, words) => {
    const { error } = await decodeEnd(make.seal('Golf', zipOf(entries)));
    expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED' });
    expect(error?.detail).toContain(words);
    expect(service.requests).toEqual(['decode']);
  });

  test.each<[string, Buffer, string]>([
    [
      'with a wrong CRC',
      zipOf([{ ...entry('int_flash'), crc: 1 }]),
      'the archive in the response is damaged',
    ],
    ['that was cut', zipOf([entry('int_flash')]).subarray(0, -40), 'the archive in the response'],
    [
      'with an entry larger than it states',
      zipOf([{ name: 'int_flash', content: Buffer.alloc(4096), isDeflated: true, size: 64 }]),
      'the archive in the response is damaged',
    ],
  ])('an archive %s is requested again, and never stored', ofAll, async (_, archive, words) => {
    const { error, slotGUID } = await decodeEnd(make.seal('Golf', archive));
    expect(error).toMatchObject({ errorName: 'ENGINE_UNAVAILABLE' });
    expect(error?.detail).toContain(words);
    const files = await portal.platform.db
      .selectFrom('stored_file')
      .select('role')
      .where('slot_guid', '=', slotGUID)
      .execute();
    expect(files.map(({ role }) => role)).toEqual(['read']);
  });

  test('a response that was cut within its Base64 is requested again', ofAll, async () => {
    service.misbehave({
      changed: (answer) => ({
        ...answer,
        output_file_base64: String(answer['output_file_base64']).slice(0, -1),
      }),
    });
    const { error } = await decodeEnd(make.seal('Golf', randomBytes(64)));
    expect(error).toBeNull();
    expect(service.requests).toEqual(['decode', 'decode']);
  });

  test.each<[string, object, string]>([
    ['a message', { message: 'No credits left' }, 'No credits left'],
    ['a list of errors', { errors: ['Wrong tool', 'x'] }, 'Wrong tool'],
    ['both', { message: 'Refused', errors: ['Wrong tool'] }, 'Refused: Wrong tool'],
    ['nothing', {}, 'the service refuses the file without a reason'],
  ])('a refusal with a status of success and %s is shown', ofAll, async (_, words, detail) => {
    service.misbehave({ changed: () => ({ status: 'ERROR', ...words }) });
    const { error } = await decodeEnd(make.seal('Golf', randomBytes(64)));
    expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED', detail });
    expect(service.requests).toEqual(['decode']);
  });

  test.runIf(make.listsSlaves)('a read of a master without slaves is refused', async () => {
    await setSlaves([], ['Golf']);
    expect(await askedFor(make.seal('Golf', randomBytes(64)))).toEqual([]);
    await setSlaves(['Golf']);
  });

  /** Lists slaves of the master, and removes others. */
  async function setSlaves(serials: readonly string[], gone: readonly string[] = []) {
    const slaves = [
      ...serials.map((serial) => ({ serial, owner: null })),
      ...gone.map((serial) => ({ serial, remove: true as const })),
    ];
    const master = { family, serial: masterSerial(make, '0001'), slaves };
    const groupCodes = [{ code: 'G-B', masters: [master] }];
    const plan = await applyDirectory(portal.platform, {
      organisations: [{ customerCode: 'CC-1001', groupCodes }],
    });
    expect(plan).toHaveProperty('changes');
  }

  // promise e3.makes.slave
  test.runIf(make.listsSlaves)(
    'the slave is asked for if there are several, and remembered for the same file',
    async () => {
      await setSlaves(['Golf', 'Audi 9']);
      const read = make.seal('Audi 9', randomBytes(64));
      expect(await askedFor(read)).toEqual(['Audi 9', 'Golf']);
      expect(await askedFor(read, '?slaveSerialNumber=Other')).toEqual(['Audi 9', 'Golf']);
      expect(service.requests).toEqual([]);
      // a failed decode is not remembered: the slave may be the wrong one
      service.misbehave(noData(make), 99);
      expect((await decodeEnd(read, '?slaveSerialNumber=Golf')).error).not.toBeNull();
      service.behave();
      expect(await askedFor(read)).toEqual(['Audi 9', 'Golf']);
      const named = await decodeEnd(read, '?slaveSerialNumber=Audi%209');
      expect(named.result).toMatchObject({ information: { slave: 'Audi 9' } });
      expect((await decodeEnd(read)).result).toMatchObject({ information: { slave: 'Audi 9' } });

      // it is one of the slave's jobs, and its encode names the same slave
      const { slotGUID } = named.result as unknown as Decoded;
      const row = await portal.platform.db
        .selectFrom('slot')
        .where('guid', '=', slotGUID)
        .select(['slave_serial_number', 'slave_device_guid'])
        .executeTakeFirstOrThrow();
      expect(row).toEqual({
        slave_serial_number: 'Audi 9',
        slave_device_guid: expect.any(String),
      });
      await encode(slotGUID, {});
      expect(service.sealed.map(({ slave }) => slave)).toEqual(['Audi 9']);

      // nor is that of a deleted job
      for (const { guid } of await portal.platform.db.selectFrom('slot').select('guid').execute())
        await anna.delete(`/api/jobs/${guid}`);
      expect(await askedFor(read)).toEqual(['Audi 9', 'Golf']);
      await decodeEnd(read, '?slaveSerialNumber=Audi%209');

      // a slave that is not listed any more is not taken from memory
      await setSlaves(['Golf', 'Audi 10'], ['Audi 9']);
      expect(await askedFor(read)).toEqual(['Audi 10', 'Golf']);
      await setSlaves(['Golf'], ['Audi 10']);
    },
  );

  // promise e3.makes.slave
  test.runIf(make.listsSlaves)('a tray asks for the slave of a file, and takes it', async () => {
    await setSlaves(['Golf', 'Audi 9']);
    const bytes = make.seal('Audi 9', randomBytes(64));
    const file = { name: 'audi', size: bytes.length, sha256: null, workflow: family, error: null };
    const { json } = await anna.post('/api/trays', { files: [file] });
    const { guid, files } = json as { readonly guid: string; readonly files: { guid: string }[] };
    const path = `/api/trays/${guid}/files/${files[0]?.guid}`;
    const read = { field: 'readFile', bytes, name: 'audi' };
    const refused = await anna.upload('POST', path, read);
    expect([refused.status, refused.text]).toEqual([400, 'SLAVE_NEEDED']);
    const taken = await anna.upload('POST', `${path}?slaveSerialNumber=Audi%209`, read);
    const { result } = await anna.follow(started(taken));
    expect(result).toMatchObject({ information: { slave: 'Audi 9' } });
    await setSlaves(['Golf'], ['Audi 9']);
  });
});

test('a bomb is smaller than what the portal would accept', () => {
  expect(deflateRawSync(Buffer.alloc(8 * 1024 * 1024)).length).toBeLessThan(1024 * 1024);
});
