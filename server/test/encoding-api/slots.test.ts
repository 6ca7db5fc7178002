/** The slots of the Encoding API: the list, closing and reopening, the limit, and what a closed slot still allows. */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode as decodeInPortal, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { addProgram, Program, type ProgramOperation, tokenHeader } from './program.ts';

const image = new Uint8Array(1024).map((_, at) => at);
const changed = image.toReversed();
const limit = 3;

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_OPEN_SLOTS: String(limit) });
});
afterAll(() => portal.stop());

async function decode(program: Program, userCode = 'C-1'): Promise<ProgramOperation> {
  return program.succeed(await start(program, userCode));
}

async function start(program: Program, userCode = 'C-1') {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const path = `/api/kessv2/decode-read-file/${encodeURIComponent(userCode)}`;
  return program.decode(path, sealImage(slave, 9000, image));
}

interface Row {
  readonly guid: string;
  readonly isClosed: boolean;
}

async function list(program: Program, query = ''): Promise<readonly Row[]> {
  const { status, json } = await program.get(`/api/kessv2/file-slots${query}`);
  expect(status).toBe(200);
  return json as unknown as Row[];
}

async function stateOf(program: Program, guid: string): Promise<boolean | undefined> {
  return (await list(program)).find((row) => row.guid === guid)?.isClosed;
}

const close = (program: Program, slot: string, body?: unknown) =>
  program.post(`/api/kessv2/file-slots/${slot}/close`, body);
const reopen = (program: Program, slot: string, body?: unknown) =>
  program.post(`/api/kessv2/file-slots/${slot}/reopen`, body);

describe('the list of slots', () => {
  // promise e1.slots.list
  test('is filtered by the label of the decode, which may contain any characters', async () => {
    const program = await addProgram(portal);
    const label = 'Müller & Söhne/2 #1';
    const labeled = await decode(program, label);
    const other = await decode(program);
    const all = await list(program);
    expect(all.map(({ guid }) => guid)).toEqual(
      expect.arrayContaining([labeled.slotGUID, other.slotGUID]),
    );
    const query = `?ownerCustomerCode=${encodeURIComponent(label)}`;
    expect(await list(program, query)).toEqual([
      {
        guid: labeled.slotGUID,
        isClosed: false,
        ownerCustomerCode: label,
        createdOn: expect.any(String),
      },
    ]);
    expect(await list(program, '?ownercustomercode=nobody')).toEqual([]);
  });

  // promise e2.slots.portal
  test('shows a slot of the portal as closed, and none of another family or organisation', async () => {
    const program = await addProgram(portal);
    const anna = await portal.signIn('anna@demo.test');
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const { kessv2SlotGUID } = await decodeInPortal(anna, sealImage(slave, 9000, image));
    expect(await stateOf(program, kessv2SlotGUID)).toBe(true);
    const foreign = await addProgram(portal, 'CC-3003');
    expect(await list(foreign)).toEqual([]);
    expect((await program.get('/api/ktag/file-slots')).json).toEqual([]);
  });
});

// promise e2.slots.others
describe('a slot that another client application has open', () => {
  const path = (slot: string) => `/api/kessv2/upload-modified-file/C-1/${slot}/Modified`;

  test('is listed as closed, and refuses uploads and encodes', async () => {
    const [program, other] = [await addProgram(portal), await addProgram(portal)];
    const { slotGUID: slot } = await decode(program);
    expect([await stateOf(program, slot), await stateOf(other, slot)]).toEqual([false, true]);
    for (const refused of [
      await other.send('PUT', path(slot), { field: 'file', bytes: changed }),
      await other.post('/api/kessv2/encode-file', { kessv2FileSlotGUID: slot }),
    ]) {
      expect([refused.status, refused.text]).toEqual([400, 'SLOT_CLOSED']);
    }
    await close(program, slot);
    await reopen(other, slot);
    expect([await stateOf(program, slot), await stateOf(other, slot)]).toEqual([true, false]);
  });

  test('stays open when it is closed by others, and is taken over when they reopen it', async () => {
    const [program, other] = [await addProgram(portal), await addProgram(portal)];
    const { slotGUID: slot } = await decode(program);
    expect((await close(other, slot)).json).toMatchObject({ guid: slot, isClosed: true });
    expect(await stateOf(program, slot)).toBe(false);
    expect((await reopen(other, slot)).json).toMatchObject({ guid: slot, isClosed: false });
    expect([await stateOf(program, slot), await stateOf(other, slot)]).toEqual([true, false]);
    expect(await other.keep(path(slot), changed)).toEqual(expect.any(String));
    const refused = await program.send('PUT', path(slot), { field: 'file', bytes: changed });
    expect([refused.status, refused.text]).toEqual([400, 'SLOT_CLOSED']);
  });
});

