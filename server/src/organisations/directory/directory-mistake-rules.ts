/** Finds out why a directory cannot be changed as the operator wants it; pure, on plain values. */
import type { FieldError } from '@recodery/contract/admin/check-fields';
import { builtInEngine, engineOf } from '@recodery/contract/features/engines';
import { definitionOf } from '@recodery/contract/families/registry';
import type { DirectoryFile } from './directory-file.ts';
import {
  type DesiredDirectory,
  type DirectoryMistake,
  type DirectoryState,
  groupKey,
  type UserRecord,
} from './directory-state-rules.ts';
import { foldEmail, isAmbiguousEmail } from '../email-rules.ts';

/** What the file names that does not exist or is not possible. */
export function findMistakes(
  wanted: DesiredDirectory,
  present: DirectoryState,
): readonly DirectoryMistake[] {
  const mistakes: DirectoryMistake[] = [];
  const note = (field: string, code: FieldError, text: string): void =>
    void mistakes.push({ text, field, code });
  const isKnown = (code: string): boolean =>
    wanted.organisations.has(code) ||
    (present.organisations.has(code) && !wanted.gone.organisation.has(code));
  for (const [code, { name }] of wanted.organisations)
    if (name === '')
      note('name', 'REQUIRED', `organisation ${code}: a new organisation needs a name`);
  mistakes.push(...findKept(wanted, present));
  for (const { serial, owner } of wanted.slaves.values())
    if (owner !== null && !isKnown(owner))
      note('owner', 'UNKNOWN', `slave ${serial}: its owner ${owner} does not exist`);
  for (const [key, { email }] of wanted.users)
    if (!present.users.has(key) && isAmbiguousEmail(email))
      note(
        'email',
        'INVALID',
        `user ${email}: letters outside of a-z must be in lower case, and not be a variant of another character`,
      );
  for (const { email, customerCodes } of wanted.users.values())
    for (const code of customerCodes)
      if (!isKnown(code))
        note('customerCodes', 'UNKNOWN', `user ${email}: customer code ${code} does not exist`);
  for (const key of wanted.gone.group)
    for (const [masterKey, before] of present.masters) {
      const after = wanted.masters.get(masterKey) ?? before;
      if (wanted.gone.master.has(masterKey)) continue;
      if (groupKey(after.customerCode, after.groupCode) === key)
        note(
          'groupCodes',
          'IN_USE',
          `group code ${key}: cannot be removed while it has master ${after.serial}`,
        );
    }
  return [...mistakes, ...findWrongMasters(wanted, present)];
}

/** Why organisations cannot be removed: their removal would delete more than their own record. */
function findKept(wanted: DesiredDirectory, present: DirectoryState): readonly DirectoryMistake[] {
  return [...wanted.gone.organisation].flatMap((code): DirectoryMistake[] => {
    const organisation = present.organisations.get(code);
    if (organisation === undefined) return [];
    const users = [...present.users].filter(
      ([key, before]) =>
        !wanted.gone.user.has(key) &&
        (wanted.users.get(key) ?? before).customerCodes.includes(code),
    );
    const masters = [...present.masters].filter(
      ([key, before]) =>
        !wanted.gone.master.has(key) && (wanted.masters.get(key) ?? before).customerCode === code,
    );
    const slaves = [...present.slaves].filter(
      ([key, before]) =>
        !wanted.gone.slave.has(key) && (wanted.slaves.get(key) ?? before).owner === code,
    );
    const work = present.withWork.get(code) ?? [];
    const reasons = [
      ...(organisation.archived ? [] : ['it is not archived']),
      ...(users.length > 0 ? ['users belong to it'] : []),
      ...(masters.length > 0 ? ['it has masters'] : []),
      ...(slaves.length > 0 ? ['it owns slaves'] : []),
      ...(work.length > 0 ? [`it has ${work.join(', ')}`] : []),
    ];
    const counted = { users: users.length, masters: masters.length, slaves: slaves.length };
    const needs = Object.fromEntries([
      ...Object.entries(counted).flatMap(([name, count]) =>
        count === 0 ? [] : [[name, String(count)]],
      ),
      ...work.map((name) => [name, '']),
    ]);
    const text = `organisation ${code}: cannot be removed: ${reasons.join(', ')}`;
    return reasons.length === 0 ? [] : [{ text, field: 'customerCode', code: 'IN_USE', needs }];
  });
}

