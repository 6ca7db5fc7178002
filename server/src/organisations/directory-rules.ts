/** Compares the current directory with the one that the operator wants; pure, on plain values. */
import { builtInEngine, type EngineKind, engineOf } from '@recodery/contract/features/engines';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import type { DirectoryFile, RightName } from './directory-file.ts';
import { foldEmail, isAmbiguousEmail } from './email-rules.ts';

/** An organisation's fields. `logo` is a data URL. */
export interface OrganisationRecord {
  readonly name: string;
  readonly email: string | null;
  readonly culture: string;
  readonly rights: readonly RightName[];
  readonly logo: string | null;
}

/** A group code; it has no fields besides its key. */
export interface GroupRecord {
  readonly customerCode: string;
  readonly code: string;
}

export interface MasterRecord {
  readonly family: Family;
  readonly serial: string;
  readonly customerCode: string;
  readonly groupCode: string;
  /** `built-in`, or the name of a connection. */
  readonly engine: string;
}

export interface SlaveRecord {
  readonly family: Family;
  readonly serial: string;
  readonly masterSerial: string;
  /** Customer code of the workshop that owns it. */
  readonly owner: string | null;
  readonly revoked: boolean;
}

export interface UserRecord {
  readonly email: string;
  readonly name: string;
  readonly culture: string | null;
  readonly portalAccess: boolean;
  /** In order: the first is current after sign-in. */
  readonly customerCodes: readonly string[];
  readonly operator: boolean;
  /** The customer codes of the organisations that the user manages, in the order of `customerCodes`. */
  readonly manager: readonly string[];
}

/** The whole directory by keys: `CC-1`, `CC-1 G-1`, `kess3 KS3-1`, `anna@demo.test`. */
export interface DirectoryState {
  readonly organisations: ReadonlyMap<string, OrganisationRecord>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly masters: ReadonlyMap<string, MasterRecord>;
  readonly slaves: ReadonlyMap<string, SlaveRecord>;
  readonly users: ReadonlyMap<string, UserRecord>;
  /** The kinds of the engines, by the names of their connections; the file cannot change them. */
  readonly engines: ReadonlyMap<string, EngineKind>;
}

interface Records {
  readonly organisation: OrganisationRecord;
  readonly group: GroupRecord;
  readonly master: MasterRecord;
  readonly slave: SlaveRecord;
  readonly user: UserRecord;
}

/**
 * A change to one record. `fields` names the fields that a change updates; `moves` describes how a device changes its
 * owner, with the old and the new one.
 */
export type DirectoryChange = {
  [K in keyof Records]: {
    readonly kind: K;
    readonly key: string;
  } & (
    | { readonly action: 'add'; readonly record: Records[K] }
    | {
        readonly action: 'change';
        readonly record: Records[K];
        readonly fields: readonly string[];
        readonly moves?: string;
      }
    | { readonly action: 'remove' }
  );
}[keyof Records];
export type ChangeOf<K extends DirectoryChange['kind']> = Extract<DirectoryChange, { kind: K }>;

/** The changes in an order in which they can be applied, or the reasons why they cannot. */
export type DirectoryPlan =
  | { readonly changes: readonly DirectoryChange[] }
  | { readonly mistakes: readonly string[] };

/** The key of a group code. */
export const groupKey = (customerCode: string, code: string): string => `${customerCode} ${code}`;
/** The key of a master or slave device: its family and serial number. */
export const deviceKey = (family: Family, serial: string): string => `${family} ${serial}`;

/** The contents of the file: the records to keep or create, and the keys of those to remove. */
interface Wanted {
  readonly organisations: Map<string, OrganisationRecord>;
  readonly groups: Map<string, GroupRecord>;
  readonly masters: Map<string, MasterRecord>;
  readonly slaves: Map<string, SlaveRecord>;
  readonly users: Map<string, UserRecord>;
  readonly gone: Readonly<Record<'group' | 'master' | 'slave' | 'user', Set<string>>>;
}

function readWanted(file: DirectoryFile, present: DirectoryState): Wanted {
  const wanted: Wanted = {
    organisations: new Map(),
    groups: new Map(),
    masters: new Map(),
    slaves: new Map(),
    users: new Map(),
    gone: { group: new Set(), master: new Set(), slave: new Set(), user: new Set() },
  };
  for (const entry of file.organisations ?? []) {
    const { customerCode } = entry;
    const before = present.organisations.get(customerCode);
    // A field that the file leaves out stays unchanged.
    wanted.organisations.set(customerCode, {
      name: entry.name ?? before?.name ?? '',
      email: entry.email === undefined ? (before?.email ?? null) : entry.email,
      culture: entry.culture ?? before?.culture ?? 'en-US',
      rights: entry.rights === undefined ? (before?.rights ?? []) : entry.rights,
      logo: entry.logo === undefined ? (before?.logo ?? null) : entry.logo,
    });
    for (const group of entry.groupCodes ?? []) readGroup(group, customerCode, present, wanted);
  }
  for (const entry of file.users ?? []) readUser(entry, present, wanted);
  return wanted;
}

