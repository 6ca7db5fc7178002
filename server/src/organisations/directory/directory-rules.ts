/** Compares the current directory with the one that the operator wants; pure, on plain values. */
import { builtInEngine } from '@recodery/contract/features/engines';
import type { DirectoryFile } from './directory-file.ts';
import { findMistakes, findWrongRoles } from './directory-mistake-rules.ts';
import {
  type DesiredDirectory,
  deviceKey,
  type DeviceMove,
  type DirectoryChange,
  type DirectoryMistake,
  type DirectoryPlan,
  type DirectoryState,
  groupKey,
  type OrganisationRecord,
  type RecordTypes,
} from './directory-state-rules.ts';
import { foldEmail } from '../email-rules.ts';

function readWanted(file: DirectoryFile, present: DirectoryState): DesiredDirectory {
  const wanted: DesiredDirectory = {
    organisations: new Map(),
    groups: new Map(),
    masters: new Map(),
    slaves: new Map(),
    users: new Map(),
    gone: {
      organisation: new Set(),
      group: new Set(),
      master: new Set(),
      slave: new Set(),
      user: new Set(),
    },
  };
  for (const entry of file.organisations ?? []) {
    const { customerCode } = entry;
    const before = present.organisations.get(customerCode);
    if (entry.remove === true) {
      wanted.gone.organisation.add(customerCode);
      continue;
    }
    // A field that the file leaves out stays unchanged.
    wanted.organisations.set(customerCode, {
      name: entry.name ?? before?.name ?? '',
      email: entry.email === undefined ? (before?.email ?? null) : entry.email,
      culture: entry.culture ?? before?.culture ?? 'en-US',
      rights: entry.rights === undefined ? (before?.rights ?? []) : entry.rights,
      logo: entry.logo === undefined ? (before?.logo ?? null) : entry.logo,
      quotaGib: entry.quotaGib === undefined ? (before?.quotaGib ?? null) : entry.quotaGib,
      archived: entry.archived ?? before?.archived ?? false,
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
  wanted: DesiredDirectory,
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

function readUser(entry: UserEntry, present: DirectoryState, wanted: DesiredDirectory): void {
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
      accountSuspended: entry.accountSuspended ?? before?.accountSuspended ?? false,
      customerCodes,
      operator: entry.operator ?? before?.operator ?? false,
      manager: customerCodes.filter(isManagedBy(entry.manager ?? before?.manager ?? [])),
      suspended: customerCodes.filter((code) =>
        (entry.suspended ?? before?.suspended ?? []).includes(code),
      ),
    });
  }
}

/** Whether a user manages an organisation of theirs: `true` names all of them. */
function isManagedBy(manager: boolean | readonly string[]): (customerCode: string) => boolean {
  return (code) => (typeof manager === 'boolean' ? manager : manager.includes(code));
}

function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function compare<K extends keyof RecordTypes>(
  kind: K,
  before: ReadonlyMap<string, RecordTypes[K]>,
  after: ReadonlyMap<string, RecordTypes[K]>,
  gone: ReadonlySet<string> = new Set(),
): DirectoryChange[] {
  const changes: unknown[] = [];
  for (const [key, record] of after) {
    const old = before.get(key);
    if (old === undefined) changes.push({ kind, key, action: 'add', record });
    else {
      const fields = Object.keys(record).filter(
        (field) =>
          !sameValue(record[field as keyof RecordTypes[K]], old[field as keyof RecordTypes[K]]),
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

/** How a device changes its owner; empty: it does not. */
function findMoves(
  { kind, key }: Pick<DirectoryChange, 'kind' | 'key'>,
  present: DirectoryState,
  wanted: DesiredDirectory,
): readonly DeviceMove[] {
  if (kind === 'master') {
    const from = present.masters.get(key)?.customerCode ?? null;
    const to = wanted.masters.get(key)?.customerCode ?? null;
    if (from === to) return [];
    return [{ field: 'customerCode', from, to, text: `moves from ${from} to ${to}` }];
  }
  const [before, after] = [present.slaves.get(key), wanted.slaves.get(key)];
  if (kind !== 'slave' || before === undefined || after === undefined) return [];
  const moves: DeviceMove[] = [];
  const { owner } = after;
  if (before.owner !== null && before.owner !== owner)
    moves.push({
      field: 'owner',
      from: before.owner,
      to: owner,
      text: `moves from the owner ${before.owner} to ${owner ?? 'no owner'}`,
    });
  const masterKey = deviceKey(after.family, after.masterSerial);
  const [from, to] = [
    present.masters.get(deviceKey(before.family, before.masterSerial))?.customerCode ?? null,
    (wanted.masters.get(masterKey) ?? present.masters.get(masterKey))?.customerCode ?? null,
  ];
  if (before.masterSerial !== after.masterSerial && from !== to)
    moves.push({
      field: 'masterSerial',
      from,
      to,
      text: `moves from the master ${before.masterSerial} of ${from} to ${after.masterSerial} of ${to}`,
    });
  return moves;
}

/** The changes that bring the directory into the state that the file describes; empty when nothing differs. */
export function planDirectory(file: DirectoryFile, present: DirectoryState): DirectoryPlan {
  const wanted = readWanted(file, present);
  const mistakes = [...findMistakes(wanted, present), ...findWrongRoles(file, wanted, present)];
  if (mistakes.length > 0) return { mistakes };
  const { gone } = wanted;
  const all = [
    ...compare(
      'organisation',
      sortRights(present.organisations),
      sortRights(wanted.organisations),
      gone.organisation,
    ),
    ...compare('group', present.groups, wanted.groups, gone.group),
    ...compare('master', present.masters, wanted.masters, gone.master),
    ...compare('slave', present.slaves, wanted.slaves, gone.slave),
    ...compare('user', present.users, wanted.users, gone.user),
  ];
  // Dependent records are removed before, and added after, the records that they refer to.
  const removals = all.filter(({ action }) => action === 'remove').reverse();
  const others = all.flatMap((change) => {
    if (change.action === 'remove') return [];
    const moves = change.action === 'change' ? findMoves(change, present, wanted) : [];
    return [moves.length === 0 ? change : { ...change, moves }];
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
  if (change.moves === undefined) return `~ ${name}: ${fields}`;
  return `~ ${name}: ${change.moves.map(({ text }) => text).join(', ')} (${fields})`;
}

/** The changes of a plan that give a device to another owner, as mistakes of a file that does not confirm them. */
export function listMoves(changes: readonly DirectoryChange[]): readonly DirectoryMistake[] {
  return changes.flatMap((change) => {
    if (change.action !== 'change') return [];
    return (change.moves ?? []).map((move) => ({
      text: describeChange(change),
      field: move.field,
      code: 'MOVE_NOT_CONFIRMED' as const,
      move: { ...move, device: change.key },
    }));
  });
}