describe('a long list of slots', () => {
  // promise e1.slots.pages
  test('is sent in pages below 1 MiB, open slots first, and is complete', async () => {
    const program = await addProgram(portal);
    const { slotGUID: open } = await decode(program);
    const { db } = portal.platform;
    // written as six characters each: no label can be longer
    const label = '\u0001'.repeat(1024);
    await sql`insert into slot
      (guid, organisation_guid, family, workflow, group_code, read_file_name, user_code, created_on)
      select gen_random_uuid(), organisation_guid, family, workflow, group_code, read_file_name, ${label},
        now() + make_interval(secs => count / 2)
      from slot cross join generate_series(1, 250) as count where guid = ${open}`.execute(db);
    const [first, ...others] = await list(program);
    expect(first).toMatchObject({ guid: open, isClosed: false });
    expect(others).toHaveLength(100);
    const pages = [others];
    for (let last = others.at(-1); last !== undefined; ) {
      const answer = await program.get(`/api/kessv2/file-slots?before=${last.guid}`);
      expect(answer.text.length).toBeLessThan(2 ** 20);
      const page = answer.json as unknown as Row[];
      pages.push(page.filter(({ guid }) => guid !== open));
      last = pages.at(-1)?.at(-1);
    }
    const { rows } = await sql<{ guid: string }>`select slot.guid from slot join organisation
      on organisation.guid = slot.organisation_guid
      where customer_code = 'CC-1001' and family = 'kessv2' and slot.guid <> ${open}
      order by slot.created_on desc, slot.guid desc`.execute(db);
    expect(pages.flat().map(({ guid }) => guid)).toEqual(rows.map(({ guid }) => guid));
    const own = await list(program, `?ownerCustomerCode=${encodeURIComponent(label)}`);
    expect(own).toHaveLength(100);
    const none = await program.get('/api/kessv2/file-slots?before=x');
    expect([none.status, none.text]).toEqual([400, 'BAD_REQUEST']);
    await db.deleteFrom('slot').where('user_code', '=', label).execute();
  });
});

describe('closing and reopening', () => {
  // promise e1.slots.bodies
  test('accept any body, and change nothing the second time', async () => {
    const program = await addProgram(portal);
    const { slotGUID } = await decode(program);
    // an empty body with a content type, `[]`, an object
    for (const body of [undefined, [], {}]) {
      for (const round of [1, 2]) {
        const answer = await close(program, slotGUID, body);
        expect([round, answer.status]).toEqual([round, 200]);
        expect(answer.json).toMatchObject({ guid: slotGUID, isClosed: true });
        expect(await stateOf(program, slotGUID)).toBe(true);
      }
      for (const round of [1, 2]) {
        const answer = await reopen(program, slotGUID, body);
        expect([round, answer.status]).toEqual([round, 200]);
        expect(answer.json).toMatchObject({ guid: slotGUID, isClosed: false });
        expect(await stateOf(program, slotGUID)).toBe(false);
      }
    }
    const bare = await program.call('POST', `/api/kessv2/file-slots/${slotGUID}/close`);
    expect(bare.status).toBe(200);
  });

  test('open a slot of the portal, too', async () => {
    const program = await addProgram(portal);
    const anna = await portal.signIn('anna@demo.test');
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const { kessv2SlotGUID: slot } = await decodeInPortal(anna, sealImage(slave, 9000, image));
    expect((await reopen(program, slot)).status).toBe(200);
    const path = `/api/kessv2/upload-modified-file/C-1/${slot}/Modified`;
    expect(await program.keep(path, changed)).toEqual(expect.any(String));
  });

  // promise e1.slots.running
  test('do not affect running operations', async () => {
    const program = await addProgram(portal);
    const started = await start(program);
    const { slotGUID } = started.json as unknown as ProgramOperation;
    expect((await close(program, slotGUID)).status).toBe(200);
    expect((await program.succeed(started)).slotGUID).toBe(slotGUID);
  });
});

describe('a closed slot', () => {
  // promise e1.slots.closed
  test('refuses uploads and encodes, lets its files be read, and takes both again when reopened', async () => {
    const program = await addProgram(portal);
    const { slotGUID: slot, result } = await decode(program);
    const uploadPath = `/api/kessv2/upload-modified-file/C-1/${slot}/Modified`;
    const upload = () => program.send('PUT', uploadPath, { field: 'file', bytes: changed });
    const modifiedFileGUID = (await upload()).json?.['guid'];
    const encode = () =>
      program.post('/api/kessv2/encode-file', { kessv2FileSlotGUID: slot, modifiedFileGUID });
    await close(program, slot);
    for (const refused of [await upload(), await encode()]) {
      expect([refused.status, refused.text, refused.json]).toEqual([400, 'SLOT_CLOSED', null]);
    }
    const { bytes } = await program.download(result['decodedFileURL']);
    expect(Buffer.compare(bytes, image)).toBe(0);
    const byType = `/api/kessv2/file-slots/${slot}/files/?fileType=Decoded&download=true`;
    expect((await program.download(byType)).bytes).toHaveLength(1024);
    await reopen(program, slot);
    expect((await upload()).status).toBe(200);
  });
});

