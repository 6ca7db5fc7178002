/** The originals library as a resource of the administration: uploaded, replaced and removed. */
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { checkFields, type FieldError } from '@recodery/contract/admin/check-fields';
import { mostOriginalBytes } from '@recodery/contract/admin/originals';
import type { AnyValues } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { makeFileNameSafe } from '@recodery/contract/file-names';
import { Refusal } from '@recodery/contract/refusal';
import type { Upload } from '../../http/file-transfer.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { keptRecords, type KeptStore, readKept } from '../records/kept-records.ts';
import type { ListedRecord } from '../records/list-rules.ts';
import { type Changed, changesBetween, type ResourceRecords } from '../records/records.ts';
import { emptyValues, refuseFields, textIn, type Values } from '../records/resource-store.ts';

interface Numbers {
  readonly protocolId: number;
  readonly hardware: string;
  readonly software: string;
}

/** What the library knows of an original. */
interface ListedOriginal extends Numbers {
  readonly guid: string;
  readonly protocolName: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly addedOn: Date;
}

/** What the administration needs of the library: the functions of `recodery originals`. */
export interface OriginalDeps {
  readonly originals: {
    readonly list: (db: Db) => Promise<readonly ListedOriginal[]>;
    /** The numbers in an image, or why it cannot be an original of a protocol. */
    readonly judge: (
      protocolId: number,
      image: Uint8Array,
    ) =>
      | { readonly fault: string; readonly code: FieldError }
      | {
          readonly fault: null;
          readonly own: { readonly hardware: string | null; readonly software: string | null };
        };
    /** Stores an image, unless `admit` refuses to replace the original that has the numbers. */
    readonly add: (
      original: Numbers & { readonly name: string; readonly image: Uint8Array },
      admit: (before: { readonly sha256: string } | null) => void,
    ) => Promise<unknown>;
    readonly remove: (numbers: Numbers) => Promise<boolean>;
  };
}

const declared = resources.originals;

export function openLibraryStore({ originals }: OriginalDeps): KeptStore {
  return {
    declared,
    read: async (db) =>
      new Map(
        (await originals.list(db)).map((one) => [
          one.guid,
          {
            protocol: String(one.protocolId),
            hardware: one.hardware,
            software: one.software,
            image: one.sha256,
            protocolName: one.protocolName,
            fileName: one.name,
            sizeBytes: one.size,
            addedOn: one.addedOn.toISOString(),
          },
        ]),
      ),
  };
}

/** An upload, and whether the user has confirmed what its refusal describes. */
interface Sent {
  readonly upload: Upload<unknown>;
  readonly isConfirmed: boolean;
}

interface SentImage {
  readonly name: string;
  readonly image: Uint8Array;
}

function receive({ upload }: Sent): Promise<SentImage> {
  return upload.receiveInto(mostOriginalBytes, async (stream, name) => ({
    name: makeFileNameSafe(name),
    image: await buffer(Readable.from(stream)),
  }));
}

const protocolOf = (values: AnyValues): number => {
  const text = textIn(values, 'protocol');
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};

/** The fields whose fault lies in the protocol; others lie in the image. */
const ofProtocol: readonly FieldError[] = ['NO_PROTOCOL', 'NO_IDENTIFICATION'];

/**
 * The numbers of an image: those that were entered, or else its own. A slave may report a number differently from the
 * image, but the operator confirms the difference. @throws {Refusal} FIELDS_NOT_ACCEPTED
 */
function numbersOf(
  { originals }: OriginalDeps,
  values: AnyValues,
  { image }: SentImage,
  isConfirmed: boolean,
): Numbers {
  const protocolId = protocolOf(values);
  const verdict = originals.judge(protocolId, image);
  if (verdict.fault !== null) {
    const { code } = verdict;
    const field = ofProtocol.includes(code) ? 'protocol' : 'image';
    throw new Refusal('FIELDS_NOT_ACCEPTED', { fields: { [field]: code } });
  }
  const { own } = verdict;
  const hardware = textIn(values, 'hardware').trim() || (own.hardware ?? '');
  const software = textIn(values, 'software').trim() || (own.software ?? '');
  refuseFields({
    ...(hardware === '' ? { hardware: 'REQUIRED' } : {}),
    ...(software === '' ? { software: 'REQUIRED' } : {}),
  });
  const differs = (one: string, other: string | null) => other !== null && other !== one;
  if (!isConfirmed && (differs(hardware, own.hardware) || differs(software, own.software)))
    throw new Refusal('FIELDS_NOT_ACCEPTED', {
      fields: { image: 'DIFFERS_NOT_CONFIRMED' },
      facts: {
        entered: `${hardware} ${software}`,
        own: `${own.hardware ?? '?'} ${own.software ?? '?'}`,
      },
    });
  return { protocolId, hardware, software };
}

