/** The file `NAME.recodery.json` next to a read file: the steps that are done, so that they are not repeated. */
import { basename, join } from 'node:path';
import { componentNames, modes } from '@recodery/contract/families/family';
import { families } from '@recodery/contract/families/registry';
import * as z from 'zod/mini';
import { readPlainFile } from './folder.ts';
import { replaceFile } from './new-file.ts';

export const recordEnd = '.recodery.json';

/** A name in the folder: a record that another program wrote must not lead out of it. */
const fileName = z
  .string()
  .check(z.refine((name) => name === basename(name) && !['', '.', '..'].includes(name)));
const file = z.object({ file: fileName, size: z.number(), sha256: z.string() });
const work = {
  outcome: z.enum(['running', 'succeeded', 'failed']),
  /** The Idempotency-Key of the request. It is stored before the request is sent. */
  key: z.string(),
  userCode: z.string(),
  /** null until the response has arrived. */
  operation: z.nullable(z.string()),
  error: z.nullable(z.string()),
};
const image = z.extend(file, {
  role: z.enum(['modified', 'original']),
  component: z.enum(componentNames),
});

const decodeWork = z.object({
  ...work,
  mode: z.nullable(z.enum(modes)),
  isCVNCorrectionPossible: z.boolean(),
  /** Whether it was refused because its slave is not known. Records of earlier versions lack it. */
  needsSlave: z.optional(z.boolean()),
  files: z.array(z.extend(file, { component: z.enum(componentNames) })),
});

const encodeWork = z.object({
  ...work,
  images: z.array(image),
  /** The GUIDs of the uploaded images, in their order; empty when an upload was refused. */
  uploads: z.array(z.string()),
  willCorrectCVN: z.boolean(),
  /** Of real control units. Records of earlier versions lack it. */
  willCorrectChecksums: z.optional(z.boolean()),
  file: z.nullable(file),
});
export type EncodeWork = z.infer<typeof encodeWork>;
/** A modified or original file of an encode. */
export type Image = z.infer<typeof image>;

const record = z.object({
  /** The result of the latest work. */
  outcome: z.enum(['decoding', 'decoded', 'decode-failed', 'encoding', 'encoded', 'encode-failed']),
  slot: z.nullable(z.string()),
  family: z.enum(families),
  read: file,
  decode: decodeWork,
  /** The oldest first. */
  encodes: z.array(encodeWork),
  /** The records of earlier read files with the same name. */
  previous: z.array(z.unknown()),
});
export type ReadRecord = z.infer<typeof record>;

/** The record of a name. @throws {Error} when the file is not a record */
export async function loadRecord(folder: string, name: string): Promise<ReadRecord> {
  const text = (await readPlainFile(join(folder, name + recordEnd))).toString('utf8');
  return record.parse(JSON.parse(text));
}

/** Stores a record, with the outcome that follows from its work. */
export async function saveRecord(folder: string, name: string, one: ReadRecord): Promise<void> {
  one.outcome = outcomeOf(one);
  await replaceFile(folder, name + recordEnd, `${JSON.stringify(one, null, 2)}\n`);
}

const ended = { succeeded: 'ed', failed: 'e-failed', running: 'ing' } as const;

function outcomeOf({ decode, encodes }: ReadRecord): ReadRecord['outcome'] {
  const last = encodes.at(-1);
  return last === undefined ? `decod${ended[decode.outcome]}` : `encod${ended[last.outcome]}`;
}
