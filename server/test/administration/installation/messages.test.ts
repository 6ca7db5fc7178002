/** Messages and maintenance of the administration over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

interface Answered {
  readonly guid: string;
  readonly revision: string;
  readonly details?: object;
}

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

async function send(verb: string, address: string, body: object = {}, revision = '') {
  const accepted = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const headers = revision === '' ? accepted : { ...accepted, 'if-match': `"${revision}"` };
  const { status, text } = await olga.call(verb, address, {
    headers,
    ...(verb === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
  return { status, json: (text === '' ? {} : JSON.parse(text)) as Answered };
}

const day = 86_400_000;
const at = (days: number): string => new Date(Date.now() + days * day).toISOString();

describe('a message', () => {
  const path = '/api/admin/messages';
  const shownIn = async (language: string): Promise<readonly string[]> => {
    const address = `/api/comunication-messages/message?i_twoLetterCode=${language}`;
    return ((await olga.get(address)).json as { text: string }[]).map(({ text }) => text);
  };

  // promise d3.care.messages
  test('is shown in its language from its start to its end, and can be changed and removed', async () => {
    const added = await send('POST', path, { language: 'it', text: 'Ciao\n  a tutti' });
    expect(added.status).toBe(400);
    const shown = await send('POST', path, { language: 'it', text: 'Ciao' });
    expect(shown).toMatchObject({ status: 200, json: { state: 'shown', shownTo: null } });
    const coming = await send('POST', path, { language: 'it', text: 'Poi', shownFrom: at(1) });
    expect(coming.json).toMatchObject({ state: 'coming' });
    expect(await shownIn('it')).toEqual(['Ciao']);
    expect(await shownIn('de')).toEqual([]);

    const { guid, revision } = shown.json;
    const text = { text: 'Hello', language: 'en' };
    const changed = await send('PUT', `${path}/${guid}`, text, revision);
    expect(changed).toMatchObject({ status: 200, json: text });
    expect(await shownIn('de')).toEqual(['Hello']);
    expect((await send('PUT', `${path}/${guid}`, { text: 'Late' }, revision)).status).toBe(412);
    for (const one of [guid, coming.json.guid])
      expect((await send('DELETE', `${path}/${one}`)).status).toBe(204);
    expect(await shownIn('de')).toEqual([]);
  });

  test('is refused without a text, in another language, or if it ends before it starts', async () => {
    const refused = async (values: object) =>
      (await send('POST', path, { language: 'en', text: 'Hello', ...values })).json.details;
    expect(await refused({ text: null })).toEqual({ fields: { text: 'REQUIRED' } });
    expect(await refused({ text: 'x'.repeat(501) })).toEqual({ fields: { text: 'TOO_LONG' } });
    expect(await refused({ language: 'tlh' })).toEqual({ fields: { language: 'INVALID' } });
    expect(await refused({ shownTo: 'tomorrow' })).toEqual({ fields: { shownTo: 'INVALID' } });
    expect(await refused({ shownFrom: at(2), shownTo: at(1) })).toEqual({
      fields: { shownTo: 'ENDS_BEFORE' },
    });
    expect(await refused({ shownTo: at(-1) })).toEqual({ fields: { shownTo: 'ENDS_BEFORE' } });
  });
});

describe('maintenance', () => {
  const path = '/api/admin/maintenance/00000000-0000-0000-0000-000000000000';
  const save = async (values: object) =>
    send('PUT', path, values, (await send('GET', path)).json.revision);
  // without a worker the status would be the same, so the metric is read
  const isOn = async (): Promise<boolean> =>
    ((await olga.get('/api/admin/overview')).json as { isMaintenance: boolean }).isMaintenance;

  // promise d3.care.maintenance-planned
  test('is turned on and off, and begins and ends as planned', async () => {
    expect((await send('GET', path)).json).toMatchObject({ state: 'off', isOn: false });
    expect((await save({ isOn: true })).json).toMatchObject({ state: 'on' });
    expect(await isOn()).toBe(true);
    expect((await save({ isOn: false })).json).toMatchObject({ state: 'off' });
    expect(await isOn()).toBe(false);

    const planned = { plannedFrom: at(1), plannedTo: at(2) };
    expect((await save(planned)).json).toMatchObject({ state: 'planned', ...planned });
    expect(await isOn()).toBe(false);
    expect((await save({ plannedFrom: at(-1) })).json).toMatchObject({ state: 'on' });
    expect(await isOn()).toBe(true);
    expect((await save({ plannedFrom: at(-2), plannedTo: at(-1) })).json).toMatchObject({
      state: 'off',
    });
    expect(await isOn()).toBe(false);
    const none = { plannedFrom: null, plannedTo: null };
    expect((await save(none)).json).toMatchObject({ state: 'off', ...none });
  });

  test('is refused with an end that is not after its beginning', async () => {
    const refused = async (values: object) => (await save(values)).json.details;
    expect(await refused({ plannedTo: at(1) })).toEqual({ fields: { plannedFrom: 'REQUIRED' } });
    expect(await refused({ plannedFrom: at(2), plannedTo: at(1) })).toEqual({
      fields: { plannedTo: 'ENDS_BEFORE' },
    });
  });
});
