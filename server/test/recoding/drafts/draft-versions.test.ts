/** One draft, changed by two users and in two tabs at once: nothing is lost, and an encode uses what its page showed. */
import { createHash } from 'node:crypto';
import { generateImage } from '@recodery/codec/sample-images/images';
import type { Slave } from '@recodery/codec/simulator/slave';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import type { EncodeDraftChange, SlotDraft } from '@recodery/contract/features/slots';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { tabHeader } from '@recodery/contract/headers';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import type { Answer, Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import {
  accept,
  decode,
  encode,
  protocolOf,
  sealImage,
} from '../../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let slave: Slave;
/** Two users of one organisation. */
let anna: Client;
let carla: Client;
let slot: string;
beforeAll(async () => {
  portal = await startTestPortal();
  const carlaHere = { email: 'carla@demo.test', name: 'Carla', customerCodes: ['CC-1001'] };
  await applyDirectory(portal.platform, { users: [carlaHere] });
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  anna = await portal.signIn('anna@demo.test');
  carla = await portal.signIn('carla@demo.test');
});
afterAll(() => portal.stop());

const image = generateImage(protocolOf(9000), 'obd', 1, 4096);
beforeEach(async () => {
  slot = (await decode(anna, sealImage(slave, 9000, image))).kessv2SlotGUID;
});

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function upload(by: Client, seed: number, tab = 'tab'): Promise<UploadedFile> {
  const bytes = image.with(seed, image[seed] === 7 ? 8 : 7);
  const path = `/api/kessv2/upload-modified-file/${slot}`;
  const file = { field: 'modifiedFile', bytes, name: `${seed}.bin`, headers: { [tabHeader]: tab } };
  const answer = await by.upload('PUT', path, file);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as UploadedFile;
}

async function draft(): Promise<SlotDraft> {
  return (await anna.get(`/api/slots/${slot}/draft`)).json as SlotDraft;
}

function put(by: Client, change: Partial<EncodeDraftChange>, tab = 'tab'): Promise<Answer> {
  return by.call('PUT', `/api/slots/${slot}/draft`, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/problem+json',
      [tabHeader]: tab,
    },
    body: JSON.stringify({ files: {}, ...change }),
  });
}

async function filesOfJob(): Promise<Job['files']> {
  const { files } = (await anna.get(`/api/jobs/${slot}`)).json as Job;
  return files.filter(({ role }) => role === 'modified');
}

const encodeFile = (by: Client, modifiedFileGUID: string): Promise<Answer> =>
  by.call('POST', '/api/kessv2/encode-file', {
    headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
    body: JSON.stringify({ kessv2FileSlotGUID: slot, modifiedFileGUID }),
  });

/** The event about a version of the draft of the slot. */
async function eventOf(
  client: Client,
  version: number,
): Promise<{ readonly arrived: Promise<SlotDraft> }> {
  const { promise, resolve } = Promise.withResolvers<SlotDraft>();
  const stop = await client.listen(({ name, record }) => {
    const changed = record as SlotDraft;
    if (name === 'draft' && changed.slotGUID === slot && changed.version === version)
      resolve(changed);
  });
  return { arrived: promise.finally(stop) };
}