/** Masters whose group code is removed, or whose engine does not serve them. */
function findWrongMasters(
  wanted: DesiredDirectory,
  present: DirectoryState,
): readonly DirectoryMistake[] {
  return [...wanted.masters.values()].flatMap(
    ({ family, serial, customerCode, groupCode, engine }): DirectoryMistake[] => {
      const note = (field: string, code: FieldError, why: string): DirectoryMistake => ({
        text: `master ${serial}: ${why}`,
        field,
        code,
      });
      const isGone = wanted.gone.group.has(groupKey(customerCode, groupCode));
      const gone = isGone
        ? [note('groupCode', 'IN_USE', 'its group code is marked for removal')]
        : [];
      const kind = engine === builtInEngine ? builtInEngine : present.engines.get(engine);
      if (kind === undefined) {
        const why = `there is no engine ${engine}; add it with "engine add" first`;
        return [...gone, note('engine', 'UNKNOWN', why)];
      }
      if (engineOf(kind).families.includes(family)) return gone;
      const why = `the engine ${engine} does not serve ${definitionOf(family).name}`;
      return [...gone, note('engine', 'NOT_SERVED', why)];
    },
  );
}

/** Roles that cannot be given, or that someone must keep. */
export function findWrongRoles(
  file: DirectoryFile,
  wanted: DesiredDirectory,
  present: DirectoryState,
): readonly DirectoryMistake[] {
  const mistakes = (file.users ?? []).flatMap((entry): DirectoryMistake[] => {
    const { email, manager, suspended = [], remove } = entry;
    if (remove === true) return [];
    const { customerCodes = [] } = wanted.users.get(foldEmail(email)) ?? {};
    const wrong = (field: string, verb: string, codes: readonly string[]) =>
      codes
        .filter((code) => !customerCodes.includes(code))
        .map(
          (code): DirectoryMistake => ({
            text: `user ${email}: cannot ${verb} ${code} without that customer code`,
            field,
            code: 'UNKNOWN',
          }),
        );
    return [
      ...wrong('manager', 'manage', Array.isArray(manager) ? manager : []),
      ...wrong('suspended', 'be suspended from', suspended),
    ];
  });
  return [...mistakes, ...findLastOperator(wanted, present)];
}

type Organisations = DirectoryState['organisations'];

/** An operator without access to the portal can administer nothing, and without an organisation cannot sign in. */
function isActive(user: UserRecord, organisations: Organisations): boolean {
  return (
    user.operator &&
    user.portalAccess &&
    !user.accountSuspended &&
    user.customerCodes.some(
      (code) => !user.suspended.includes(code) && organisations.get(code)?.archived !== true,
    )
  );
}

/** The fields of a user without which an operator is not active. */
const operatorFields = [
  'operator',
  'portalAccess',
  'accountSuspended',
  'suspended',
  'customerCodes',
] as const;

/** The field that takes the access from an operator: with its old value, the user would stay active. */
function losingField(before: UserRecord, now: UserRecord, after: Organisations): string {
  const alone = operatorFields.find((field) => isActive({ ...now, [field]: before[field] }, after));
  if (alone !== undefined) return alone;
  const changed = operatorFields.find(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]),
  );
  return changed ?? 'archived';
}

/** The change with which no operator would be left. */
function findLastOperator(
  wanted: DesiredDirectory,
  present: DirectoryState,
): readonly DirectoryMistake[] {
  const after = new Map([...present.organisations, ...wanted.organisations]);
  const users = new Map([...present.users, ...wanted.users]);
  for (const key of wanted.gone.user) users.delete(key);
  const lost = [...present.users].find(([, user]) => isActive(user, present.organisations));
  if (lost === undefined || [...users.values()].some((user) => isActive(user, after))) return [];
  const [key, before] = lost;
  const now = users.get(key);
  const field = now === undefined ? 'email' : losingField(before, now, after);
  const text = 'the last operator must stay one: make another user an operator first';
  return [{ text, field, code: 'LAST_OPERATOR' }];
}
