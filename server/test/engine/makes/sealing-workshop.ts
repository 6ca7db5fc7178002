/** A workshop whose files expire, with its maker's service and a mail server: the shared steps of the tests of sealing. */
import type { Make } from '../../../src/demo/doubles/make.ts';
import { randomBytes } from 'node:crypto';
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type MailServer, startMailServer } from '../../email/mail-server.ts';
import type { Client } from '../../fixtures/client.ts';
import { type FakeService, startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { allMakes } from '../../../src/demo/doubles/makes.ts';
import { type RunningPortal, startTestPortal, testPace } from '../../fixtures/running-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import { encodeEnd, keep } from '../encoding-api/vendor-workflow.ts';

export const expiring = allMakes.filter(({ family }) => doFilesExpire(family));

export const refusal = { status: 400, body: '{"message":"The read is too old."}' } as const;

interface Encoded {
  readonly slotGUID: string;
  readonly fileGUID: string;
  /** The image in it. */
  readonly image: Buffer;
}

export function useSealing(make: Make) {
  const { family } = make;

  let mails: MailServer;
  let service: FakeService;
  let portal: RunningPortal;
  let anna: Client;

  beforeAll(async () => {
    mails = await startMailServer();
    service = await startFakeService(make);
    const times = { ...testPace.times, patience: 1500, answer: 1500 };
    portal = await startTestPortal(
      {
        RECODERY_SMTP_URL: mails.url,
        RECODERY_MAIL_FROM: 'portal@recodery.test',
        RECODERY_WEBHOOK_ALLOW: '127.0.0.1',
      },
      true,
      { ...testPace, times },
    );
    await addMake(portal.platform, service);
    anna = await portal.signIn('anna@demo.test');
  });
  beforeEach(() => {
    service.behave();
    service.sealed.length = 0;
  });
  afterAll(async () => {
    await portal.stop();
    await service.stop();
    await mails.stop();
  });

  /** Encodes a modified image, and makes the file `hours` old. */
  async function encodeOld(hours: number, email: string | null = null): Promise<Encoded> {
    const original = randomBytes(64);
    const read = { field: 'readFile', bytes: make.seal('Golf', original), name: 'golf' };
    const path = `/api/${family}/upload-read-file`;
    const decoded = await anna.follow(started(await anna.upload('POST', path, read)));
    const slotGUID = decoded.slotGUID ?? '';
    const image = Buffer.from(original).fill(1, 0, 9);
    const place = `/api/${family}/upload-modified-file/${slotGUID}/image`;
    const guid = await keep(anna, place, 'file', image);
    const notificationInfo = email === null ? null : { email, message: null, isPrivate: false };
    const body = { slotGUID, files: { image: guid }, notificationInfo };
    const ended = await encodeEnd(anna, `/api/${family}/encode-file`, body);
    const { fileGUID } = ended.result as { readonly fileGUID: string };
    await makeOlder(fileGUID, hours);
    service.sealed.length = 0;
    return { slotGUID, fileGUID, image };
  }

  async function makeOlder(fileGUID: string, hours: number): Promise<void> {
    const sealedOn = new Date(Date.now() - hours * 3_600_000).toISOString();
    await sql`update operation set result = jsonb_set(result, '{sealedOn}', to_jsonb(${sealedOn}::text))
      where result ->> 'fileGuid' = ${fileGUID}`.execute(portal.platform.db);
  }

  const pathOf = (fileGUID: string): string => `/api/files/${fileGUID}/sealing`;

  async function stateOf(fileGUID: string, client = anna): Promise<SealingState> {
    const { status, json } = await client.get(pathOf(fileGUID));
    expect(status).toBe(200);
    return json as SealingState;
  }

  async function seal(fileGUID: string, client = anna): Promise<SealingState> {
    const { status, json, text } = await client.post(pathOf(fileGUID));
    expect([status, text]).toEqual([200, text]);
    return json as SealingState;
  }

  async function sealUntil(wanted: SealingState['state'], fileGUID: string, client = anna) {
    expect((await seal(fileGUID, client)).state).toBe('sealing');
    await expect.poll(async () => (await stateOf(fileGUID, client)).state).toBe(wanted);
    return stateOf(fileGUID, client);
  }

  async function download(fileGUID: string, client = anna) {
    const { json } = await client.post(`/api/files/${fileGUID}/ticket`);
    const { bytes } = await client.get((json as { readonly url: string }).url);
    return make.open(bytes);
  }

  const describeJob = async (slotGUID: string) =>
    (await anna.get(`/api/jobs/${slotGUID}`)).json as Job;

  /** Each test reads them when it runs: they are not there before. */
  const workshop = {
    get mails() {
      return mails;
    },
    get service() {
      return service;
    },
    get portal() {
      return portal;
    },
    get anna() {
      return anna;
    },
  };
  return {
    workshop,
    encodeOld,
    makeOlder,
    pathOf,
    stateOf,
    seal,
    sealUntil,
    download,
    describeJob,
  };
}
