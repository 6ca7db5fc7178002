/** Files of a double are marked wherever they appear, and files of a maker's service nowhere. */
import { createHash, randomBytes } from 'node:crypto';
import { pathOf } from '@recodery/contract/api';
import { definitionOf, families } from '@recodery/contract/families/registry';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { componentsRoute } from '@recodery/contract/features/slots';
import type { Tray } from '@recodery/contract/features/trays';
import type { WebhookType } from '@recodery/contract/features/webhooks';
import type { EncodeResult } from '@recodery/contract/results';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoSlaveOf } from '../../src/demo/demo-doubles.ts';
import { type Make, masterSerial } from '../../src/demo/doubles/make.ts';
import { allMakes, makes } from '../../src/demo/doubles/makes.ts';
import { readOperationRow } from '../../src/operations/operation-row.ts';
import { saveConnection } from '../../src/engine-connections/engine-connections.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { fill, textsByLocale } from '../../src/texts/texts.ts';
import { createWebhookData } from '../../src/webhook-data.ts';
import { type MailServer, sharePathIn, startMailServer } from '../email/mail-server.ts';
import { encodeEnd } from '../engine/encoding-api/vendor-workflow.ts';
import type { Client } from '../fixtures/client.ts';
import { type FakeService, startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { readZip } from '../fixtures/read-zip.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { bodyOf, exportJobs, importBytes } from '../jobs/imports.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';

interface Side {
  readonly portal: RunningPortal;
  readonly client: Client;
  readonly mails: MailServer;
}

/** A job of a tray whose file was sent, and in which places it is marked. */
interface Marked {
  readonly slotGUID: string;
  readonly marks: Readonly<Record<string, boolean>>;
}

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

async function decodeInTray({ client }: Side, { family }: Make, bytes: Uint8Array) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { name: 'golf', size: bytes.length, sha256, workflow: family, error: null };
  const tray = (await client.post('/api/trays', { files: [file] })).json as Tray;
  const path = `/api/trays/${tray.guid}/files/${tray.files[0]?.guid}`;
  const upload = { field: 'readFile', bytes, name: 'golf' };
  const decoded = await client.follow(started(await client.upload('POST', path, upload)));
  expect(decoded.error).toBeNull();
  return { tray: tray.guid, decoded, slotGUID: decoded.slotGUID ?? '' };
}

/**
 * What a webhook about each operation of a slot contains, and that of the workshop that received the file; null: no
 * workshop is known to own the slave.
 */
async function describeToWebhooks({ portal: { platform } }: Side, slotGUID: string) {
  const { db } = platform;
  const rows = await db
    .selectFrom('operation')
    .selectAll()
    .where('slot_guid', '=', slotGUID)
    .orderBy('created_on')
    .execute();
  const messageOf = async (row: (typeof rows)[number], type: WebhookType, receiver: string) => {
    const operation = readOperationRow(row);
    const about = {
      ...{ type, clientGuid: null, organisationId: mintOrganisationId(receiver), attempt: 1 },
      ...{ guid: operation.guid, webhookId: operation.guid, endpointGuid: operation.guid },
      ...{ operationGuid: operation.guid, senderOrganisationId: operation.organisationId },
      createdOn: new Date(),
    };
    return createWebhookData(platform)(about, operation);
  };
  const received = await db
    .selectFrom('notification')
    .select(['guid', 'receiver_organisation_guid'])
    .where('slot_guid', '=', slotGUID)
    .where('receiver_organisation_guid', 'is not', null)
    .executeTakeFirst();
  const sent = rows.find(({ guid }) => guid === received?.guid);
  const receiver = received?.receiver_organisation_guid ?? null;
  return {
    own: await Promise.all(
      rows.map((row) => messageOf(row, 'operation.completed', row.organisation_guid)),
    ),
    received: sent && receiver && (await messageOf(sent, 'file.received', receiver)),
  };
}

/** The name of a restore kit, as its job states it and as it is downloaded. */
async function prepareKit({ client }: Side, slotGUID: string): Promise<readonly string[]> {
  const path = `/api/jobs/${slotGUID}`;
  expect((await client.post(`${path}/restore-kit`)).status).toBe(200);
  const read = async () => ((await client.get(path)).json as Job).restoreKit;
  await expect.poll(async () => (await read()).state, { timeout: 90_000 }).toBe('ready');
  const { fileName, fileGUID } = await read();
  const download = await client.get(`/api/files/${fileGUID}`);
  return [fileName ?? '', download.headers.get('content-disposition') ?? ''];
}

async function describeExport({ portal, client }: Side, slotGUID: string) {
  const exported = await exportJobs(portal, client);
  return { ...exported, job: exported.manifest.jobs.find(({ guid }) => guid === slotGUID) };
}

