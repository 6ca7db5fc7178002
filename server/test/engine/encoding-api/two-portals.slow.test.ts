/** Two portals, the second with the first as its vendor: every family and mode in both directions, byte for byte. */
import { cvnOf } from '@recodery/codec/checksum/cvn';
import { tuneImage } from '@recodery/codec/sample-images/images';
import { findComponent } from '@recodery/codec/protocols/protocols';
import type { ComponentName } from '@recodery/contract/families/family';
import { portalCalls } from '@recodery/contract/family-routes/registry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FamilyMode } from '../../fixtures/family-calls.ts';
import { type TwoPortals, startTwoPortals } from '../../fixtures/two-portals.ts';
import { vendorGroup } from '../../fixtures/vendor-portal.ts';
import { addProgram, Program } from '../../encoding-api/program.ts';
import {
  expectImages,
  type Images,
  imagesOf,
  seal,
} from '../../journeys/families/component-workflow.ts';
import { protocolOf } from '../../journeys/families/kessv2-workflow.ts';
import { decodeOn, type EncodeChanges, encodeOn, type Side } from '../portal-workflow.ts';

let portals: TwoPortals;
/** The second portal, with the vendor's masters. */
let there: Side;
/** The first portal, as its own user sees it. */
let here: Side;
beforeAll(async () => {
  portals = await startTwoPortals();
  there = { client: portals.customer.anna, query: vendorGroup };
  here = { client: portals.vendor.own, query: '' };
});
afterAll(() => portals.stop());

/** A read and what is done with it. */
interface FamilyWorkflow extends FamilyMode {
  readonly protocolId: number;
  /** The images that the slave has read. */
  readonly images: Images;
  readonly changes: EncodeChanges;
  /** The read contains the ECU's identification, not its image. */
  readonly identificationOnly?: boolean;
}

const sizes = { flash: 65_536, micro: 16_384, eeprom: 4096 };
const obd = (protocolId: number, size?: number): Images => imagesOf(protocolId, 7, { obd: size });

function imageOf(images: Images, component: ComponentName = 'obd'): Uint8Array {
  const image = images.get(component);
  if (image === undefined) throw new Error(`there is no ${component}`);
  return image;
}

function tuned(protocolId: number, images: Images, ...names: readonly ComponentName[]): Images {
  const protocol = protocolOf(protocolId);
  return new Map(names.map((name) => [name, tuneImage(protocol, name, imageOf(images, name), 8)]));
}

function reversed(images: Images, ...names: readonly ComponentName[]): Images {
  return new Map(names.map((name) => [name, imageOf(images, name).toReversed()]));
}

function obdWorkflow(
  family: 'kessv2' | 'kess3',
  protocolId: number,
  otherwise: Partial<EncodeChanges> = {},
) {
  const images = protocolId === 9000 ? obd(9000, 5000) : obd(protocolId);
  const modified = protocolId === 9000 ? reversed(images, 'obd') : tuned(protocolId, images, 'obd');
  return { family, mode: 'obd', protocolId, images, changes: { modified, ...otherwise } } as const;
}

function withOriginal(workflow: ReturnType<typeof obdWorkflow>): FamilyWorkflow {
  return { ...workflow, changes: { ...workflow.changes, original: imageOf(workflow.images) } };
}

const backup = imagesOf(9000, 3, { ...sizes, tuningfile: 3000 });
const bench = imagesOf(9000, 4, { ...sizes, mapfile: 2048 });
const none: Images = new Map();

const workflows: readonly (readonly [string, FamilyWorkflow])[] = [
  ['KESSv2, any image', obdWorkflow('kessv2', 9000)],
  ['KESSv2, checksums', obdWorkflow('kessv2', 1001, { willCorrectCVN: false })],
  ['KESSv2, checksums and CVN', obdWorkflow('kessv2', 1001, { willCorrectCVN: true })],
  ['KESSv2, a checksum of the original', withOriginal(obdWorkflow('kessv2', 1003))],
  [
    'KESSv2, identification only',
    { ...withOriginal(obdWorkflow('kessv2', 1002)), identificationOnly: true },
  ],
  ['KESSv2, unchanged', obdWorkflow('kessv2', 9000, { modified: none })],
  [
    'K-TAG, every component',
    {
      family: 'ktag',
      mode: 'bootbench',
      protocolId: 9000,
      images: backup,
      changes: { modified: reversed(backup, 'flash', 'micro', 'eeprom', 'tuningfile') },
    },
  ],
  [
    'K-TAG, one component',
    {
      family: 'ktag',
      mode: 'bootbench',
      protocolId: 9000,
      images: backup,
      changes: { modified: reversed(backup, 'eeprom') },
    },
  ],
  [
    'K-TAG, unchanged',
    {
      family: 'ktag',
      mode: 'bootbench',
      protocolId: 9000,
      images: backup,
      changes: { modified: none },
    },
  ],
  ['KESS3 by OBD, any image', obdWorkflow('kess3', 9000)],
  ['KESS3 by OBD, checksums and CVN', obdWorkflow('kess3', 1001, { willCorrectCVN: true })],
  ['KESS3 by OBD, a checksum of the original', withOriginal(obdWorkflow('kess3', 1003))],
  [
    'KESS3 by OBD, identification only',
    { ...withOriginal(obdWorkflow('kess3', 1002)), identificationOnly: true },
  ],
  ['KESS3 by OBD, unchanged', obdWorkflow('kess3', 9000, { modified: none })],
  [
    'KESS3 on the bench, every component',
    {
      family: 'kess3',
      mode: 'bootbench',
      protocolId: 9000,
      images: bench,
      changes: { modified: reversed(bench, 'flash', 'micro', 'eeprom', 'mapfile') },
    },
  ],
  [
    'KESS3 on the bench, one component',
    {
      family: 'kess3',
      mode: 'bootbench',
      protocolId: 9000,
      images: bench,
      changes: { modified: reversed(bench, 'micro') },
    },
  ],
  [
    'KESS3 on the bench, unchanged',
    {
      family: 'kess3',
      mode: 'bootbench',
      protocolId: 9000,
      images: bench,
      changes: { modified: none },
    },
  ],
];

