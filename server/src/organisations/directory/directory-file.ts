/**
 * Reads and writes the operator's YAML file of organisations, users and devices, and reports the line of each mistake.
 */
import { rightNames } from '@recodery/contract/admin/resources';
import { families } from '@recodery/contract/families/registry';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  stringify,
  visit,
} from 'yaml';
import * as z from 'zod/mini';
import { foldEmail } from '../email-rules.ts';

export type RightName = (typeof rightNames)[number];

// Excludes invisible and direction-changing characters: control characters, other line ends, unpaired surrogates.
const oneLine = (most: number) =>
  z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(most, `must have at most ${most} characters`),
      z.regex(
        /^(?!\s)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+(?<!\s)$/u,
        'must be a single line without leading or trailing spaces or invisible characters',
      ),
    );
// A serial number is stored in a container field of at most 32 bytes.
const serial = oneLine(32).check(
  z.refine((text) => Buffer.byteLength(text) <= 32, 'must have at most 32 bytes'),
);
const email = z
  .string()
  .check(
    z.maxLength(254, 'must have at most 254 characters'),
    z.regex(
      /^[^\s@<>\p{Cc}\p{Cs}\p{Bidi_Control}]+@[^\s@<>\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u,
      'must be an email address',
    ),
  );
const culture = z
  .string()
  .check(z.regex(/^[a-z]{2}-[A-Z]{2}$/, 'must be a language tag such as it-IT'));
// A file name next to the YAML file, or the picture itself.
const logo = z
  .string()
  .check(
    z.regex(
      /^(?!data:)|^data:image\/(?:png|svg\+xml);base64,[\w+/=]+$/,
      'must be a PNG or SVG file, or a base64 data URL of one',
    ),
  );
/** The highest storage quota of an organisation, in GiB. */
const mostGib = 1_000_000;
/** Whether an organisation can have this storage quota, in GiB. */
export const isQuotaGib = (gib: number): boolean =>
  Number.isInteger(gib) && gib > 0 && gib <= mostGib;
const quota = z.number().check(z.refine(isQuotaGib, `must be a whole number from 1 to ${mostGib}`));
const remove = z.optional(z.literal(true, 'can only be true'));

const slaveEntry = z.strictObject({
  serial,
  owner: z.optional(z.nullable(oneLine(64))),
  revoked: z.optional(z.boolean()),
  remove,
});
const masterEntry = z.strictObject({
  family: z.enum(families, `must be one of ${families.join(', ')}`),
  serial,
  // `built-in`, or the name of a connection.
  engine: z.optional(oneLine(64)),
  slaves: z.optional(z.array(slaveEntry)),
  remove,
});
const groupEntry = z.strictObject({
  code: oneLine(64),
  masters: z.optional(z.array(masterEntry)),
  remove,
});
const organisationEntry = z.strictObject({
  customerCode: oneLine(64),
  // a new organisation needs one
  name: z.optional(oneLine(200)),
  email: z.optional(z.nullable(email)),
  culture: z.optional(culture),
  rights: z.optional(z.array(z.enum(rightNames, `must be one of ${rightNames.join(', ')}`))),
  logo: z.optional(z.nullable(logo)),
  quotaGib: z.optional(z.nullable(quota)),
  // no one can work for it
  archived: z.optional(z.boolean()),
  groupCodes: z.optional(z.array(groupEntry)),
  remove,
});
const userEntry = z.strictObject({
  email,
  name: z.optional(oneLine(200)),
  culture: z.optional(z.nullable(culture)),
  portalAccess: z.optional(z.boolean()),
  // the user cannot sign in
  accountSuspended: z.optional(z.boolean()),
  customerCodes: z.optional(z.array(oneLine(64))),
  // administers the installation
  operator: z.optional(z.boolean()),
  // manages all of the organisations, or those with these customer codes
  manager: z.optional(z.union([z.boolean(), z.array(oneLine(64))])),
  // cannot work for these organisations any more
  suspended: z.optional(z.array(oneLine(64))),
  remove,
});
const directoryFile = z.strictObject({
  organisations: z.optional(z.array(organisationEntry)),
  users: z.optional(z.array(userEntry)),
});

/** The parsed file: see docs/directory.md. Anything it does not name stays unchanged. */
export type DirectoryFile = z.infer<typeof directoryFile>;

/** The result of reading: the file's content, or a line for each mistake. */
export type ReadDirectory =
  | { readonly directory: DirectoryFile }
  | { readonly mistakes: readonly string[] };

type Path = readonly PropertyKey[];

/** Reads the YAML text of a directory file. Each message begins with the line number and names the field. */
export function readDirectoryFile(text: string): ReadDirectory {
  // The parser reports these two errors only by throwing.
  try {
    return readYaml(text);
  } catch (error) {
    if (error instanceof RangeError) return tooDeep;
    if (error instanceof ReferenceError)
      return { mistakes: ['line 1: the file uses too many aliases'] };
    throw error;
  }
}

const tooDeep: ReadDirectory = { mistakes: ['line 1: the file is nested too deeply'] };

function readYaml(text: string): ReadDirectory {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  // When the parser gives up, it reports this as an error for each bracket.
  if (document.errors.some(({ message }) => message.startsWith('Maximum call stack')))
    return tooDeep;
  if (document.errors.length > 0)
    return {
      mistakes: document.errors.map(
        ({ message, pos }) => `line ${lineAt(pos[0])}: invalid YAML: ${message}`,
      ),
    };
  const unknown = findUnknownAlias(document);
  if (unknown !== null)
    return {
      mistakes: [
        `line ${lineAt(unknown.offset)}: the anchor &${unknown.name} is not defined before this line. If *${unknown.name} is a name, put it in quotes`,
      ],
    };
  const key = findCollectionKey(document);
  if (key !== null)
    return {
      mistakes: [`line ${lineAt(key)}: the name of a field must be text; put it in quotes`],
    };
  const outcome = directoryFile.safeParse(document.toJS() ?? {}, { reportInput: true });
  const mistakes = outcome.success
    ? [...findDoubles(outcome.data), ...findContradictions(outcome.data)].map(([path, words]) => ({
        path,
        words,
      }))
    : outcome.error.issues.map((issue) => ({ path: pathOfIssue(issue), words: wordsOf(issue) }));
  if (outcome.success && mistakes.length === 0) return { directory: outcome.data };
  return {
    mistakes: mistakes.map(
      ({ path, words }) =>
        `line ${lineAt(offsetOf(document.contents, path))}: ${fieldOf(path)} ${words}`,
    ),
  };
}

/** The first alias without an earlier anchor, or null. */
function findUnknownAlias(document: Document): { name: string; offset: number } | null {
  const anchors = new Set<string>();
  let unknown: { name: string; offset: number } | null = null;
  visit(document, {
    Node(_key, node) {
      if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
    },
    Alias(_key, { source, range }) {
      if (anchors.has(source)) return undefined;
      unknown = { name: source, offset: range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return unknown;
}

/**
 * The offset of the first key that is a list or a set of fields, or null. The parser would write such a key as text, and
 * fails to do so for some.
 */
function findCollectionKey(document: Document): number | null {
  let offset: number | null = null;
  visit(document, {
    Pair(_key, { key }) {
      const node = isAlias(key) ? key.resolve(document) : key;
      if (!isCollection(node)) return undefined;
      offset = (isNode(key) ? key.range?.[0] : undefined) ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

type Issue = z.core.$ZodIssue;

function pathOfIssue(issue: Issue): Path {
  return issue.code === 'unrecognized_keys'
    ? [...issue.path, ...issue.keys.slice(0, 1)]
    : issue.path;
}

function wordsOf(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return 'is not a field of the directory';
  if (issue.code !== 'invalid_type') return issue.message;
  if (issue.input === undefined) return 'is missing';
  if (issue.expected === 'string') return 'must be text; put it in quotes';
  return `must be ${issue.expected === 'array' ? 'a list' : issue.expected === 'object' ? 'a set of fields' : issue.expected}`;
}

function fieldOf(path: Path): string {
  if (path.length === 0) return 'the file';
  return path
    .map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** The start of the node at a path, or of its nearest existing ancestor. */
function offsetOf(contents: Node | null, path: Path): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path) {
    let inner: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === part);
      // Uses the line of the field's name, even when the value follows on the next line.
      if (isScalar(pair?.key)) offset = pair.key.range?.[0] ?? offset;
      inner = pair?.value;
    } else if (isSeq(node) && typeof part === 'number') {
      inner = node.items[part];
      offset = (inner as Node | undefined)?.range?.[0] ?? offset;
    }
    node = inner;
  }
  return offset;
}

/** Finds duplicates: each of these names must be unique. */
function findDoubles(directory: DirectoryFile): readonly (readonly [Path, string])[] {
  const seen = new Map<string, Set<string>>();
  const doubles: (readonly [Path, string])[] = [];
  const note = (path: Path, kind: string, name: string): void => {
    const names = seen.get(kind) ?? new Set();
    seen.set(kind, names);
    if (names.has(name)) doubles.push([path, `must be unique, but ${name} is listed twice`]);
    names.add(name);
  };
  for (const [o, organisation] of (directory.organisations ?? []).entries()) {
    note(['organisations', o, 'customerCode'], 'organisation', organisation.customerCode);
    for (const [g, group] of (organisation.groupCodes ?? []).entries()) {
      const groupPath = ['organisations', o, 'groupCodes', g];
      note([...groupPath, 'code'], `group ${organisation.customerCode}`, group.code);
      for (const [m, master] of (group.masters ?? []).entries()) {
        const path = [...groupPath, 'masters', m];
        note([...path, 'serial'], `master ${master.family}`, master.serial);
        for (const [s, slave] of (master.slaves ?? []).entries())
          note([...path, 'slaves', s, 'serial'], `slave ${master.family}`, slave.serial);
      }
    }
  }
  for (const [u, user] of (directory.users ?? []).entries())
    note(['users', u, 'email'], 'user', foldEmail(user.email));
  return doubles;
}

/** Finds what is listed in organisations that the file removes: it would be ignored. */
function findContradictions({
  organisations = [],
}: DirectoryFile): readonly (readonly [Path, string])[] {
  return organisations.flatMap(({ remove: isRemoved, groupCodes = [] }, at) =>
    isRemoved === true && groupCodes.length > 0
      ? [
          [
            ['organisations', at, 'groupCodes'],
            'must not be listed in an organisation that is removed. Leave them out, and remove its masters with an earlier file',
          ] as const,
        ]
      : [],
  );
}

/** Writes a directory as YAML. */
export function writeDirectoryFile(directory: DirectoryFile): string {
  return stringify(directory, { lineWidth: 0 });
}
