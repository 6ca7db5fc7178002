/** Names in an organisation's formats: the vehicle, the customer label and the local time, in files, emails and logs. */
import type { ReadToSeal } from '@recodery/codec/simulator/slave';
import { timeZoneHeader } from '@recodery/contract/headers';
import { decodeResult as ktagResult } from '@recodery/contract/families/ktag';
import type { Job, JobSummary } from '@recodery/contract/features/jobs/jobs';
import { afterEach, describe, expect, test } from 'vitest';
import { generateEcuImage } from '../../../codec/samples/ecu-images.ts';
import { readCsv } from '../operations-log/read-csv.ts';
import { imagesOf, resultOf, seal, uploadTo } from './families/component-workflow.ts';
import { decodeKess3, encodeObd } from './families/kess3-workflow.ts';
import { decode, encode, sealImage } from './families/kessv2-workflow.ts';
import { startJourney } from './workflow-setup.ts';

const { portal, anna, slave } = await startJourney('kessv2');

const vin = 'ZAR93900001234567';
const image = new Uint8Array(4096).fill(7);

const json = (method: 'PUT' | 'POST', path: string, body: unknown) =>
  anna.call(method, path, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const prefer = async (organisationPreferences: object) => {
  const answer = await json('PUT', '/api/preferences/', { organisationPreferences });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
};
const describeVehicle = (slot: string, entry: object, client = anna) =>
  client.call('PUT', `/api/jobs/${slot}/vehicle`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(entry),
  });
/** The page tells the server the time zone of its browser when it asks for its session. */
const openPageIn = (timeZone: string) =>
  anna.call('GET', `/api/auth/session/${anna.sessionId}`, {
    headers: { [timeZoneHeader]: timeZone },
  });
const decodeCar = async (name = 'golf.tfc') =>
  decode(anna, sealImage(slave, 9000, image, { information: { vin } }), name);
const jobOf = async (slot: string) => (await anna.get(`/api/jobs/${slot}`)).json as Job;
/** `yyyyMMdd-HH` of the current time in a time zone. */
const hourIn = (timeZone: string) => {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  });
  return clock.format(new Date()).slice(0, 13).replaceAll('-', '').replace(' ', '-');
};

afterEach(() => prefer({}));

describe('names', () => {
  // promise 3.preferences.placeholders
  test('of decoded files of all families and of encoded ones contain what is known', async () => {
    await prefer({
      decodedFileNameFormat: '%p %v (%c) %s',
      encodedKESSv2FileNameFormat: '%c_%v_stage1',
      encodedKESS3FileNameFormat: '%r_%s_%c',
    });
    const decoded = await decodeCar();
    expect(decoded.name).toBe(`9000 ${vin} KV2-000007`);
    expect(decoded.decodedFileName).toBe(`${decoded.name}.bin`);
    expect(decoded.idFileName).toBe(`${decoded.name}.id`);
    await describeVehicle(decoded.kessv2SlotGUID, { customerLabel: ' Müller / Golf 7 ' });
    const body = { kessv2FileSlotGUID: decoded.kessv2SlotGUID };
    const encoded = await encode(anna, body, 'reencode-decoded-file');
    expect(encoded.name).toBe(`Müller _ Golf 7_${vin}_stage1.moc`);

    const kess3 = await portal.getSlave('kess3', 'KS3-000042');
    const read = {
      protocolId: 9000,
      mode: 'obd',
      images: imagesOf(9000, 1, { obd: 1024 }),
    } as const;
    const { kess3FileSlotGUID, obdDecodedFileName } = await decodeKess3(anna, kess3, read, {
      workflow: 'kess3',
      query: '',
    });
    expect(obdDecodedFileName).toMatch(/^9000 .*KS3-000042\.bin$/);
    expect((await encodeObd(anna, kess3FileSlotGUID, {}, {})).name).toMatch(/_KS3-000042\.moc$/);

    const ktag = await portal.getSlave('ktag', 'KTG-000007');
    const backup = {
      ...read,
      mode: 'bootbench',
      images: imagesOf(9000, 1, { flash: 1024 }),
    } as const;
    const answer = await uploadTo(anna, '/api/ktag/upload-read-backup', seal(ktag, backup));
    const { name, components } = ktagResult.parse(await resultOf(anna, answer));
    expect(name).toBe(`9000 ${vin} KTG-000007`);
    expect(components[0]?.decodedFileName).toBe(`${name}.fls`);
  });

  // promise 3.preferences.placeholders
  test('contain the numbers that the slave reports, else those that were recognized, else none', async () => {
    await prefer({ decodedFileNameFormat: 'x_%h_%w', encodedKESSv2FileNameFormat: '%w tuned' });
    const decodeWith = (bytes: Uint8Array, information: ReadToSeal['information']) =>
      decode(anna, sealImage(slave, 9000, bytes, { information }));
    const { image: me7, expected } = generateEcuImage('bosch-me7', 11);
    const recognized = await decodeWith(me7, {});
    expect(recognized.name).toBe(`x_${expected.hardware}_${expected.software}`);
    const body = { kessv2FileSlotGUID: recognized.kessv2SlotGUID };
    const encoded = await encode(anna, body, 'reencode-decoded-file');
    expect(encoded.name).toBe(`${expected.software} tuned.moc`);
    const reported = await decodeWith(me7, { software: 'SW-1' });
    expect(reported.name).toBe(`x_${expected.hardware}_SW-1`);
    expect((await decodeWith(image, {})).name).toBe('x');
  });

  // promise 3.preferences.time-zone
  test('show the local time: of the organization, else of the browser, else UTC', async () => {
    const zones = ['Pacific/Kiritimati', 'Pacific/Niue'] as const;
    /** Decodes a read, and expects the current hour in its name, also if a new one begins meanwhile. */
    const expectNamed = async (zone: string, formOf: (hour: string) => RegExp) => {
      const before = hourIn(zone);
      const { name } = await decodeCar();
      expect(name).toMatch(formOf(`(?:${before}|${hourIn(zone)})`));
    };
    const usual = (hour: string) => new RegExp(`_${hour}`);
    await expectNamed('UTC', usual);
    await openPageIn(zones[0]);
    await expectNamed(zones[0], usual);
    await openPageIn('Mars/Olympus');
    await expectNamed(zones[0], usual);
    await prefer({ timeZone: zones[1], decodedFileNameFormat: '%t' });
    const hour = hourIn(zones[1]);
    await expectNamed(zones[1], (now) => new RegExp(`^${now}\\d{4}$`));
    const log = readCsv((await anna.get('/api/operations-log/kessv2')).text.replace('\ufeff', ''));
    const [columns = [], newest = []] = log;
    const cell = (name: string) => newest[columns.indexOf(name)] ?? '';
    expect(cell('Time zone')).toBe(zones[1]);
    const local = cell('Started (local time)').slice(0, 13).replaceAll('-', '').replace(' ', '-');
    expect([hour, hourIn(zones[1])]).toContain(local);
    const refused = await json('PUT', '/api/preferences/', {
      organisationPreferences: { timeZone: 'Mars/Olympus' },
    });
    expect([refused.status, refused.text]).toEqual([400, 'BAD_REQUEST']);
  });

  test('in logs and notifications never contain the VIN', async () => {
    await prefer({ encodedKESSv2FileNameFormat: '%v_%c', decodedFileNameFormat: '%v' });
    const decoded = await decodeCar('plain.tfc');
    const body = { kessv2FileSlotGUID: decoded.kessv2SlotGUID };
    expect((await encode(anna, body, 'reencode-decoded-file')).name).toBe(`${vin}.moc`);
    const log = (await anna.get('/api/operations-log/kessv2')).text;
    expect(log).not.toContain(vin);
    const notices = await anna.get('/api/async-operation-notifications/?count=2');
    const shown = (notices.json as { targetURL: string }[]).map((one) => ({
      ...one,
      targetURL: '',
    }));
    expect(JSON.stringify(shown)).toContain('….moc');
    expect(JSON.stringify(shown)).not.toContain(vin);
  });
});