/** The file's name and size, besides the fields of the form. */
const alsoNoted = ['fileName', 'sizeBytes'];

/** The record after a change. */
async function changed(
  db: Db,
  deps: OriginalDeps,
  numbers: Numbers,
  before: Values | null,
): Promise<Changed> {
  const found = (await deps.originals.list(db)).find(
    (one) =>
      one.protocolId === numbers.protocolId &&
      one.hardware === numbers.hardware &&
      one.software === numbers.software,
  );
  // removed by another operator at this moment
  if (found === undefined) throw new Refusal('NOT_FOUND');
  const record = await readKept(db, openLibraryStore(deps), found.guid);
  const old = before ?? emptyValues(declared);
  return { record, changes: changesBetween(declared, old, record, {}, alsoNoted) };
}

/** Adds an original. @throws {Refusal} FIELDS_NOT_ACCEPTED, and what an upload is refused with */
async function createFrom(
  db: Db,
  deps: OriginalDeps,
  values: AnyValues,
  sent: Sent,
): Promise<Changed> {
  const { image: _image, ...errors } = checkFields(declared, values, 'create');
  refuseFields(errors);
  const received = await receive(sent);
  const numbers = numbersOf(deps, values, received, sent.isConfirmed);
  await deps.originals.add({ ...numbers, ...received }, (before) => {
    if (before !== null) refuseFields({ software: 'TAKEN' });
  });
  return changed(db, deps, numbers, null);
}

/** The record with this revision. @throws {Refusal} NOT_FOUND, RECORD_CHANGED */
async function requireRevision(
  db: Db,
  deps: OriginalDeps,
  guid: string,
  revision: string,
): Promise<ListedRecord> {
  const current = await readKept(db, openLibraryStore(deps), guid);
  if (current.revision !== revision) throw new Refusal('RECORD_CHANGED', { current });
  return current;
}

/** Replaces the image of an original. @throws {Refusal} NOT_FOUND, RECORD_CHANGED, FIELDS_NOT_ACCEPTED */
async function replace(
  db: Db,
  deps: OriginalDeps,
  { guid, revision }: { readonly guid: string; readonly revision: string },
  sent: Sent,
): Promise<Changed> {
  const before = await requireRevision(db, deps, guid, revision);
  const received = await receive(sent);
  const numbers = numbersOf(deps, before, received, sent.isConfirmed);
  let isOvertaken = false;
  try {
    await deps.originals.add({ ...numbers, ...received }, (found) => {
      isOvertaken = found?.sha256 !== before['image'];
      if (isOvertaken) throw new Refusal('NOT_FOUND');
    });
  } catch (error) {
    // tells what another operator has saved meanwhile, or that the original is gone
    if (isOvertaken) await requireRevision(db, deps, guid, revision);
    throw error;
  }
  return changed(db, deps, numbers, before);
}

/** Adds and replaces records with an uploaded file. */
export interface UploadedRecords {
  readonly createFrom: (values: AnyValues, sent: Sent) => Promise<Changed>;
  readonly replace: (
    of: { readonly guid: string; readonly revision: string },
    sent: Sent,
  ) => Promise<Changed>;
}

export function openOriginalUploads(db: Db, deps: OriginalDeps): UploadedRecords {
  return {
    createFrom: (values, sent) => createFrom(db, deps, values, sent),
    replace: (of, sent) => replace(db, deps, of, sent),
  };
}

/** The records of the library. A removal takes turns with the changes of the command line. */
export function originalRecords(db: Db, deps: OriginalDeps): ResourceRecords {
  return {
    ...keptRecords(db, openLibraryStore(deps)),
    async remove({ guid }) {
      const {
        revision: _revision,
        guid: _guid,
        ...values
      } = await readKept(db, openLibraryStore(deps), guid);
      const numbers = {
        protocolId: protocolOf(values),
        hardware: textIn(values, 'hardware'),
        software: textIn(values, 'software'),
      };
      if (!(await deps.originals.remove(numbers))) throw new Refusal('NOT_FOUND');
      return values;
    },
  };
}
