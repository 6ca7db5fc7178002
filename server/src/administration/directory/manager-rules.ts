/** Which organisations lose their last manager. */
import type { DirectoryState } from '../../organisations/directory/directory-state-rules.ts';

/** The customer codes of organisations that someone manages. A suspended user, or one without access to the
 * portal, manages nothing. */
function managedIn({ users }: DirectoryState): ReadonlySet<string> {
  return new Set(
    [...users.values()].flatMap(({ manager, portalAccess, accountSuspended, suspended }) =>
      portalAccess && !accountSuspended ? manager.filter((code) => !suspended.includes(code)) : [],
    ),
  );
}

/** The customer codes of organisations in use that had a manager before, and have none after. */
export function findUnmanaged(before: DirectoryState, after: DirectoryState): readonly string[] {
  const remaining = managedIn(after);
  return [...managedIn(before)].filter(
    (code) => !remaining.has(code) && after.organisations.get(code)?.archived === false,
  );
}
