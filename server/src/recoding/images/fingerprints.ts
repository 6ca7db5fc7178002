/** The fingerprints of a slot's images, by which a page finds the part that a file belongs to. */
import { componentsFor, findProtocol } from '@recodery/codec/protocols/protocols';
import type { ComponentName } from '@recodery/contract/families/family';
import {
  BlockSums,
  blockBytesOf,
  type Fingerprint,
  type PartFingerprint,
} from '@recodery/contract/fingerprints';
import type { Family } from '@recodery/contract/families/registry';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { StoredFile } from '../../slots/files/stored-files.ts';
import { DamagedFile, type VerifiedStorage } from '../../storage/verified-storage.ts';
import { readSlotWithFiles } from '../drafts/draft.ts';
import { type DraftPlace, partOf } from '../drafts/draft-rules.ts';
import { type DecodeFacts, readDecodeFacts } from '../results/stored-result.ts';

export interface FingerprintDependencies {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'get'>;
}

/** The requirements for a file for each part that an encode of a decoded slot accepts. */
export async function readFingerprints(
  { db, storage }: FingerprintDependencies,
  caller: Caller,
  slotGuid: string,
): Promise<PartFingerprint[]> {
  const { slot, files } = await readSlotWithFiles(db, caller, slotGuid);
  const { family, draft } = slot;
  const facts = readDecodeFacts(slot.facts);
  const find = (fileGuid: string | null | undefined) =>
    files.find((file) => file.guid === fileGuid);
  const original = find(draft.original) ?? null;
  const parts: PartFingerprint[] = [];
  for (const place of placesOf(facts)) {
    const part = partOf(family, place);
    if (part === null) continue;
    const made = facts.components.find(({ component }) => component === place.component);
    const decoded = find(made?.fileGuid) ?? null;
    // an image read has both: an original is compared with another original first
    const files = place.component === 'obd' ? { decoded, original } : { decoded, original: null };
    parts.push({
      part,
      sizes: sizesOf(family, facts, place.component),
      fingerprint: await fingerprintOf(storage, place, files),
    });
  }
  return parts;
}

/** The parts that an encode accepts. */
function placesOf(facts: DecodeFacts): DraftPlace[] {
  const modified = (component: ComponentName) => ({ role: 'modified', component }) as const;
  if (!facts.isOneImage) return facts.components.map(({ component }) => modified(component));
  const needsOriginal = facts.isOriginalFileNeeded || facts.isChecksumCorrectionNeeded;
  return needsOriginal
    ? [modified('obd'), { role: 'original', component: 'obd' }]
    : [modified('obd')];
}

/** The size of the read's own image; if it has none, or the file may grow, the sizes that the protocol allows. */
function sizesOf(
  family: Family,
  { protocolId, mode, components }: DecodeFacts,
  component: ComponentName,
): PartFingerprint['sizes'] {
  const protocol = protocolId === null ? null : findProtocol(protocolId);
  const spec =
    protocol && componentsFor(protocol, family, mode).find(({ name }) => name === component);
  const size = components.find((one) => one.component === component)?.size;
  const mayGrow = spec ? spec.format !== undefined : component === 'mapfile';
  return size === undefined || mayGrow ? (spec?.sizes ?? null) : [size];
}

interface Images {
  readonly decoded: StoredFile | null;
  readonly original: StoredFile | null;
}

async function fingerprintOf(
  storage: FingerprintDependencies['storage'],
  { role }: DraftPlace,
  { decoded, original }: Images,
): Promise<Fingerprint | null> {
  const isOriginal = original !== null && (role === 'original' || decoded === null);
  const file = isOriginal ? original : decoded;
  if (file === null) return null;
  const blockBytes = blockBytesOf(file.size);
  const sums = new BlockSums(blockBytes);
  try {
    for await (const piece of await storage.get(file)) sums.add(piece);
  } catch (error) {
    // without the image, its size still finds the part
    if (error instanceof DamagedFile) return null;
    throw error;
  }
  return { of: isOriginal ? 'original' : 'decoded', size: file.size, blockBytes, sums: sums.end() };
}