/** Decodes a read in a tray, encodes it for a recipient, and looks at every place. */
async function lookEverywhere(side: Side, make: Make, slave: string): Promise<Marked> {
  const { client, mails, portal } = side;
  const { family } = make;
  const { name } = definitionOf(family);
  const read = make.seal(slave, randomBytes(64));
  const { tray, decoded, slotGUID } = await decodeInTray(side, make, read);
  const notificationInfo = { email: 'x@y.test', message: null, isPrivate: false };
  const body = { slotGUID, files: {}, notificationInfo };
  const { result } = await encodeEnd(client, `/api/${family}/encode-file`, body);
  const encoded = result as EncodeResult;

  const notes = [...textsByLocale.values()].map((texts) => fill(texts.doubleNote, name));
  const hasNote = (text: string): boolean => notes.some((note) => text.includes(note));
  const pageAt = async (at: string) => (await fetch(new URL(at, portal.url))).text();
  const mail = await mails.next();
  const { json: check } = await client.post('/api/receipts/check', { code: encoded.receiptCode });
  const fetchTray = async (fileType: string) => {
    const { json } = await client.post(`/api/trays/${tray}/ticket`, { fileType });
    return readZip((await client.get((json as { readonly url: string }).url)).bytes);
  };
  const listOf = async (fileType: string) =>
    textOf((await fetchTray(fileType)).get('manifest.txt')).includes(`demo double of ${name}`);
  const inTray = ((await client.get(`/api/trays/${tray}`)).json as Tray).files[0];
  const components =
    definitionOf(family).modes.bootbench === undefined
      ? null
      : await client.get(pathOf(componentsRoute(family), { id: slotGUID }));
  const { job } = await describeExport(side, slotGUID);
  const [kitName = '', kitDownload = ''] = await prepareKit(side, slotGUID);
  const messages = await describeToWebhooks(side, slotGUID);
  // the last one is about the restore kit
  expect(messages.own).toHaveLength(3);
  if (family === 'flex') expect(messages.received).not.toBeNull();
  const isMarked = (value: unknown): boolean =>
    (value as { readonly isDouble?: boolean } | null | undefined)?.isDouble === true;
  return {
    slotGUID,
    marks: {
      'the result of the decode': isMarked(decoded.result),
      'the result of the encode': isMarked(encoded),
      'the name of the encoded file': encoded.name.includes('_demo-double'),
      'the email as text': hasNote(mail.part('text/plain')),
      'the email as HTML': hasNote(mail.part('text/html')),
      'the page of its link': hasNote(await pageAt(sharePathIn(mail))),
      'the page of the receipt': hasNote(
        await pageAt(`/receipts/${encoded.receiptCode}?language=en-US`),
      ),
      'the signed receipt': isMarked((check as { readonly content: unknown }).content),
      'the job': isMarked((await client.get(`/api/jobs/${slotGUID}`)).json),
      'the tray': isMarked(inTray),
      'the list in the zip of encoded files': await listOf('Encoded'),
      'the list in the zip of decoded files': await listOf('Decoded'),
      ...(components && {
        'the zip of the components': readZip(components.bytes).has('demo-double.txt'),
      }),
      'the name of the restore kit': kitName.includes('_demo-double'),
      'the download of the restore kit': kitDownload.includes('_demo-double'),
      'the manifest of an export': isMarked(job),
      'the webhook about the decode': isMarked(messages.own[0]?.['result']),
      'the webhook about the encode': isMarked(messages.own[1]?.['result']),
      ...(messages.received && {
        'the webhook of the recipient': isMarked(messages.received['result']),
      }),
    },
  };
}

const allAre = (marks: Marked['marks'], isMarked: boolean): Marked['marks'] =>
  Object.fromEntries(Object.keys(marks).map((place) => [place, isMarked]));

async function startSide(email: string, settings: Record<string, string>): Promise<Side> {
  const mails = await startMailServer();
  const own = { RECODERY_SMTP_URL: mails.url, RECODERY_MAIL_FROM: 'p@demo.test' };
  const portal = await startTestPortal({ ...own, ...settings }, true);
  // as long as a name can be: what is cut off is never the mark
  const formats = Object.fromEntries(families.map((family) => [family, 'x'.repeat(110)]));
  const name_formats = JSON.stringify(formats);
  const { db } = portal.platform;
  const organisations = await db.selectFrom('organisation').select('guid').execute();
  await db
    .insertInto('organisation_preferences')
    .values(organisations.map(({ guid }) => ({ organisation_guid: guid, name_formats })))
    .onConflict((conflict) => conflict.column('organisation_guid').doUpdateSet({ name_formats }))
    .execute();
  return { portal, mails, client: await portal.signIn(email) };
}

