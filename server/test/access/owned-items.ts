/** The data of an organisation in these tests: one of every object that a call can name. */
import { setTimeout as wait } from 'node:timers/promises';
import { inviteUsers } from '@recodery/contract/admin/invitations';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import {
  type ContainerFamily,
  definitionOf,
  families,
  type Family,
} from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { encodeResult } from '@recodery/contract/results';
import { tray } from '@recodery/contract/features/trays';
import { delivery, newWebhook } from '@recodery/contract/features/webhooks';
import * as z from 'zod/mini';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import { Program } from '../encoding-api/program.ts';
import type { Client } from '../fixtures/client.ts';
import { isServiceFamily } from '../fixtures/demo-devices.ts';
import type { ServiceFamily } from '../../src/demo/doubles/make.ts';
import { makes } from '../../src/demo/doubles/makes.ts';
import { zipOf } from '../../src/demo/doubles/zip-of.ts';
import type { AddedClient, RunningPortal } from '../fixtures/running-portal.ts';
import { type Images, imagesOf, seal } from '../journeys/families/component-workflow.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';

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

/** The slots of an owner: one of each family, and one with components if it reads one image too. */
export type SlotName = Family | `${Family}Components`;

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

/** Bytes of the images that a protocol reads in other sizes. */
const sizes: Readonly<Partial<Record<ComponentName, number>>> = {
  obd: 4096,
  flash: 65_536,
  micro: 16_384,
  eeprom: 1024,
  tuningfile: 2048,
  mapfile: 2048,
};

/** The slots of a family, by the modes of their reads. */
export function slotNamesOf(family: Family): Readonly<Partial<Record<Mode, SlotName>>> {
  const [first, second] = modesOf(family);
  return {
    ...(first && { [first]: family }),
    ...(second && { [second]: `${family}Components` }),
  };
}

const modesOf = (family: Family) => Object.keys(definitionOf(family).modes) as Mode[];

/** The reads of an owner, by their slots. */
const reads = families.flatMap((family) =>
  modesOf(family).map((mode) => ({ family, mode, name: slotNamesOf(family)[mode] ?? family })),
);

/** The types under which the images of a read are uploaded, by component. */
function uploadTypesOf(family: Family, components: readonly ComponentName[]) {
  return Object.entries(encodingApiOf(family).uploadTypes)
    .filter(([, { component }]) => components.includes(component))
    .map(([type, { role, component }]) => [role === 'original' ? role : component, type] as const);
}

/** The images of a read for a maker's service, and the file that contains them. */
function serviceFile(family: ServiceFamily, slave: string, components: readonly ComponentName[]) {
  const images = new Map(
    components.map((name, at) => [name, Buffer.alloc(sizes[name] ?? 512, at + 1)]),
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
  { mode, components }: { readonly mode: Mode; readonly components: readonly ComponentName[] },
) {
  const sized = Object.fromEntries(components.map((name) => [name, sizes[name]]));
  const images = imagesOf(9000, 1, sized);
  const information = { vin: ask.vin, hardware: 'HW-1', software: 'SW-1' };
  const slave = await portal.getSlave(family, ask.slaves[family]);
  return { images, read: seal(slave, { protocolId: 9000, mode, images }, { information }) };
}

async function createSlot(
  portal: RunningPortal,
  program: Program,
  ask: OwnerSpec,
  { family, mode, name }: (typeof reads)[number],
): Promise<OwnedSlot> {
  const components = definitionOf(family).modes[mode] ?? [];
  const { images, read } = isServiceFamily(family)
    ? serviceFile(family, `${ask.fileStem}-slave`, components)
    : await ownFile(portal, ask, family, { mode, components });
  const file = { name: `${ask.fileStem}-${name}.tfc` };
  const path = `/api/${family}/${encodingApiOf(family).decodePath}/C-1`;
  const done = await program.succeed(await program.decode(path, read, file));
  const { guid: decode, slotGUID: slot } = done;
  const uploads = await Promise.all(
    uploadTypesOf(family, components).map(async ([component, type]) => {
      const image = images.get(component === 'original' ? 'obd' : component);
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
    await wait(20);
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
  const made = reads.map(
    async (read) => [read.name, await createSlot(portal, program, ask, read)] as const,
  );
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
