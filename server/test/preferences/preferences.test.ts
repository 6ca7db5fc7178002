/**
 * An organisation's preferences over HTTP: what is stored, what is refused, who can change them, and how they affect
 * names and entry points.
 */
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { savePreferences } from '../../src/preferences/preferences.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, sealImage } from '../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await portal.platform.db.deleteFrom('organisation_preferences').execute();
});

function put(client: Client, path: string, body: unknown): Promise<Answer> {
  return client.call('PUT', path, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const save = (organisationPreferences: unknown, client = anna) =>
  put(client, '/api/preferences/', { organisationPreferences });
const saveFormat = (format: unknown) =>
  put(anna, '/api/preferences/encoded-kessv2-file-name-format', format);
const get = async (client = anna) => (await client.get('/api/preferences')).json;
const said = ({ status, text }: Answer) => [status, text];

const nothing = {
  encodedKESSv2FileNameFormat: null,
  encodedKTAGFileNameFormat: null,
  encodedKESS3FileNameFormat: null,
  decodedFileNameFormat: null,
  timeZone: null,
  autoSendDefaultAction: null,
  autoSendNotificationIsPrivateByDefault: null,
  defaultAutoSendAction: null,
  isAutoSendNotificationPrivateByDefault: null,
};

/** Revokes the right to send from anna's organisation while `work` runs. */
async function withoutSending(work: () => Promise<void>): Promise<void> {
  const allow = (may_auto_send: boolean) =>
    portal.platform.db
      .updateTable('organisation')
      .set({ may_auto_send })
      .where('customer_code', '=', 'CC-1001')
      .execute();
  await allow(false);
  await work().finally(() => allow(true));
}

describe('stored preferences', () => {
  // promise 3.preferences.fields, 7.around.preferences
  test('have their defaults at first, which are null', async () => {
    expect(await get()).toEqual({ organisationPreferences: nothing, canUserAutoSend: true });
  });

  // promise 5.settings.empty-is-default, 7.around.preferences-put
  test('are returned immediately and later, under both names; a later save replaces them', async () => {
    const chosen = {
      ...nothing,
      encodedKESSv2FileNameFormat: '%r stage 1',
      encodedKTAGFileNameFormat: '%d_%r',
      autoSendDefaultAction: 'EncodeAndSend',
      autoSendNotificationIsPrivateByDefault: false,
    };
    const {
      defaultAutoSendAction: _,
      isAutoSendNotificationPrivateByDefault: __,
      ...four
    } = chosen;
    const expected = {
      organisationPreferences: {
        ...four,
        defaultAutoSendAction: 'EncodeAndSend',
        isAutoSendNotificationPrivateByDefault: false,
      },
      canUserAutoSend: true,
    };
    const answer = await save(four);
    expect([answer.status, answer.json]).toEqual([200, expected]);
    expect(await get()).toEqual(expected);
    // a client can send back what it received
    expect((await save(expected.organisationPreferences)).json).toEqual(expected);
    expect((await save({ encodedKTAGFileNameFormat: '  ' })).json).toEqual({
      organisationPreferences: nothing,
      canUserAutoSend: true,
    });
  });

  // promise 3.preferences.variants
  test('can be sent under either of the two names, or under both if they are equal', async () => {
    await save({
      defaultAutoSendAction: 'EncodeAndSend',
      isAutoSendNotificationPrivateByDefault: false,
    });
    expect(await get()).toMatchObject({
      organisationPreferences: {
        autoSendDefaultAction: 'EncodeAndSend',
        autoSendNotificationIsPrivateByDefault: false,
      },
    });
    const both = { autoSendDefaultAction: 'Encode', defaultAutoSendAction: 'Encode' };
    expect((await save(both)).status).toBe(200);
  });

  // promise 7.around.preferences-format
  test('keep everything except the KESSv2 format if the single call changes it', async () => {
    await save({ encodedKTAGFileNameFormat: '%r', autoSendDefaultAction: 'EncodeAndSend' });
    expect((await saveFormat('%r_mod')).status).toBe(204);
    expect(await get()).toMatchObject({
      organisationPreferences: {
        encodedKESSv2FileNameFormat: '%r_mod',
        encodedKTAGFileNameFormat: '%r',
        autoSendDefaultAction: 'EncodeAndSend',
      },
    });
    for (const none of [null, '']) {
      await saveFormat('%r_mod');
      expect((await saveFormat(none)).status).toBe(204);
      expect(await get()).toMatchObject({
        organisationPreferences: { encodedKESSv2FileNameFormat: null },
      });
    }
  });

  test('are those of exactly one request if two are concurrent', async () => {
    const { db } = portal.platform;
    const one = { encodedKESSv2FileNameFormat: 'one %d', encodedKTAGFileNameFormat: 'one %r' };
    const two = { encodedKESSv2FileNameFormat: 'two %d', encodedKTAGFileNameFormat: 'two %r' };
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([save(one), save(two), save(one), save(two)]);
      const rows = await db.selectFrom('organisation_preferences').selectAll().execute();
      expect(rows).toHaveLength(1);
      const { organisationPreferences } = (await get()) as { organisationPreferences: typeof one };
      const isOne = organisationPreferences.encodedKESSv2FileNameFormat === 'one %d';
      expect(organisationPreferences).toMatchObject(isOne ? one : two);
    }
  });

  test('belong to the organisation: another customer code has its own', async () => {
    const mia = await portal.signIn('mia@demo.test');
    await save({ encodedKESSv2FileNameFormat: '%r of anna' });
    expect(await get(mia)).toMatchObject({ organisationPreferences: nothing });
    await save({ encodedKESSv2FileNameFormat: '%r of mia' }, mia);
    expect(await get()).toMatchObject({
      organisationPreferences: { encodedKESSv2FileNameFormat: '%r of anna' },
    });
  });
});

describe('the preferences refuse', () => {
  test.each<[format: unknown, reason: string]>([
    ['%x', 'an unknown placeholder'],
    ['%D', 'an uppercase placeholder'],
    ['%%d', 'a doubled percent sign'],
    ['%1', 'a number'],
    ['...', 'only dots'],
    ['a/%d', 'a folder'],
    ['..\\%d', 'a parent folder'],
    ['%d:%r', 'a character that Windows does not allow'],
    ['CON', 'a name reserved by Windows'],
    ['%d\u202Egpj', 'a direction mark'],
    ['%d\n%r.', 'a dot at the end'],
    [`%d${'x'.repeat(119)}`, 'a text that is too long'],
    [7, 'a number'],
    [{ format: '%d' }, 'an object'],
  ])('%j is not a format: %s', async (format, _reason) => {
    expect(said(await saveFormat(format))).toEqual([400, 'BAD_REQUEST']);
    expect(said(await save({ encodedKTAGFileNameFormat: format }))).toEqual([400, 'BAD_REQUEST']);
    expect(await get()).toMatchObject({ organisationPreferences: nothing });
  });

  test.each(['100% %d', '%d', '%r', '%d%r', 'Rossi & C. – %r', '改 %r', `%d${'x'.repeat(118)}`])(
    '%s is a format',
    async (format) => {
      expect((await saveFormat(format)).status).toBe(204);
    },
  );

  // promise d6.payloads.variants
  test('two different values for one preference', async () => {
    for (const contradiction of [
      { autoSendDefaultAction: 'Encode', defaultAutoSendAction: 'EncodeAndSend' },
      {
        autoSendNotificationIsPrivateByDefault: true,
        isAutoSendNotificationPrivateByDefault: false,
      },
    ]) {
      const answer = await save({ encodedKTAGFileNameFormat: '%r', ...contradiction });
      expect(said(answer)).toEqual([400, 'PREFERENCES_CONTRADICT']);
    }
    expect(await get()).toMatchObject({ organisationPreferences: nothing });
  });

  test('an unknown action, and a body without preferences', async () => {
    for (const answer of [
      await save({ autoSendDefaultAction: 'Send' }),
      await save(undefined),
      await put(anna, '/api/preferences/', []),
    ]) {
      expect(said(answer)).toEqual([400, 'BAD_REQUEST']);
    }
  });

  test('a user without access to the portal', async () => {
    const nora = await portal.signIn('nora@demo.test');
    for (const answer of [
      await nora.get('/api/preferences'),
      await save({}, nora),
      await put(nora, '/api/preferences/encoded-kessv2-file-name-format', null),
    ]) {
      expect(said(answer)).toEqual([403, 'USER_NO_RIGHTS']);
    }
  });
});

describe('without the right to send', () => {
  // promise 3.preferences.may-send, 5.settings.send-fields-hidden
  test('the send preferences are hidden, cannot be changed, and reappear when the right is granted again', async () => {
    await save({ autoSendDefaultAction: 'EncodeAndSend', encodedKTAGFileNameFormat: '%r' });
    await withoutSending(async () => {
      expect(await get()).toEqual({
        organisationPreferences: { ...nothing, encodedKTAGFileNameFormat: '%r' },
        canUserAutoSend: false,
      });
      for (const chosen of [
        { autoSendDefaultAction: 'Encode' },
        { isAutoSendNotificationPrivateByDefault: true },
      ]) {
        expect(said(await save(chosen))).toEqual([403, 'USER_NO_RIGHTS']);
      }
      expect((await save({ encodedKTAGFileNameFormat: '%d' })).status).toBe(200);
      expect((await anna.get('/api/kessv2')).json).toMatchObject({
        isAutoSendEnabled: false,
        autoSendDefaultAction: 'Encode',
        isAutoSendNotificationPrivateByDefault: true,
      });
    });
    expect(await get()).toMatchObject({
      organisationPreferences: {
        encodedKTAGFileNameFormat: '%d',
        autoSendDefaultAction: 'EncodeAndSend',
      },
    });
  });
});

describe('the preferences', () => {
  // promise 3.entry.send-fields
  test('determine the action and the privacy in entry points', async () => {
    const entries = async () =>
      Promise.all(
        ['kessv2', 'ktag', 'kess3'].map(async (family) => {
          const { json } = await anna.get(`/api/${family}`);
          const entry = json as Record<string, unknown>;
          return [
            entry['isAutoSendEnabled'],
            entry['autoSendDefaultAction'],
            entry['defaultAutoSendAction'],
            entry['isAutoSendNotificationPrivateByDefault'],
          ];
        }),
      );
    const before = [true, 'Encode', 'Encode', true];
    expect(await entries()).toEqual([before, before, before]);
    await save({
      autoSendDefaultAction: 'EncodeAndSend',
      autoSendNotificationIsPrivateByDefault: false,
    });
    const after = [true, 'EncodeAndSend', 'EncodeAndSend', false];
    expect(await entries()).toEqual([after, after, after]);
  });

  // promise 3.preferences.formats
  test('determine the names of encoded files by family', async () => {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const read = sealImage(slave, 9000, new Uint8Array(1024));
    const { kessv2SlotGUID } = await decode(anna, read, 'Rossi 159.k2r');
    const encodeAgain = () =>
      encode(anna, { kessv2FileSlotGUID: kessv2SlotGUID }, 'reencode-decoded-file');
    await save({ encodedKTAGFileNameFormat: 'not for this family' });
    expect((await encodeAgain()).name).toMatch(/^KESSv2_KV2-000007_.*\.moc$/);
    await saveFormat('%r (stage 1)');
    expect((await encodeAgain()).name).toBe('Rossi 159 (stage 1).moc');
  });

  test('are made safe even if a format in the database was not written by us', async () => {
    const { db } = portal.platform;
    const organisation = db.selectFrom('organisation').select('guid');
    const { guid } = await organisation
      .where('customer_code', '=', 'CC-1001')
      .executeTakeFirstOrThrow();
    await savePreferences(db, mintOrganisationId(guid), { nameFormats: { kessv2: '../%r:' } });
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const read = sealImage(slave, 9000, new Uint8Array(1024));
    const { kessv2SlotGUID } = await decode(anna, read, 'a.k2r');
    const again = { kessv2FileSlotGUID: kessv2SlotGUID };
    expect((await encode(anna, again, 'reencode-decoded-file')).name).toBe('a_.moc');
  });
});
