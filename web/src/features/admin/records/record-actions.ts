/** Which actions a record offers; pure. */
import { type AnyValues, isFixed, type Resource } from '@recodery/contract/admin/resource';

/** What undoes another action or takes nothing away, and so needs no warning color. */
const calm: ReadonlySet<string> = new Set([
  'restore',
  'invite',
  'resend',
  'test',
  'retry',
  'publish',
  'copy',
  'renew',
  'verify',
]);
/** What only someone gets who has not accepted an invitation. */
const inviting: ReadonlySet<string> = new Set(['invite', 'resend']);
/** What takes a record out of use, and can be undone. */
const ending: ReadonlySet<string> = new Set(['suspend', 'revoke', 'archive']);

/** What is done to one record at a time: what returns a link, cannot be undone, or ends the access of an organization. */
const single: ReadonlySet<string> = new Set([...inviting, 'renewKey', 'archive']);

export function isCalm(action: string): boolean {
  return calm.has(action);
}

/** Whether a record is suspended, revoked or archived. */
export function isInactive({ accountSuspended, archived, revoked, suspended }: AnyValues): boolean {
  return [accountSuspended, archived, revoked, suspended].includes(true);
}

/** The actions of a record, in the order of the declaration; `remove` is the last. */
export function actionsOf(resource: Resource, record: AnyValues): readonly string[] {
  const { actions, can, offered: conditions = {} } = resource;
  const isUnchangeable = isFixed(resource, record);
  const isOffered = (action: string): boolean => {
    const { [action]: condition } = conditions;
    if (condition === undefined) return !isUnchangeable;
    return condition.is.includes(String(record[condition.field]));
  };
  const offered = actions.filter((action) => {
    if (!isOffered(action)) return false;
    if (record['state'] !== undefined && inviting.has(action)) return record['state'] === 'invited';
    if (action === 'restore') return isInactive(record);
    return !(ending.has(action) && isInactive(record));
  });
  return can.remove === true && isOffered('remove') ? [...offered, 'remove'] : offered;
}

/** The actions that can be carried out on several records at once. */
export function actionsOfAll(resource: Resource, records: readonly AnyValues[]): readonly string[] {
  const each = records.map((record) => new Set(actionsOf(resource, record)));
  return [...resource.actions, 'remove'].filter(
    (action) => !single.has(action) && each.every((offered) => offered.has(action)),
  );
}
