/** Trays beside pages: their operations leave a place of the quota free, and no page ever sees them. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { sessionHeader } from '@recodery/contract/headers';
import type { Operation } from '@recodery/contract/features/operations';
import { type Tray, tray as trayShape } from '@recodery/contract/features/trays';
import {
  type ContainerFamily,
  containerFamilies,
  type ContainerWorkflow,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import { activeFieldOf } from '@recodery/contract/family-routes/page-calls';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayStart, trayPlaces } from '../../src/operations/operation-rules.ts';
import type { Client } from '../fixtures/client.ts';
import { byContainerFamily, demoSlaves, readPaths, usualRead } from '../fixtures/demo-devices.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { imagesOf, seal, uploadTo } from '../journeys/families/component-workflow.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';

/** Each page: its entry point, the field of its active operation, and its upload. */
const pages = {
  ...byContainerFamily(
    (family) => [`/api/${family}`, activeFieldOf(family), readPaths[family]] as const,
  ),
  'kess3-utility': [
    '/api/kess3?mode=utility',
    activeFieldOf('kess3'),
    '/api/kess3/upload-read-file?fromUtility=true',
  ],
} as const satisfies Record<ContainerWorkflow, readonly [string, string, string]>;
const workflows = Object.keys(pages) as ContainerWorkflow[];

describe('the rule of the quota', () => {
  // promise 6.roles.quota-pages
  test('lets a page start an operation whenever only trays have started some', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.constantFrom('tray', 'page', 'tray ends', 'page ends'), { maxLength: 40 }),
        (quota, steps) => {
          let [others, ofTrays] = [0, 0];
          for (const step of steps) {
            if (step === 'tray ends') ofTrays = Math.max(0, ofTrays - 1);
            else if (step === 'page ends') others = Math.max(0, others - 1);
            else if (step === 'page' && mayStart({ others, ofTrays }, quota, false)) others += 1;
            else if (step === 'tray' && mayStart({ others, ofTrays }, quota, true)) {
              ofTrays += 1;
              expect(mayStart({ others, ofTrays }, quota, false)).toBe(true);
            }
            expect(others === 0 && !mayStart({ others, ofTrays }, quota, false)).toBe(false);
            // with a quota of one, a page's operation runs beside that of a tray
            expect(others + ofTrays).toBeLessThanOrEqual(Math.max(2, quota));
            expect(others).toBeLessThanOrEqual(quota);
          }
        },
      ),
    );
  });

  test('lets trays use all other places, and at least one', () => {
    expect([1, 2, 3, 8].map(trayPlaces)).toEqual([1, 1, 2, 7]);
    expect(mayStart({ others: 0, ofTrays: 0 }, 1, true)).toBe(true);
    expect(mayStart({ others: 1, ofTrays: 0 }, 1, true)).toBe(false);
  });
});