function sealRead({ family, identificationOnly = false, ...read }: FamilyWorkflow): Uint8Array {
  return seal(portals.vendor.slaves[family], read, {
    identificationOnly,
    ...(identificationOnly ? { information: {} } : {}),
  });
}

/** What an encode will need, as the result of a decode reports it. */
function needsOf({ family }: FamilyMode, result: Readonly<Record<string, unknown>>) {
  const decode = portalCalls[family].readResult(result as never);
  const { isOriginalFileNeeded, isChecksumCorrectionNeeded, isCVNCorrectionPossible } = decode;
  return [isOriginalFileNeeded, isChecksumCorrectionNeeded, isCVNCorrectionPossible];
}

/** The operations at the first portal, oldest first. */
function listVendorOperations() {
  const { db } = portals.vendor.portal.platform;
  return db
    .selectFrom('operation')
    .selectAll()
    .where('is_background', '=', false)
    .orderBy('created_on')
    .execute();
}

/** Each mode. What else an engine can return, such as that it corrects CVNs, `vendor-engine.test.ts` decodes in each run. */
const each = new Set([
  'KESSv2, identification only',
  'K-TAG, every component',
  'KESS3 by OBD, a checksum of the original',
  'KESS3 on the bench, one component',
]);
const inEachRun = workflows.filter(([title]) => each.has(title));
const others = workflows.filter(([title]) => !each.has(title));

async function expectSameAsHere(workflow: FamilyWorkflow): Promise<void> {
  const { slaves, clientGuid } = portals.vendor;
  const slave = slaves[workflow.family];
  const read = sealRead(workflow);
  const before = (await listVendorOperations()).length;
  const found = await decodeOn(there, workflow, read);
  expectImages(found.images, workflow.identificationOnly ? none : workflow.images);
  const written = await encodeOn(there, slave, {
    kind: workflow,
    slot: found.slotGuid,
    changes: workflow.changes,
  });
  const begun = (await listVendorOperations()).slice(before);
  expect(begun.map(({ status, client_guid }) => [status, client_guid])).toEqual([
    ['succeeded', clientGuid],
    ['succeeded', clientGuid],
  ]);

  const own = await decodeOn(here, workflow, read);
  expectImages(found.images, own.images);
  if (workflow.mode === 'obd')
    expect(needsOf(workflow, found.result)).toEqual(needsOf(workflow, own.result));
  const changes = { kind: workflow, slot: own.slotGuid, changes: workflow.changes };
  expectImages(written, await encodeOn(here, slave, changes));
  if (workflow.protocolId === 9000)
    expectImages(written, new Map([...workflow.images, ...workflow.changes.modified]));
  const cvn = findComponent(protocolOf(workflow.protocolId), 'obd')?.cvn;
  if (cvn !== undefined && workflow.changes.willCorrectCVN !== undefined)
    expect(cvnOf(cvn, imageOf(written)) === cvnOf(cvn, imageOf(workflow.images))).toBe(
      workflow.changes.willCorrectCVN,
    );
}

// promise e3.work.two-portals
test.each(inEachRun)(
  '%s is decoded and encoded by the vendor as by its own portal',
  (_, workflow) => expectSameAsHere(workflow),
);
test.each(others)(
  '%s is decoded and encoded by the vendor as by its own portal',
  { tags: 'release' },
  (_, workflow) => expectSameAsHere(workflow),
);

// promise e3.work.swept
test('closes lost slots at the vendor, but not those of its other programs', async () => {
  const { portal, own, clientGuid: guid, slaves } = portals.vendor;
  const kind = { family: 'kess3', mode: 'obd', protocolId: 9000, images: obd(9000, 5000) } as const;
  const read = seal(slaves.kess3, kind);
  const path = '/api/kess3/decode-read-file/a-customer';
  const ours = new Program(portal, { guid, secretKey: '', webhookSecret: '', client: own });
  const { slotGUID: lost } = await ours.succeed(await ours.decode(path, read));
  const other = await addProgram(portal, 'CC-7007');
  const { slotGUID: theirs } = await other.succeed(await other.decode(path, read));
  await decodeOn(there, kind, read);
  const findOpen = async () => {
    const slots = portal.platform.db.selectFrom('slot').where('guid', 'in', [lost, theirs]);
    const open = slots.where('opened_by_client_guid', 'is not', null).select('guid');
    return (await open.execute()).map((slot) => slot.guid);
  };
  await expect.poll(async () => (await findOpen()).includes(lost)).toBe(false);
  expect(await findOpen()).toEqual([theirs]);
});