describe('a file that a colleague replaces', () => {
  // promise d8.storage.replaced
  test('stays as a version of the job, which says who replaced it and when', async () => {
    const first = await upload(anna, 1);
    const second = await upload(carla, 2);
    expect(second.replaced).toMatchObject({
      fileGUID: first.fileGUID,
      name: '1.bin',
      userDisplayName: 'Anna Conti',
    });
    const files = await filesOfJob();
    expect(files.map(({ name, isThere, replacedBy }) => [name, isThere, replacedBy])).toEqual([
      ['1.bin', true, 'Carla'],
      ['2.bin', true, null],
    ]);
    expect(files[0]?.replacedOn).not.toBeNull();
    const { status, bytes } = await anna.get(`/api/files/${first.fileGUID}`);
    expect([status, hash(bytes)]).toEqual([200, files[0]?.sha256]);
  });

  // promise j1.jobs.shown
  test('is encoded as its page showed it', async () => {
    const { fileGUID } = await upload(anna, 1);
    await upload(carla, 2);
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const written = await accept(anna, slave, await encode(anna, body));
    expect(hash(written)).toBe(hash(image.with(1, image[1] === 7 ? 8 : 7)));
  });

  // promise j1.jobs.together
  test('is reported at once on every open page, with the version, the user and the file', async () => {
    await upload(anna, 1);
    const { arrived } = await eventOf(anna, 2);
    const { fileGUID } = await upload(carla, 2);
    const record = await arrived;
    expect(record).toEqual(await draft());
    expect(record.files.map((file) => file.fileGUID)).toEqual([fileGUID]);
    expect(record).toMatchObject({
      version: 2,
      changes: [{ field: 'file', part: 'modified', version: 2, userDisplayName: 'Carla' }],
    });
  });

  test('is not reported to another organisation', async () => {
    const mia = await portal.signIn('mia@demo.test');
    const names: string[] = [];
    await mia.listen(({ name }) => names.push(name));
    await upload(anna, 1);
    // when mia has received her own, she would have received anna's before
    const theirs = await portal.getSlave('kessv2', 'KV2-003003');
    await decode(mia, sealImage(theirs, 9000, new Uint8Array(1024)));
    expect(names).not.toContain('draft');
  });

  test('comes back, and the other one stays as a version', async () => {
    const first = await upload(anna, 1);
    const second = await upload(carla, 2);
    const { version } = await draft();
    const undo = await put(anna, { version, files: { modified: first.fileGUID } });
    expect(undo.status).toBe(204);
    const files = await filesOfJob();
    expect(files.map(({ fileGUID, replacedBy }) => [fileGUID, replacedBy])).toEqual([
      [first.fileGUID, null],
      [second.fileGUID, 'Anna Conti'],
    ]);
  });

  // promise j1.jobs.shown
  test('and that no longer exists is refused, naming who replaced it', async () => {
    const { fileGUID } = await upload(anna, 1);
    await upload(carla, 2);
    await sql`update stored_file set deleted_on = now() where guid = ${fileGUID}`.execute(
      portal.platform.db,
    );
    const { status, text } = await encodeFile(anna, fileGUID);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      errorCode: 'FILE_REPLACED',
      details: { part: 'modified', name: '1.bin', replacedBy: 'Carla' },
    });
  });
});

describe('a change of the draft', () => {
  // promise j1.jobs.together
  test('is refused if a colleague has changed the same field since its version, and names them', async () => {
    const first = await upload(anna, 1);
    const { version } = await draft();
    const second = await upload(carla, 2, 'her tab');
    const { status, text } = await put(anna, { version, files: { modified: null } });
    expect(status).toBe(409);
    expect(JSON.parse(text)).toMatchObject({
      errorCode: 'DRAFT_CHANGED',
      details: {
        version: version + 1,
        conflicts: [{ field: 'file', part: 'modified', userDisplayName: 'Carla' }],
      },
    });
    const { files } = await draft();
    expect(files.map(({ fileGUID }) => fileGUID)).toEqual([second.fileGUID]);
    expect(first.fileGUID).not.toBe(second.fileGUID);
  });

  test('is refused in another tab of the same user as well, but not in the same tab', async () => {
    await upload(anna, 1, 'one');
    const refused = await put(anna, { version: 0, files: { modified: null } }, 'other');
    expect(refused.status).toBe(409);
    const saved = await put(anna, { version: 0, files: { modified: null } }, 'one');
    expect(saved.status).toBe(204);
  });

  test('of another field is saved beside that of a colleague', async () => {
    const { fileGUID } = await upload(carla, 1, 'her tab');
    expect((await put(anna, { version: 0, willCorrectCVN: true })).status).toBe(204);
    expect(await draft()).toMatchObject({ files: [{ fileGUID }], willCorrectCVN: true });
  });

  test('that sets what is there already is no conflict and no new version', async () => {
    await put(carla, { version: 0, willCorrectCVN: true }, 'her tab');
    expect((await put(anna, { version: 0, willCorrectCVN: true })).status).toBe(204);
    expect((await draft()).version).toBe(1);
  });

  test('without a version always applies', async () => {
    await upload(carla, 1, 'her tab');
    const choices = { removed: null, willCorrectCVN: true, willSkipChecksum: false };
    expect((await put(anna, { ...choices, files: { modified: null } })).status).toBe(204);
    expect(await draft()).toMatchObject({ files: [], willCorrectCVN: true });
    expect((await filesOfJob()).map(({ isThere }) => isThere)).toEqual([true]);
  });
});