type GroupEntry = NonNullable<
  NonNullable<DirectoryFile['organisations']>[number]['groupCodes']
>[number];

function readGroup(
  group: GroupEntry,
  customerCode: string,
  present: DirectoryState,
  wanted: Wanted,
): void {
  const key = groupKey(customerCode, group.code);
  if (group.remove === true) wanted.gone.group.add(key);
  else wanted.groups.set(key, { customerCode, code: group.code });
  for (const master of group.masters ?? []) {
    const { family, serial } = master;
    const masterKey = deviceKey(family, serial);
    const engine = master.engine ?? present.masters.get(masterKey)?.engine ?? builtInEngine;
    const place = { customerCode, groupCode: group.code };
    if (master.remove === true) wanted.gone.master.add(masterKey);
    else wanted.masters.set(masterKey, { family, serial, ...place, engine });
    for (const slave of master.slaves ?? []) {
      const slaveKey = deviceKey(family, slave.serial);
      const before = present.slaves.get(slaveKey);
      if (slave.remove === true || master.remove === true) wanted.gone.slave.add(slaveKey);
      else
        wanted.slaves.set(slaveKey, {
          family,
          serial: slave.serial,
          masterSerial: serial,
          owner: slave.owner === undefined ? (before?.owner ?? null) : slave.owner,
          revoked: slave.revoked ?? before?.revoked ?? false,
        });
    }
  }
}

type UserEntry = NonNullable<DirectoryFile['users']>[number];

function readUser(entry: UserEntry, present: DirectoryState, wanted: Wanted): void {
  const key = foldEmail(entry.email);
  const before = present.users.get(key);
  if (entry.remove === true) wanted.gone.user.add(key);
  else {
    const customerCodes = entry.customerCodes ?? before?.customerCodes ?? [];
    wanted.users.set(key, {
      email: entry.email,
      name: entry.name ?? before?.name ?? entry.email,
      culture: entry.culture === undefined ? (before?.culture ?? null) : entry.culture,
      portalAccess: entry.portalAccess ?? before?.portalAccess ?? true,
      customerCodes,
      operator: entry.operator ?? before?.operator ?? false,
      manager: customerCodes.filter(isManagedBy(entry.manager ?? before?.manager ?? [])),
    });
  }
}

/** Whether a user manages an organisation of theirs: `true` names all of them. */
function isManagedBy(manager: boolean | readonly string[]): (customerCode: string) => boolean {
  return (code) => (typeof manager === 'boolean' ? manager : manager.includes(code));
}

function findMistakes(wanted: Wanted, present: DirectoryState): readonly string[] {
  const mistakes: string[] = [];
  const isKnown = (code: string): boolean =>
    wanted.organisations.has(code) || present.organisations.has(code);
  for (const [code, { name }] of wanted.organisations)
    if (name === '') mistakes.push(`organisation ${code}: a new organisation needs a name`);
  for (const { serial, owner } of wanted.slaves.values())
    if (owner !== null && !isKnown(owner))
      mistakes.push(`slave ${serial}: its owner ${owner} does not exist`);
  for (const [key, { email }] of wanted.users)
    if (!present.users.has(key) && isAmbiguousEmail(email))
      mistakes.push(
        `user ${email}: letters outside of a-z must be in lower case, and not be a variant of another character`,
      );
  for (const { email, customerCodes } of wanted.users.values())
    for (const code of customerCodes)
      if (!isKnown(code)) mistakes.push(`user ${email}: customer code ${code} does not exist`);
  for (const key of wanted.gone.group)
    for (const [masterKey, before] of present.masters) {
      const after = wanted.masters.get(masterKey) ?? before;
      if (wanted.gone.master.has(masterKey)) continue;
      if (groupKey(after.customerCode, after.groupCode) === key)
        mistakes.push(`group code ${key}: cannot be removed while it has master ${after.serial}`);
    }
  for (const { family, serial, customerCode, groupCode, engine } of wanted.masters.values()) {
    if (wanted.gone.group.has(groupKey(customerCode, groupCode)))
      mistakes.push(`master ${serial}: its group code is marked for removal`);
    const kind = engine === builtInEngine ? builtInEngine : present.engines.get(engine);
    if (kind === undefined)
      mistakes.push(
        `master ${serial}: there is no engine ${engine}; add it with "engine add" first`,
      );
    else if (!engineOf(kind).families.includes(family))
      mistakes.push(
        `master ${serial}: the engine ${engine} does not serve ${definitionOf(family).name}`,
      );
  }
  return mistakes;
}

/** Roles that cannot be given, or that someone must keep. */
function findWrongRoles(
  file: DirectoryFile,
  wanted: Wanted,
  present: DirectoryState,
): readonly string[] {
  const mistakes = (file.users ?? []).flatMap(({ email, manager, remove }) => {
    if (remove === true || !Array.isArray(manager)) return [];
    const { customerCodes = [] } = wanted.users.get(foldEmail(email)) ?? {};
    return manager
      .filter((code) => !customerCodes.includes(code))
      .map((code) => `user ${email}: cannot manage ${code} without that customer code`);
  });
  const operators = [...present.users].filter(([, { operator }]) => operator);
  const isKept = ([key]: (typeof operators)[number]): boolean =>
    !wanted.gone.user.has(key) && wanted.users.get(key)?.operator !== false;
  const hasNew = [...wanted.users.values()].some(({ operator }) => operator);
  if (operators.length > 0 && !operators.some(isKept) && !hasNew)
    mistakes.push('the last operator must stay one: make another user an operator first');
  return mistakes;
}

