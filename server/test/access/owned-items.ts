/** The data of an organisation in these tests: one of every object that a call can name. */
import { inviteUsers } from '@recodery/contract/admin/invitations';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import {
  type ContainerFamily,
  definitionOf,
  type Family,
} from '@recodery/contract/families/registry';
import { encodeResult } from '@recodery/contract/results';
import { tray } from '@recodery/contract/features/trays';
import { delivery, newWebhook } from '@recodery/contract/features/webhooks';
import * as z from 'zod/mini';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import { Program } from '../encoding-api/program.ts';
import type { Client } from '../fixtures/client.ts';
import type { ServiceFamily } from '../../src/demo/doubles/make.ts';
import { isServiceFamily, makes, serviceFamilies } from '../../src/demo/doubles/makes.ts';
import { zipOf } from '../../src/demo/doubles/zip-of.ts';
import type { AddedClient, RunningPortal } from '../fixtures/running-portal.ts';
import { type Images, imagesOf, seal } from '../journeys/component-workflow.ts';
import { started } from '../journeys/kessv2-workflow.ts';

/** A slot that a client application has open, with all files that a user could name. */
export interface OwnedSlot {
  readonly slot: string;
  /** The operation that decoded it. */
  readonly decode: string;
  /** The read file, and the images in it. */
  readonly read: Uint8Array;
  readonly images: Images;
  readonly decodedFile: string;
  /** Uploaded images by component; `original` is the original image of an OBD read. */
  readonly uploads: Readonly<Partial<Record<ComponentName | 'original', string>>>;
}

/** The slots of an owner: one of each family, and one of each other kind of read that a family has. */
export type SlotName = Family | 'kess3Obd' | ComponentsName;
type ComponentsName = `${ServiceFamily}Components`;

/** An organisation with its data. */
export interface OwnedItems {
  readonly organisation: string;
  readonly customerCode: string;
  readonly groupCode: string;
  readonly masters: Readonly<Record<Family, string>>;
  readonly slots: Readonly<Record<SlotName, OwnedSlot>>;
  /** An encode that a user of the organisation has sent: its operation, notification and email have this GUID. */
  readonly sent: string;
  readonly encodedFile: string;
  readonly program: AddedClient;
  readonly webhook: string;
  /** An attempt to deliver to the endpoint. */
  readonly delivery: string;
  /** An open invitation of the organisation. */
  readonly invitation: string;
  /** A tray of the user with a decoded read file, and two others that are not uploaded. */
  readonly tray: string;
  readonly trayFiles: readonly [string, string];
  /** Texts that the slave's owner sees when a file is sent to them. */
  readonly shared: readonly string[];
  /** Texts that no caller of another organisation may see. */
  readonly secrets: readonly string[];
}

/** The owner of the objects to create: a user, and the devices under their customer code. */
export interface OwnerSpec {
  readonly client: Client;
  readonly customerCode: string;
  readonly organisationName: string;
  readonly groupCode: string;
  readonly masters: Readonly<Record<Family, string>>;
  readonly slaves: Readonly<Record<ContainerFamily, string>>;
  readonly vin: string;
  /** The beginning of the names of its files. */
  readonly fileStem: string;
}

const obdSizes = { obd: 4096 };
const benchSizes = { flash: 65_536, micro: 16_384, eeprom: 1024 };

function serviceRead<F extends ServiceFamily>(family: F) {
  const types = { obd: 'Modified' } as const;
  return { family, path: 'decode-read-file', mode: 'obd', sizes: obdSizes, types } as const;
}

/** The name of the slot with components of a family whose files only its maker's service opens. */
export const componentsNameOf = (family: ServiceFamily): ComponentsName => `${family}Components`;

/** A read with all components that such a family can have; without components, none. */
function componentsRead(family: ServiceFamily) {
  const names: readonly ComponentName[] = definitionOf(family).modes.bootbench ?? [];
  const listed = <T>(valueOf: (name: ComponentName) => T) =>
    Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  return {
    family,
    path: 'decode-read-file',
    mode: 'bootbench' as const,
    sizes: listed(() => 512),
    types: listed((name) => `Modified_${name}`),
  };
}