function testQuota(quota: number): void {
  let portal: RunningPortal;
  let anna: Client;
  let seed = 0;
  beforeAll(async () => {
    portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: String(quota) });
    await portal.stopWorker();
    anna = await portal.signIn('anna@demo.test');
  });
  afterAll(() => portal.stop());

  async function readOf(family: ContainerFamily, workflow: Workflow = family): Promise<Uint8Array> {
    const slave = await portal.getSlave(family, demoSlaves[family]);
    const { mode, part } = usualRead(family);
    seed += 1;
    const images = imagesOf(9000, seed, { [part]: mode === 'obd' ? 1024 : 4096 });
    const read = { protocolId: 9000, mode, images } as const;
    return seal(slave, read, workflow === 'kess3-utility' ? { workflow } : {});
  }

  /** Uploads reads of all families to a new tray, more than fit into the quota. */
  async function fillTray() {
    const reads = [];
    for (const family of [...containerFamilies, ...containerFamilies]) {
      const bytes = await readOf(family);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const label = { name: `${family}-${seed}.bin`, size: bytes.length, sha256 };
      reads.push({ bytes, row: { ...label, workflow: family, error: null } });
    }
    const files = reads.map(({ row }) => row);
    const tray: Tray = trayShape.parse((await anna.post('/api/trays', { files })).json);
    const answers = [];
    for (const [index, { bytes }] of reads.entries()) {
      const path = `/api/trays/${tray.guid}/files/${tray.files[index]?.guid}`;
      answers.push(await anna.upload('POST', path, { field: 'readFile', bytes }));
    }
    return { tray, answers };
  }

  /** Which of the caller's operations the entry of each page shows: the active one, or the details of a 429. */
  async function shown(): Promise<Record<ContainerWorkflow, readonly string[]>> {
    const entries = await Promise.all(
      workflows.map(async (workflow) => {
        const [path, field] = pages[workflow];
        const { status, json } = await anna.get(path);
        const answer = json as Record<string, Operation | null> & { details?: Operation[] };
        const found = status === 429 ? (answer.details ?? []) : [answer[field] ?? null];
        return [workflow, found.flatMap((one) => one?.guid ?? [])];
      }),
    );
    return Object.fromEntries(entries) as Record<ContainerWorkflow, readonly string[]>;
  }

  async function statuses(): Promise<readonly number[]> {
    return Promise.all(workflows.map(async (id) => (await anna.get(pages[id][0])).status));
  }

  const nothing = Object.fromEntries(workflows.map((id) => [id, []]));

  // promise 6.roles.quota-pages, d6.quota.pages-only
  test.each(workflows)(
    'a tray leaves a place for the page %s, which shows only its own work',
    async (id) => {
      const [, , uploadPath] = pages[id];
      const { tray, answers } = await fillTray();
      const accepted = answers.filter(({ status }) => status === 202);
      expect(accepted).toHaveLength(trayPlaces(quota));
      expect(tray.parallelOperations).toBe(trayPlaces(quota));
      for (const { status, json } of answers.slice(accepted.length))
        expect([status, (json as { details: unknown }).details]).toEqual([429, []]);
      expect(await statuses()).toEqual(workflows.map(() => 200));
      expect(await shown()).toEqual(nothing);
      const family = workflowOf(id).family as ContainerFamily;
      const own = started(await uploadTo(anna, uploadPath, await readOf(family, id)));
      expect((await shown())[id]).toEqual([own.guid]);
      const trays = new Set(accepted.map((answer) => started(answer).guid));
      expect(
        Object.values(await shown())
          .flat()
          .filter((guid) => trays.has(guid)),
      ).toEqual([]);
      // the free place is now taken
      expect(await statuses()).toEqual(workflows.map(() => 429));
      await portal.startWorker();
      for (const answer of accepted) await anna.follow(started(answer));
      await anna.follow(own);
      await portal.stopWorker();
    },
  );

  /** Announces an upload whose body is sent only if the portal asks for it: null if it does, else its response. */
  async function announceUpload(path: string) {
    const upload = request(new URL(path, anna.url), {
      method: 'POST',
      headers: {
        [sessionHeader]: anna.sessionId,
        'content-type': 'multipart/form-data; boundary=cut',
        expect: '100-continue',
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<readonly [number, string] | null>();
    upload.once('continue', () => resolve(null)).once('error', reject);
    upload.once('response', (response) => {
      text(response).then((body) => resolve([response.statusCode ?? 0, body]), reject);
    });
    upload.flushHeaders();
    const answer = await promise;
    upload.on('error', () => undefined).destroy();
    return answer;
  }

  // promise 6.roles.quota-pages
  test('a tray that has used its places is refused before it sends a read, and pages are not', async () => {
    const { tray, answers } = await fillTray();
    const next = tray.files[answers.length - 1]?.guid ?? '';
    const path = `/api/trays/${tray.guid}/files/${next}`;
    const refusal = { errorCode: 'API_ERROR_THROTTLING', details: [] };
    const [status, body] = (await announceUpload(path)) ?? [];
    expect([status, JSON.parse(body ?? 'null')]).toEqual([429, refusal]);
    expect(await announceUpload(pages.kessv2[2])).toBeNull();
    await portal.startWorker();
    for (const answer of answers) if (answer.status === 202) await anna.follow(started(answer));
    expect(await announceUpload(path)).toBeNull();
    await portal.stopWorker();
  });

  // promise d6.quota.pages-only
  test('neither a program’s operations nor a tray’s encode appear on a page', async () => {
    const bytes = await readOf('kessv2');
    await portal.startWorker();
    const { slotGUID } = await anna.follow(
      started(await uploadTo(anna, '/api/kessv2/upload-read-file', bytes)),
    );
    const image = await anna.upload('PUT', `/api/kessv2/upload-modified-file/${slotGUID}`, {
      field: 'modifiedFile',
      bytes: new Uint8Array(1024).fill(1),
    });
    await portal.stopWorker();
    const encoding = await anna.post('/api/kessv2/encode-file?isFromTray=true', {
      kessv2FileSlotGUID: slotGUID,
      modifiedFileGUID: (image.json as { fileGUID: string }).fileGUID,
    });
    const ofTray = started(encoding);
    expect(await statuses()).toEqual(workflows.map(() => 200));
    expect(await shown()).toEqual(nothing);
    const program = await portal.addClient();
    const ofProgram: Operation[] = [];
    for (;;) {
      const answer = await uploadTo(
        program.client,
        '/api/kessv2/upload-read-file',
        await readOf('kessv2'),
      );
      if (answer.status === 429) break;
      ofProgram.push(started(answer));
    }
    expect(ofProgram).toHaveLength(Math.max(1, quota - 1));
    expect(await statuses()).toEqual(workflows.map(() => 429));
    expect(await shown()).toEqual(nothing);
    await portal.startWorker();
    await anna.follow(ofTray);
    for (const one of ofProgram) await program.client.follow(one);
    await portal.stopWorker();
  });
}

describe.each([1, 2])('with a quota of %i', (quota) => {
  testQuota(quota);
});
describe('with a quota of 4', { tags: 'release' }, () => {
  testQuota(4);
});
