/** A file that expires is sent with the time until which its slave accepts it, and a restore kit that expires is made again. */
import { randomBytes } from 'node:crypto';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { definitionOf } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fill, textsByLocale } from '../../../src/texts/texts.ts';
import { type MailServer, sharePathIn, startMailServer } from '../../email/mail-server.ts';
import { addProgram } from '../../encoding-api/program.ts';
import { startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import type { Make } from '../../../src/demo/doubles/make.ts';
import { allMakes, makes } from '../../../src/demo/doubles/makes.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';

let server: MailServer;
let portal: RunningPortal;
beforeAll(async () => {
  server = await startMailServer();
  portal = await startTestPortal({
    RECODERY_SMTP_URL: server.url,
    RECODERY_MAIL_FROM: 'portal@recodery.test',
  });
});
afterAll(async () => {
  await portal.stop();
  await server.stop();
});

const anyOf = (
  key: 'shareSealedOn' | 'shareWriteBefore' | 'shareSealHint' | 'doubleNote' | 'shareTitle',
) => [...textsByLocale.values()].map((texts) => texts[key]);
const contains = (text: string, words: readonly string[]) =>
  words.some((word) => text.includes(word));

const isExpiring = ({ family }: Make) =>
  (definitionOf(family).sealing?.hoursValid ?? null) !== null;

/** A portal's user with a decoded read of the make. */
async function startWith(make: Make) {
  const service = await startFakeService(make);
  await addMake(portal.platform, service);
  const anna = await portal.signIn('anna@demo.test');
  const read = { field: 'readFile', bytes: make.seal('Golf', randomBytes(64)), name: 'golf' };
  const path = `/api/${make.family}/upload-read-file`;
  const { slotGUID } = await anna.follow(started(await anna.upload('POST', path, read)));
  return { service, anna, slotGUID };
}

// promise e3.makes.expiry
test.each(allMakes)('$family: email and public page', async (make) => {
  const { family } = make;
  const { service, anna, slotGUID } = await startWith(make);
  const notificationInfo = { email: 'garage@rossi.test', message: null, isPrivate: false };
  const body = { slotGUID, files: {}, notificationInfo };
  const sent = await anna.follow(started(await anna.post(`/api/${family}/encode-file`, body)));
  const { sealedOn, expiresOn } = sent.result as unknown as Record<string, string | null>;
  expect([typeof sealedOn, expiresOn !== null]).toEqual(['string', isExpiring(make)]);

  const mail = await server.next();
  const page = await (await fetch(new URL(sharePathIn(mail), portal.url))).text();
  for (const part of [mail.part('text/plain'), mail.part('text/html'), page])
    for (const key of ['shareWriteBefore', 'shareSealHint'] as const)
      expect(contains(part, anyOf(key)), key).toBe(isExpiring(make));
  const { name } = definitionOf(family);
  // these services report no serial number
  const device = make.listsSlaves || make.serialOf ? null : name;
  if (device !== null)
    expect(
      contains(
        page,
        anyOf('shareTitle').map((title) => fill(title, device)),
      ),
    ).toBe(true);
  const notes = anyOf('doubleNote').map((note) => fill(note, name));
  expect([mail.part('text/plain'), page].some((part) => contains(part, notes))).toBe(false);
  if (isExpiring(make)) {
    expect(page).toContain(`datetime="${sealedOn}"`);
    expect(page).toContain(`datetime="${expiresOn}"`);
  }
  await service.stop();
});

describe.each(allMakes)('$family:', (make) => {
  // one whose files expire, and one whose files do not
  const ofEach = make === makes.autotuner || make === makes.flex ? {} : { tags: 'release' };

  // promise e3.makes.expiry
  test('the job and the download show that a file has expired', ofEach, async () => {
    const { service, anna, slotGUID } = await startWith(make);
    const path = `/api/${make.family}/encode-file`;
    const { guid } = await anna.follow(started(await anna.post(path, { slotGUID, files: {} })));
    const find = async () => {
      const { json } = await anna.get(`/api/jobs/${slotGUID}`);
      const encoded = (json as Job).files.find(({ role }) => role === 'encoded');
      if (encoded === undefined) throw new Error('nothing was encoded');
      const ticket = await anna.post(`/api/files/${encoded.fileGUID}/ticket`);
      return { encoded, ticket: ticket.json };
    };
    const fresh = await find();
    expect(Date.parse(fresh.encoded.expiresOn ?? '') > Date.now()).toBe(isExpiring(make));
    expect(fresh.ticket).toMatchObject({ isOutdated: false, isExpired: false });

    const longAgo = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await sql`update operation set result = jsonb_set(result, '{sealedOn}', to_jsonb(${longAgo}::text))
    where guid = ${guid}`.execute(portal.platform.db);
    const old = await find();
    expect(Date.parse(old.encoded.expiresOn ?? '') < Date.now()).toBe(isExpiring(make));
    expect(old.ticket).toMatchObject({ isOutdated: false, isExpired: isExpiring(make) });
    await service.stop();
  });

  // promise e3.makes.kit
  test('a restore kit is sealed again before it expires', ofEach, async () => {
    const { service, anna, slotGUID } = await startWith(make);
    const stateOf = async () => {
      const { json } = await anna.get(`/api/jobs/${slotGUID}`);
      return (json as { readonly restoreKit: { readonly state: string } }).restoreKit.state;
    };
    const prepare = () => anna.post(`/api/jobs/${slotGUID}/restore-kit`);
    const age = (time: string) =>
      sql`update stored_file set created_on = now() - ${time}::interval
      where slot_guid = ${slotGUID} and role = 'restore'`.execute(portal.platform.db);
    await prepare();
    await expect.poll(stateOf).toBe('ready');
    await age('11 hours');
    expect(await stateOf()).toBe('ready');
    await age('13 hours');
    expect(await stateOf()).toBe(isExpiring(make) ? 'missing' : 'ready');
    await prepare();
    await expect.poll(stateOf).toBe('ready');
    expect(service.sealed).toHaveLength(isExpiring(make) ? 2 : 1);
    await service.stop();
  });

  test('a program reads until when its file is accepted', ofEach, async () => {
    const { family } = make;
    const service = await startFakeService(make);
    await addMake(portal.platform, service);
    const program = await addProgram(portal);
    const read = make.seal('Golf', randomBytes(64));
    const { slotGUID } = await program.succeed(
      await program.decode(`/api/${family}/decode-read-file/C-1`, read),
    );
    const { result } = await program.succeed(
      await program.post(`/api/${family}/encode-file`, { [`${family}FileSlotGUID`]: slotGUID }),
    );
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:]{8}\.\d{7}$/);
    expect(result).toMatchObject({ sealedOn: time, expiresOn: isExpiring(make) ? time : null });
    await service.stop();
  });
});
