/** A refused upload changes nothing in the draft but its note: in every workflow, for every part of each kind of read. */
import {
  modes as allModes,
  type ComponentName,
  type Mode,
} from '@recodery/contract/families/family';
import {
  componentTypeOf,
  definitionOf,
  type Workflow,
  workflowOf,
  workflows,
} from '@recodery/contract/families/registry';
import { portalCalls } from '@recodery/contract/family-routes/registry';
import { slotDraft, type SlotDraft } from '@recodery/contract/features/slots';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { demoSlaves, isServiceFamily } from '../fixtures/demo-devices.ts';
import { type FakeService, startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { allMakes, makes } from '../../src/demo/doubles/makes.ts';
import { zipOf } from '../../src/demo/doubles/zip-of.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { imagesOf, seal } from '../journeys/families/component-workflow.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';

/** The images of the reads, with sizes that their protocol accepts. Other parts, such as a maps file, are not in them. */
const sizes = { obd: 4096, flash: 4096, micro: 8192, eeprom: 1024 } as const;
const hasSize = (name: ComponentName): name is keyof typeof sizes => name in sizes;

/** Each kind of read that the portal decodes. */
const kinds = workflows.flatMap((workflow) => {
  const declared = definitionOf(workflowOf(workflow).family).modes;
  return allModes.filter((mode) => declared[mode]).map((mode) => ({ workflow, mode }));
});

let portal: RunningPortal;
let services: readonly FakeService[];
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '20' });
  services = await Promise.all(allMakes.map(startFakeService));
  for (const service of services) await addMake(portal.platform, service);
  anna = await portal.signIn('anna@demo.test');
});
afterAll(async () => {
  await portal.stop();
  for (const service of services) await service.stop();
});

/** What a maker's service finds in a read: one image, or an archive of the images of all memories. */
function contentOf(names: readonly ComponentName[], mode: Mode): Buffer {
  if (mode === 'obd') return Buffer.alloc(sizes.obd, 7);
  return zipOf(names.map((name, at) => ({ name, content: Buffer.alloc(4096, at + 1) })));
}

async function readOf(workflow: Workflow, mode: Mode): Promise<Uint8Array> {
  const { family } = workflowOf(workflow);
  const names = definitionOf(family).modes[mode] ?? [];
  if (isServiceFamily(family)) return makes[family].seal('Golf', contentOf(names, mode));
  const given = names.filter(hasSize).map((name) => [name, sizes[name]]);
  const images = imagesOf(9000, 1, Object.fromEntries(given));
  const slave = await portal.getSlave(family, demoSlaves[family]);
  const declared = workflow === 'kess3-utility' ? { workflow } : {};
  return seal(slave, { protocolId: 9000, mode, images }, declared);
}

/** Decodes a read; returns its slot. */
async function decode(workflow: Workflow, mode: Mode): Promise<string> {
  const { family, right } = workflowOf(workflow);
  const query = right === 'utility' ? '?fromUtility=true' : '';
  const { path } = portalCalls[family].read.route;
  const bytes = await readOf(workflow, mode);
  const name = `read${definitionOf(family).readFileExtension ?? '.tfc'}`;
  const answer = await anna.upload('POST', `${path}${query}`, { field: 'readFile', bytes, name });
  const ended = await anna.follow(started(answer));
  expect(ended.error).toBeNull();
  return ended.slotGUID ?? '';
}

interface Part {
  /** As the draft names it. */
  readonly name: string;
  readonly path: string;
  readonly field: string;
}

/** Every part of a read that has an upload. */
function partsOf(workflow: Workflow, mode: Mode, slot: string): readonly Part[] {
  const { family } = workflowOf(workflow);
  const read: readonly ComponentName[] = definitionOf(family).modes[mode] ?? [];
  return portalCalls[family].images.flatMap(({ call, route }) =>
    Object.entries(call.images)
      .filter(([, { component }]) => read.includes(component))
      .map(([image, { role, component }]) => ({
        name: component === 'obd' ? role : (componentTypeOf(family, component) ?? ''),
        path: route.path.replace(`{${call.slot}}`, slot).replace(`{${call.image ?? ''}}`, image),
        field: call.file,
      })),
  );
}

async function draftOf(slot: string): Promise<SlotDraft> {
  return slotDraft.parse((await anna.get(`/api/slots/${slot}/draft`)).json);
}

/** The draft without what the note of a refused upload may change. */
function choicesOf(draft: SlotDraft): Partial<SlotDraft> {
  const { refused: _, version: _version, ...choices } = draft;
  return choices;
}

test('every image that a call accepts is a part of one of the reads', () => {
  const named = kinds.flatMap(({ workflow, mode }) =>
    partsOf(workflow, mode, 'slot').map(({ path }) => path),
  );
  const all = workflows.flatMap((workflow) =>
    portalCalls[workflowOf(workflow).family].images.flatMap(({ call }) => Object.keys(call.images)),
  );
  expect(named).toHaveLength(all.length);
});

// promise 5.refused.kept
describe.each(kinds)('a refused upload of $workflow, $mode', ({ workflow, mode }) => {
  test('changes nothing in the draft but its note, for every part and all choices', async () => {
    const slot = await decode(workflow, mode);
    const { family } = workflowOf(workflow);
    const removable = mode === 'obd' ? [] : definitionOf(family).componentTypes;
    const choices = fc.record({
      removed: fc.option(fc.subarray([...removable]), { nil: null }),
      willCorrectCVN: fc.boolean(),
      willSkipChecksum: fc.boolean(),
      willCorrectChecksums: fc.boolean(),
    });
    const parts = partsOf(workflow, mode, slot);
    expect(parts).not.toEqual([]);
    let { version } = await draftOf(slot);
    for (const part of parts) {
      await fc.assert(
        fc.asyncProperty(choices, async (chosen) => {
          const change = { ...chosen, version, files: {} };
          const saved = await anna.put(`/api/slots/${slot}/draft`, change);
          expect([saved.status, saved.text]).toEqual([204, '']);
          const before = await draftOf(slot);
          const wrong = { field: part.field, bytes: new Uint8Array(100), name: 'wrong.bin' };
          const answer = await anna.upload('PUT', part.path, wrong);
          expect([part.path, answer.status]).toEqual([part.path, 400]);
          const after = await draftOf(slot);
          ({ version } = after);
          expect(choicesOf(after)).toEqual(choicesOf(before));
          expect(after.refused?.map((noted) => noted.part)).toContain(part.name);
        }),
        // other choices for each part and each run
        { numRuns: 2 },
      );
    }
  });
});