/** What the page of one user shows, and the bytes of all files that were ever uploaded. */
interface Model {
  readonly uploaded: Map<string, string>;
  readonly shown: Map<Client, SlotDraft>;
}

const actions = fc.array(
  fc.record({
    by: fc.constantFrom('anna' as const, 'carla' as const),
    does: fc.constantFrom(
      'upload' as const,
      'remove' as const,
      'undo' as const,
      'look' as const,
      'encode' as const,
      'switch' as const,
    ),
  }),
  { minLength: 4, maxLength: 14 },
);

// promise j1.jobs.together, j1.jobs.shown
test('no interleaving of two users loses a file, or encodes another file than the page showed', async () => {
  const client = { anna: () => anna, carla: () => carla };
  let seed = 10;
  await fc.assert(
    fc.asyncProperty(actions, async (steps) => {
      slot = (await decode(anna, sealImage(slave, 9000, image))).kessv2SlotGUID;
      const start = await draft();
      const model: Model = {
        uploaded: new Map(),
        shown: new Map([
          [anna, start],
          [carla, start],
        ]),
      };
      for (const { by, does } of steps) await act(model, client[by](), by, does, () => (seed += 1));
      const there = new Map((await filesOfJob()).map((file) => [file.fileGUID, file]));
      for (const [guid, sha256] of model.uploaded)
        expect([there.get(guid)?.isThere, there.get(guid)?.sha256]).toEqual([true, sha256]);
    }),
    { numRuns: 8 },
  );
}, 240_000);

type Does = 'upload' | 'remove' | 'undo' | 'look' | 'encode' | 'switch';

async function act(
  { uploaded, shown }: Model,
  by: Client,
  tab: string,
  does: Does,
  nextSeed: () => number,
): Promise<void> {
  const page = shown.get(by);
  if (page === undefined) throw new Error('the page is not open');
  const { version } = page;
  const own = page.files[0]?.fileGUID;
  switch (does) {
    case 'upload': {
      const seed = nextSeed();
      const { fileGUID } = await upload(by, seed, tab);
      uploaded.set(fileGUID, hash(image.with(seed, image[seed] === 7 ? 8 : 7)));
      return;
    }
    case 'remove':
    case 'undo':
    case 'switch': {
      const older = [...uploaded.keys()][0] ?? null;
      const files = { modified: does === 'undo' ? older : null };
      const change = does === 'switch' ? { willCorrectCVN: !page.willCorrectCVN } : { files };
      const before = await draft();
      const { status } = await put(by, { version, ...change }, tab);
      expect([204, 409]).toContain(status);
      // a refused change leaves everything as it was
      if (status === 409) expect(await draft()).toEqual(before);
      return;
    }
    case 'look':
      shown.set(by, await draft());
      return;
    case 'encode': {
      if (own === undefined) return;
      const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: own };
      const written = await accept(by, slave, await encode(by, body));
      expect(hash(written)).toBe(uploaded.get(own));
    }
  }
}