// promise e2.slots.limit
describe('the limit of open slots', () => {
  test('is for each client application, counts reopened slots, and is freed by closing', async () => {
    const program = await addProgram(portal);
    const slots: string[] = [];
    for (let count = 0; count < limit; count += 1) slots.push((await decode(program)).slotGUID);
    const refused = await start(program);
    expect([refused.status, refused.text]).toEqual([429, 'TOO_MANY_OPEN_SLOTS']);
    expect(refused.type).toBe('text/plain; charset=utf-8');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // another client application of the same organisation has its own limit
    const other = await addProgram(portal);
    const { slotGUID: theirs } = await decode(other);

    await close(program, slots[0] ?? '');
    const { slotGUID: next } = await decode(program);
    const reopened = await reopen(program, slots[0] ?? '');
    expect([reopened.status, reopened.text]).toEqual([429, 'TOO_MANY_OPEN_SLOTS']);
    expect(reopened.headers.get('retry-after')).not.toBeNull();
    // an open slot needs no place, one that another client has open does
    expect((await reopen(program, next)).status).toBe(200);
    expect((await reopen(program, theirs)).text).toBe('TOO_MANY_OPEN_SLOTS');
    await close(program, next);
    expect((await reopen(program, slots[0] ?? '')).status).toBe(200);
  });

  /**
   * Makes requests while no transaction can write a slot, and lets them continue when `count` of them wait: each of
   * those has then counted, unless it still waits for its turn to count.
   */
  async function atOnce<T>(count: number, requests: () => Promise<T>[]): Promise<T[]> {
    const { db } = portal.platform;
    return db
      .transaction()
      .execute(async (trx) => {
        await sql`lock table slot in share mode`.execute(trx);
        const answers = Promise.all(requests());
        const waiting = db
          .selectFrom(sql<{ wait_event_type: string; datname: string }>`pg_stat_activity`.as('one'))
          .where('wait_event_type', '=', 'Lock')
          .where('datname', '=', sql<string>`current_database()`)
          .select(({ fn }) => fn.countAll<string>().as('count'));
        while (Number((await waiting.executeTakeFirstOrThrow()).count) < count) await wait(10);
        return { answers };
      })
      .then(({ answers }) => answers);
  }

  test('applies to slots that are reopened at the same time', async () => {
    const program = await addProgram(portal);
    const made: string[] = [];
    for (let count = 0; count <= limit; count += 1) {
      const { slotGUID } = await decode(program);
      await close(program, slotGUID);
      made.push(slotGUID);
    }
    const answers = await atOnce(made.length, () => made.map((slot) => reopen(program, slot)));
    const opened = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ text }) => text === 'TOO_MANY_OPEN_SLOTS');
    expect([opened.length, refused.length]).toEqual([limit, 1]);
  });

  test('applies to decodes at the same time', async () => {
    const program = await addProgram(portal);
    for (let count = 1; count < limit; count += 1) await decode(program);
    const answers = await atOnce(2, () => [start(program), start(program)]);
    const kept = answers.find(({ status }) => status === 200);
    if (kept === undefined) throw new Error('both were refused');
    const refused = answers.filter((answer) => answer !== kept);
    expect(refused.map(({ status, text }) => [status, text])).toEqual([
      [429, 'TOO_MANY_OPEN_SLOTS'],
    ]);
    await program.succeed(kept);
  });

  test('does not stop work through the portal’s own API', async () => {
    const added = await portal.addClient();
    const program = new Program(portal, added);
    for (let count = 0; count < limit; count += 1) await decode(program);
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const own = await added.client.upload('POST', '/api/kessv2/upload-read-file', {
      field: 'readFile',
      bytes: sealImage(slave, 9000, image),
    });
    expect(own.status).toBe(202);
    const { slotGUID } = own.json as { slotGUID: string };
    expect(await stateOf(program, slotGUID)).toBe(true);
  });
});

test('a session opens nothing here', async () => {
  const anna = await portal.signIn('anna@demo.test');
  for (const headers of [
    { 'X-Recodery-Session': anna.sessionId },
    { [tokenHeader]: anna.sessionId },
  ]) {
    const answer = await fetch(`${portal.url}/encoding-api/api/kessv2/file-slots`, { headers });
    expect([answer.status, await answer.text()]).toEqual([401, 'API_ERROR_UNAUTHORIZED']);
  }
});