describe('what users enter about the vehicle', () => {
  const entry = {
    customerLabel: 'Müller',
    plate: 'M-AB 1234',
    vehicleMake: 'Volkswagen',
    vehicleModel: 'Golf 7 GTI',
  };

  // promise j1.jobs.entered
  test('is in the job, in the list, in the search and in the export', async () => {
    const { kessv2SlotGUID: slot } = await decodeCar();
    expect((await describeVehicle(slot, entry)).status).toBe(204);
    expect(await jobOf(slot)).toMatchObject(entry);
    for (const search of ['muller', 'ab 1234', 'volkswagen', 'gti']) {
      const found = await anna.get(`/api/jobs?search=${encodeURIComponent(search)}`);
      expect((found.json as JobSummary[])[0]).toMatchObject({ slotGUID: slot, ...entry });
    }
    const { url } = (await json('POST', '/api/jobs-export/ticket', undefined)).json as {
      url: string;
    };
    const text = Buffer.from((await anna.get(url)).bytes).toString();
    expect(text.includes('"plate":"M-AB 1234"')).toBe(true);
    await describeVehicle(slot, { plate: '  ', customerLabel: null });
    expect(await jobOf(slot)).toMatchObject({ ...entry, plate: null, customerLabel: null });
  });

  // promise j1.jobs.entered
  test('keeps what a colleague has entered in other fields', async () => {
    const { kessv2SlotGUID: slot } = await decodeCar();
    const colleague = await portal.signIn('anna@demo.test');
    const { plate, ...others } = entry;
    expect((await describeVehicle(slot, others, colleague)).status).toBe(204);
    expect((await describeVehicle(slot, { plate })).status).toBe(204);
    expect(await jobOf(slot)).toMatchObject(entry);
    expect((await describeVehicle(slot, {})).status).toBe(204);
    expect(await jobOf(slot)).toMatchObject(entry);
  });

  test('belongs to the organization, and is deleted with the job', async () => {
    const { kessv2SlotGUID: slot } = await decodeCar();
    await describeVehicle(slot, entry);
    const mia = await portal.signIn('mia@demo.test');
    expect((await describeVehicle(slot, entry, mia)).status).toBe(404);
    await anna.call('DELETE', `/api/jobs/${slot}`);
    const { db } = portal.platform;
    const row = db.selectFrom('slot').where('guid', '=', slot);
    expect(
      await row.select(['customer_label', 'plate', 'vehicle_make', 'vehicle_model']).execute(),
    ).toEqual([{ customer_label: null, plate: null, vehicle_make: null, vehicle_model: null }]);
  });

  test('is limited in length', async () => {
    const { kessv2SlotGUID: slot } = await decodeCar();
    const answer = await describeVehicle(slot, { plate: 'x'.repeat(61) });
    expect([answer.status, answer.text]).toEqual([400, 'BAD_REQUEST']);
  });
});