/** The reads of an owner, and the types under which their images are uploaded. */
const reads = {
  kessv2: {
    family: 'kessv2',
    path: 'decode-read-file',
    mode: 'obd',
    sizes: obdSizes,
    types: { obd: 'Modified', original: 'Original' },
  },
  ktag: {
    family: 'ktag',
    path: 'decode-read-backup',
    mode: 'bootbench',
    sizes: { ...benchSizes, tuningfile: 2048 },
    types: { flash: 'Flash', micro: 'Micro', eeprom: 'EEPROM', tuningfile: 'TuningFile' },
  },
  kess3: {
    family: 'kess3',
    path: 'decode-read-file',
    mode: 'bootbench',
    sizes: { ...benchSizes, mapfile: 2048 },
    types: {
      flash: 'BootBenchModifiedFlash',
      micro: 'BootBenchModifiedMicro',
      eeprom: 'BootBenchModifiedEEPROM',
      mapfile: 'BootBenchModifiedMapFile',
    },
  },
  kess3Obd: {
    family: 'kess3',
    path: 'decode-read-file',
    mode: 'obd',
    sizes: obdSizes,
    types: { obd: 'OBDModified', original: 'OBDOriginal' },
  },
  ...(Object.fromEntries(serviceFamilies.map((family) => [family, serviceRead(family)])) as {
    readonly [F in ServiceFamily]: ReturnType<typeof serviceRead<F>>;
  }),
  ...(Object.fromEntries(
    serviceFamilies
      .filter((family) => definitionOf(family).modes.bootbench !== undefined)
      .map((family) => [componentsNameOf(family), componentsRead(family)]),
  ) as Readonly<Record<ComponentsName, ReturnType<typeof componentsRead>>>),
} as const;

/** The images of a read for a maker's service, and the file that contains them. */
function serviceFile(
  family: ServiceFamily,
  slave: string,
  sizes: Readonly<Record<string, number>>,
) {
  const images = new Map(
    Object.entries(sizes).map(([name, size], at) => [
      name as ComponentName,
      Buffer.alloc(size, at + 1),
    ]),
  );
  const content =
    images.get('obd') ?? zipOf([...images].map(([name, image]) => ({ name, content: image })));
  return { images, read: makes[family].seal(slave, content) };
}

/** The images of a read in the portal's own container, and the file that contains them. */
async function ownFile(
  portal: RunningPortal,
  ask: OwnerSpec,
  family: ContainerFamily,
  { mode, sizes }: { readonly mode: Mode; readonly sizes: Readonly<Record<string, number>> },
) {
  const images = imagesOf(9000, 1, sizes);
  const information = { vin: ask.vin, hardware: 'HW-1', software: 'SW-1' };
  const slave = await portal.getSlave(family, ask.slaves[family]);
  return { images, read: seal(slave, { protocolId: 9000, mode, images }, { information }) };
}

async function createSlot(
  portal: RunningPortal,
  program: Program,
  ask: OwnerSpec,
  name: keyof typeof reads,
): Promise<OwnedSlot> {
  const { family, path, mode, sizes, types } = reads[name];
  const { images, read } = isServiceFamily(family)
    ? serviceFile(family, `${ask.fileStem}-slave`, sizes)
    : await ownFile(portal, ask, family, { mode, sizes });
  const file = { name: `${ask.fileStem}-${name}.tfc` };
  const done = await program.succeed(
    await program.decode(`/api/${family}/${path}/C-1`, read, file),
  );
  const { guid: decode, slotGUID: slot } = done;
  const uploads = await Promise.all(
    Object.entries(types).map(async ([component, type]) => {
      const image = images.get((component === 'original' ? 'obd' : component) as ComponentName);
      const place = `/api/${family}/upload-modified-file/C-1/${slot}/${type}`;
      return [component, await program.keep(place, image ?? new Uint8Array())];
    }),
  );
  const { db } = portal.platform;
  const files = db.selectFrom('stored_file').select('guid').where('slot_guid', '=', slot);
  const decoded = files.where('role', '=', 'decoded').orderBy('guid');
  const { guid: decodedFile } = await decoded.limit(1).executeTakeFirstOrThrow();
  return { slot, decode, read, images, decodedFile, uploads: Object.fromEntries(uploads) };
}