function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function compare<K extends keyof Records>(
  kind: K,
  before: ReadonlyMap<string, Records[K]>,
  after: ReadonlyMap<string, Records[K]>,
  gone: ReadonlySet<string> = new Set(),
): DirectoryChange[] {
  const changes: unknown[] = [];
  for (const [key, record] of after) {
    const old = before.get(key);
    if (old === undefined) changes.push({ kind, key, action: 'add', record });
    else {
      const fields = Object.keys(record).filter(
        (field) => !sameValue(record[field as keyof Records[K]], old[field as keyof Records[K]]),
      );
      if (fields.length > 0) changes.push({ kind, key, action: 'change', record, fields });
    }
  }
  for (const key of gone) if (before.has(key)) changes.push({ kind, key, action: 'remove' });
  // TypeScript cannot infer that `kind` and `record` have the same K.
  return changes as DirectoryChange[];
}

function withSortedRights(record: OrganisationRecord): OrganisationRecord {
  return { ...record, rights: [...new Set(record.rights)].sort() };
}

/** Rights are a set: their order in the file has no meaning. */
function sortRights(
  organisations: ReadonlyMap<string, OrganisationRecord>,
): ReadonlyMap<string, OrganisationRecord> {
  return new Map([...organisations].map(([key, record]) => [key, withSortedRights(record)]));
}

/** How a device changes its owner; null: it does not. */
function describeMove(
  { kind, key }: Pick<DirectoryChange, 'kind' | 'key'>,
  present: DirectoryState,
  wanted: Wanted,
): string | null {
  if (kind === 'master') {
    const [before, after] = [present.masters.get(key), wanted.masters.get(key)];
    return before?.customerCode === after?.customerCode
      ? null
      : `moves from ${before?.customerCode} to ${after?.customerCode}`;
  }
  const [before, after] = [present.slaves.get(key), wanted.slaves.get(key)];
  if (kind !== 'slave' || before === undefined || after === undefined) return null;
  const parts: string[] = [];
  if (before.owner !== null && before.owner !== after.owner)
    parts.push(`moves from the owner ${before.owner} to ${after.owner ?? 'no owner'}`);
  const from = present.masters.get(deviceKey(before.family, before.masterSerial))?.customerCode;
  const masterKey = deviceKey(after.family, after.masterSerial);
  const to = (wanted.masters.get(masterKey) ?? present.masters.get(masterKey))?.customerCode;
  if (before.masterSerial !== after.masterSerial && from !== to)
    parts.push(
      `moves from the master ${before.masterSerial} of ${from} to ${after.masterSerial} of ${to}`,
    );
  return parts.length === 0 ? null : parts.join(', ');
}

/** The changes that bring the directory into the state that the file describes; empty when nothing differs. */
export function planDirectory(file: DirectoryFile, present: DirectoryState): DirectoryPlan {
  const wanted = readWanted(file, present);
  const mistakes = [...findMistakes(wanted, present), ...findWrongRoles(file, wanted, present)];
  if (mistakes.length > 0) return { mistakes };
  const { gone } = wanted;
  const all = [
    ...compare('organisation', sortRights(present.organisations), sortRights(wanted.organisations)),
    ...compare('group', present.groups, wanted.groups, gone.group),
    ...compare('master', present.masters, wanted.masters, gone.master),
    ...compare('slave', present.slaves, wanted.slaves, gone.slave),
    ...compare('user', present.users, wanted.users, gone.user),
  ];
  // Dependent records are removed before, and added after, the records that they refer to.
  const removals = all.filter(({ action }) => action === 'remove').reverse();
  const others = all.flatMap((change) => {
    if (change.action === 'remove') return [];
    const moves = change.action === 'change' ? describeMove(change, present, wanted) : null;
    return [moves === null ? change : { ...change, moves }];
  });
  return { changes: [...others, ...removals] };
}

const kindNames: Readonly<Record<DirectoryChange['kind'], string>> = {
  organisation: 'organisation',
  group: 'group code',
  master: 'master device',
  slave: 'slave device',
  user: 'user',
};

/** One line for the operator: `+` added, `~` changed, `-` removed. */
export function describeChange(change: DirectoryChange): string {
  const name = `${kindNames[change.kind]} ${change.key}`;
  if (change.action === 'add') return `+ ${name}`;
  if (change.action === 'remove') return `- ${name}`;
  const fields = change.fields.join(', ');
  return `~ ${name}: ${change.moves === undefined ? fields : `${change.moves} (${fields})`}`;
}

/** The changes of a plan that give a device to another owner, as lines for the operator. */
export function listMoves(changes: readonly DirectoryChange[]): readonly string[] {
  return changes
    .filter((change) => change.action === 'change' && change.moves !== undefined)
    .map(describeChange);
}
