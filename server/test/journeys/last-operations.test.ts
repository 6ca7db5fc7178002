/** The list of the last operations over HTTP: what each line shows, whose it is, and how the list is paged. */
import type { OperationSummary } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { newGuid } from '../../src/config/guids.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, sealImage, started, uploadRead } from './families/kessv2-workflow.ts';

const vin = 'ZAR93900001234567';
const image = new Uint8Array(4096).fill(7);

let portal: RunningPortal;
let anna: Client;
let paolo: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  await applyDirectory(portal.platform, {
    users: [{ email: 'paolo@demo.test', name: 'Paolo Verdi', customerCodes: ['CC-1001'] }],
  });
  [anna, paolo] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('paolo@demo.test'),
  ]);
});
afterAll(() => portal.stop());

async function listOf(client: Client, query = ''): Promise<OperationSummary[]> {
  const answer = await client.get(`/api/operations${query}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as OperationSummary[];
}

async function sealed(information: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  return sealImage(slave, 9000, image, { information });
}

describe('a line of the last operations', () => {
  // promise 2.home-cards.opens
  test('shows file, result, protocol, engine and user, for decodes and encodes', async () => {
    const read = await sealed({ vin, engine: '2.2 JTDM 210' });
    const decoded = await decode(anna, read, 'golf.tfc');
    const body = { kessv2FileSlotGUID: decoded.kessv2SlotGUID };
    const encoded = await encode(paolo, body, 'reencode-decoded-file');
    const alike = {
      fileName: 'golf.tfc',
      slaveSerialNumber: 'KV2-000007',
      protocolID: 9000,
      protocolName: 'REF-OPEN',
      engine: '2.2 JTDM 210',
    };
    const lines = await listOf(anna, '?count=2');
    expect(lines).toMatchObject([
      { ...alike, resultName: encoded.name, userDisplayName: 'Paolo Verdi' },
      { ...alike, resultName: decoded.name },
    ]);
    expect(lines[1]?.userDisplayName).toMatch(/^Anna /);
    expect(JSON.stringify(lines)).not.toContain(vin);
  });

  test('hides a VIN in place of the engine', async () => {
    await decode(anna, await sealed({ vin, engine: `BLS ${vin}` }), 'named.tfc');
    const [line] = await listOf(anna, '?count=1');
    expect(line?.engine).toBe('BLS …');
  });

  test('contains the user, and null for unknown values, if the file could not be decoded', async () => {
    const { guid } = started(await uploadRead(paolo, new Uint8Array(100), 'broken.tfc'));
    const { error } = await paolo.follow({ guid });
    expect((await listOf(anna, '?count=1'))[0]).toMatchObject({
      guid,
      status: 'failed',
      fileName: 'broken.tfc',
      resultName: null,
      slaveSerialNumber: null,
      protocolID: null,
      protocolName: null,
      engine: null,
      userDisplayName: 'Paolo Verdi',
      error,
    });
  });
});

describe('the list of the last operations', () => {
  test('is empty if no lines are requested', async () => {
    expect(await listOf(anna, '?count=0')).toEqual([]);
  });

  test('continues after any of its lines, without gaps or duplicates', async () => {
    const all = (await listOf(anna, '?count=50')).map(({ guid }) => guid);
    expect(all.length).toBeGreaterThanOrEqual(3);
    for (const [at, guid] of all.entries()) {
      const rest = await listOf(anna, `?count=2&before=${guid}`);
      expect(rest.map((line) => line.guid)).toEqual(all.slice(at + 1, at + 3));
    }
  });

  test('does not continue after an operation of another organisation', async () => {
    const mia = await portal.signIn('mia@demo.test');
    const { guid } = started(await uploadRead(mia, new Uint8Array(100)));
    await mia.follow({ guid });
    expect(await listOf(anna, `?before=${guid}`)).toEqual([]);
    expect(await listOf(anna, `?before=${newGuid()}`)).toEqual([]);
  });

  test.each(['before=x', 'count=-1', 'count=100'])('refuses %s', async (query) => {
    const answer = await anna.get(`/api/operations?${query}`);
    expect([answer.status, answer.text]).toEqual([400, 'BAD_REQUEST']);
  });
});