/** The first attempt to deliver to an endpoint. */
async function findDelivery(client: Client, webhook: string): Promise<string> {
  for (;;) {
    const { json } = await client.get(`/api/webhooks/${webhook}/deliveries`);
    const [attempt] = z.array(delivery).parse(json);
    if (attempt !== undefined) return attempt.guid;
  }
}

/** Sends the encoded file to the slave's owner, by email and in their notifications. */
async function send(client: Client, slot: string) {
  const ended = await client.follow(
    started(
      await client.post('/api/kessv2/reencode-decoded-file', {
        kessv2FileSlotGUID: slot,
        notificationInfo: { email: 'garage@rossi.test', message: null, isPrivate: false },
      }),
    ),
  );
  const { fileGUID, name } = encodeResult.parse(ended.result);
  if (fileGUID === null) throw new Error('nothing was encoded');
  return { sent: ended.guid, encodedFile: fileGUID, name };
}

/** A tray with a decoded read file and two copies of it without a hash, which are not uploaded. */
async function createTray(client: Client, { read }: OwnedSlot, fileStem: string) {
  const file = { size: read.length, sha256: null, workflow: 'kessv2', error: null } as const;
  const files = [1, 2, 3].map((number) => ({ ...file, name: `${fileStem}-tray-${number}.tfc` }));
  const made = tray.parse((await client.post('/api/trays', { files })).json);
  const [first, second, third] = made.files.map(({ guid }) => guid);
  if (first === undefined || second === undefined) throw new Error('the tray is empty');
  const path = `/api/trays/${made.guid}/files/${third}`;
  const uploaded = await client.upload('POST', path, { field: 'readFile', bytes: read });
  await client.follow(started(uploaded));
  return { tray: made.guid, trayFiles: [first, second] as const };
}

async function invite(client: Client, email: string): Promise<string> {
  const { json } = await client.post('/api/organisation/invitations', { email });
  const [first] = inviteUsers.parts.answer.schema.parse(json).items;
  return first?.guid ?? '';
}

/** Creates one of each object. The portal needs a worker. */
export async function createOwnedItems(portal: RunningPortal, ask: OwnerSpec): Promise<OwnedItems> {
  const { client, customerCode, groupCode, masters, slaves, vin, fileStem } = ask;
  const added = await portal.addClient({ customerCode, name: `Program of ${customerCode}` });
  const program = new Program(portal, added);
  const make = (name: keyof typeof reads) => createSlot(portal, program, ask, name);
  const kinds = Object.keys(reads) as (keyof typeof reads)[];
  const made = kinds.map(async (name) => [name, await make(name)] as const);
  const slots = Object.fromEntries(await Promise.all(made)) as OwnedItems['slots'];
  const { kessv2 } = slots;
  // the name does not exist: nothing is sent
  const url = `https://${fileStem}.invalid/hook`;
  const { guid: webhook } = newWebhook.parse((await client.post('/api/webhooks', { url })).json);
  const email = `guest@${fileStem}.invalid`;
  const invitation = await invite(client, email);
  const { sent, encodedFile, name } = await send(client, kessv2.slot);
  const organisation = await findOrganisationByCode(portal.platform.db, customerCode);
  const found = await findDelivery(client, webhook);
  const trays = await createTray(client, kessv2, fileStem);
  const files = Object.values(slots).flatMap(({ slot, decode, decodedFile, uploads }) => [
    slot,
    decode,
    decodedFile,
    ...Object.values(uploads),
  ]);
  // an encoded file names the master that sealed it
  const devices = [...Object.values(slaves), masters.kessv2];
  const shared = [sent, encodedFile, name, ask.organisationName, ...devices];
  const names = [vin, customerCode, fileStem, added.secretKey, client.sessionId];
  return {
    organisation: organisation ?? '',
    customerCode,
    groupCode,
    masters,
    slots,
    sent,
    encodedFile,
    program: added,
    webhook,
    delivery: found,
    invitation,
    ...trays,
    shared,
    secrets: [
      ...files,
      ...shared,
      ...names,
      ...Object.values(masters),
      added.guid,
      webhook,
      found,
      invitation,
      email,
      trays.tray,
      ...trays.trayFiles,
    ],
  };
}
