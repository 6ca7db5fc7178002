/**
 * A cycle as its user sees it: upload a read, check what was decoded, encode a modification, check what the slave
 * writes.
 */
import { createHash } from 'node:crypto';
import { acceptEncoded, type DeviceComponent } from '@recodery/codec/simulator/slave';
import { idempotencyHeader } from '@recodery/contract/headers';
import {
  type Operation,
  operation as operationSchema,
} from '@recodery/contract/features/operations';
import type { Answer } from '../fixtures/client.ts';
import { readPaths } from '../fixtures/demo-devices.ts';
import {
  encodeCallOf,
  findDecoded,
  imageCallOf,
  type ImagePart,
} from '../fixtures/family-calls.ts';
import type { Actor } from './actors.ts';
import { followOperation, patiently, type Repeats } from './patient-calls.ts';
import { openRandom, type Random } from './random.ts';
import { drawRead, type Read, sealFor } from './reads.ts';

/** An operation that the portal accepted: the caller has seen its record. */
export interface Accepted {
  readonly guid: string;
  readonly actor: Actor;
  /** What was sent to whom, if anything. */
  readonly sent: Sent | null;
  /** The digest of the encoded file once it was downloaded and verified. */
  readonly sha256: string | null;
}

/** What an encode sends. */
interface Sent {
  readonly email: string | null;
  readonly isPrivate: boolean;
}

/** What the users have seen. */
export interface Journal {
  readonly accepted: Accepted[];
  readonly repeats: Repeats;
  cycles: number;
  /** Emails that were requested, by actor. */
  readonly emails: Map<Actor, number>;
}

export function openJournal(): Journal {
  return { accepted: [], repeats: { refused: 0, lost: 0 }, cycles: 0, emails: new Map() };
}

/** Emails of an organisation: it may send 100 a day, and a repeated request can send a second one. */
const mostEmails = 40;

interface Cycle {
  readonly actor: Actor;
  readonly journal: Journal;
  readonly random: Random;
  readonly read: Read;
}

/** Starts an operation; a request that got no response is repeated, by a program with the same key. */
async function start(
  { actor, journal, random }: Cycle,
  call: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Operation> {
  const key = random.bytes(16).toString('hex');
  const headers: Readonly<Record<string, string>> = actor.isProgram
    ? { [idempotencyHeader]: key }
    : {};
  const answer = await patiently(journal.repeats, 202, () => call(headers));
  return operationSchema.parse(answer.json);
}

/** The result of an operation that succeeds. */
async function resultOf(
  { actor, journal }: Cycle,
  guid: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, error, result } = await followOperation(actor.client, journal.repeats, guid);
  if (status !== 'succeeded')
    throw new Error(`operation ${guid} ${status}: ${JSON.stringify(error)}`);
  return result as Readonly<Record<string, unknown>>;
}

async function download({ actor, journal }: Cycle, url: string): Promise<Uint8Array> {
  return (await patiently(journal.repeats, 200, () => actor.client.get(url))).bytes;
}

function compare(
  what: string,
  found: readonly DeviceComponent[],
  right: readonly DeviceComponent[],
) {
  const outline = (list: readonly DeviceComponent[]) =>
    list
      .map(({ name, bytes }) => `${name} ${digest(bytes)}`)
      .toSorted()
      .join();
  if (outline(found) !== outline(right)) throw new Error(`${what} has the wrong bytes`);
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Uploads the read and compares what was decoded; returns the slot. */
async function decode(cycle: Cycle): Promise<string> {
  const { actor, read, random, journal } = cycle;
  const sealed = sealFor(actor.slaves[read.family], read, random);
  const { guid, slotGUID } = await start(cycle, (headers) =>
    actor.client.upload('POST', readPaths[read.family], {
      field: 'readFile',
      bytes: sealed,
      name: 'read.tfc',
      headers,
    }),
  );
  journal.accepted.push({ guid, actor, sent: null, sha256: null });
  const result = await resultOf(cycle, guid);
  const decoded: DeviceComponent[] = [];
  for (const [name, url] of findDecoded(read, result))
    decoded.push({ name, bytes: await download(cycle, url) });
  compare(`the decoded read of ${guid}`, decoded, read.images);
  if (slotGUID === null) throw new Error(`operation ${guid} has no slot`);
  return slotGUID;
}

/** Uploads the modified images; returns their GUIDs. */
async function uploadImages(cycle: Cycle, slot: string): Promise<Map<ImagePart, string>> {
  const { actor, read, journal } = cycle;
  const uploads = new Map<ImagePart, string>();
  for (const { name, bytes } of read.tuned) {
    if (!read.modified.includes(name)) continue;
    const { path, field } = imageCallOf(read, slot, name);
    const answer = await patiently(journal.repeats, 200, () =>
      actor.client.upload('PUT', path, { field, bytes }),
    );
    uploads.set(name, (answer.json as { fileGUID: string }).fileGUID);
  }
  return uploads;
}

/** Decides at random whether the result is sent, and to whom. */
function drawSending({ actor, journal, random }: Cycle): Sent | null {
  const [isSent, hasEmail, isPrivate] = [random.below(2), random.below(2), random.below(2)];
  if (isSent === 0) return null;
  const count = journal.emails.get(actor) ?? 0;
  if (hasEmail === 0 || count >= mostEmails) return { email: null, isPrivate: false };
  journal.emails.set(actor, count + 1);
  const email = `driver-${random.bytes(4).toString('hex')}@rossi.test`;
  return { email, isPrivate: isPrivate === 1 };
}

/** Encodes, and compares what the slave writes. */
async function encode(cycle: Cycle, slot: string): Promise<void> {
  const { actor, read, journal } = cycle;
  const uploads = await uploadImages(cycle, slot);
  const sent = drawSending(cycle);
  const { path, body } = encodeCallOf(read, slot, uploads);
  const whole = { ...body, ...(sent === null ? {} : { notificationInfo: sent }) };
  const { guid } = await start(cycle, (headers) =>
    actor.client.call('POST', path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(whole),
    }),
  );
  const at = journal.accepted.push({ guid, actor, sent, sha256: null }) - 1;
  const result = await resultOf(cycle, guid);
  const file = await download(cycle, String(result['encodedFileURL']));
  const { components } = acceptEncoded({ ...actor.slaves[read.family], file });
  compare(`the encoded file of ${guid}`, components, read.tuned);
  journal.accepted[at] = { guid, actor, sent, sha256: digest(file) };
}

/** Runs one cycle, whose decisions its seed repeats. @throws when its user gets a wrong result, or loses a file */
export async function runCycle(actor: Actor, journal: Journal, seed: string): Promise<void> {
  const random = openRandom(seed);
  const cycle: Cycle = { actor, journal, random, read: drawRead(random) };
  await encode(cycle, await decode(cycle));
  journal.cycles += 1;
}