/** Gives an organisation of a portal a master of a make, whose engine is the demo portal. */
async function connectTo(vendor: Side, { portal }: Side, make: Make): Promise<void> {
  const { guid: clientGuid, secretKey } = await vendor.portal.addClient({
    customerCode: 'CC-6006',
  });
  const name = `vendor of ${make.family}`;
  const url = `${vendor.portal.url}/encoding-api`;
  await saveConnection(portal.platform, { name, kind: 'encoding-api', url, clientGuid }, secretKey);
  const master = { family: make.family, serial: masterSerial(make, '3003'), engine: name };
  const groupCodes = [{ code: 'G-30', masters: [master] }];
  const plan = await applyDirectory(portal.platform, {
    organisations: [{ customerCode: 'CC-3003', name: 'Mia Performance', groupCodes }],
  });
  if (!('changes' in plan)) throw new Error(plan.mistakes.map(({ text }) => text).join('\n'));
}

describe('a file', () => {
  // one make of each of the two modules of makes' services: every place reads the same mark
  const ofEach = (make: Make) =>
    make === makes.autotuner || make === makes.flex ? {} : { tags: 'release' };
  let demo: Side;
  let other: Side;
  const services: FakeService[] = [];
  /** Of the doubles, by family. */
  const jobs = new Map<string, string>();

  beforeAll(async () => {
    demo = await startSide('emma@demo.test', { RECODERY_DEMO: 'on' });
    other = await startSide('anna@demo.test', {});
    for (const make of allMakes) {
      const service = await startFakeService(make);
      services.push(service);
      const slave = demoSlaveOf(make);
      const serial = masterSerial(make, '0001');
      const master = { customerCode: 'CC-1001', groupCode: 'G-B', serial, slave };
      await addMake(other.portal.platform, service, [master]);
    }
  });
  afterAll(async () => {
    for (const { portal, mails } of [demo, other]) {
      await portal.stop();
      await mails.stop();
    }
    for (const service of services) await service.stop();
  });

  // promise d3.demo.doubles
  test.each(allMakes)('of a double of $family is marked in every place', async (make) => {
    const { marks, slotGUID } = await lookEverywhere(demo, make, demoSlaveOf(make));
    jobs.set(make.family, slotGUID);
    expect(marks).toEqual(allAre(marks, true));
  });

  describe.each(allMakes)('of the service of $family', (make) => {
    test('is marked in no place', ofEach(make), async () => {
      const { marks } = await lookEverywhere(other, make, demoSlaveOf(make));
      expect(marks).toEqual(allAre(marks, false));
    });
  });

  // decision 194
  describe.each(allMakes.filter(({ family }) => !definitionOf(family).asksForSlave))(
    "of a double of $family at a vendor's portal",
    (make) => {
      test('is marked in every place here', ofEach(make), async () => {
        await connectTo(demo, other, make);
        const client = await other.portal.signIn('mia@demo.test');
        const { marks } = await lookEverywhere({ ...other, client }, make, demoSlaveOf(make));
        expect(marks).toEqual(allAre(marks, true));
      });
    },
  );

  describe.each(allMakes)('of a double of $family', (make) => {
    const isRefused = make === allMakes[0];
    const rarely = isRefused || make === makes.flex ? {} : { tags: 'release' };
    test('is still marked after an import elsewhere, decoded there or not', rarely, async () => {
      const slotGUID =
        jobs.get(make.family) ?? (await lookEverywhere(demo, make, demoSlaveOf(make))).slotGUID;
      const { job, zip } = await describeExport(demo, slotGUID);
      if (job === undefined) throw new Error('the job is not exported');
      const service = services.find((one) => one.make === make);
      if (isRefused) service?.misbehave({ status: 400, body: '{}' });
      const imported = await importBytes(other.client, bodyOf(job, zip));
      expect(imported.outcome).toBe('imported');
      const slot = imported.slotGUID ?? '';
      const { db } = other.portal.platform;
      const find = () =>
        db.selectFrom('operation').selectAll().where('slot_guid', '=', slot).executeTakeFirst();
      await expect
        .poll(async () => (await find())?.status, { timeout: 20_000 })
        .toBe(isRefused ? 'failed' : 'succeeded');
      expect((await other.client.get(`/api/jobs/${slot}`)).json).toMatchObject({ isDouble: true });
      expect((await describeExport(other, slot)).job).toMatchObject({ isDouble: true });
      if (isRefused) return;
      const body = { slotGUID: slot, files: {} };
      const { result } = await encodeEnd(other.client, `/api/${make.family}/encode-file`, body);
      expect(result).toMatchObject({ isDouble: true, name: expect.stringMatching(/_demo-double/) });
    });
  });
});
