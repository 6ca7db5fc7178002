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

/** The customer codes of organisations in use that have no manager, and had one or were archived before. */
export function findUnmanaged(before: DirectoryState, after: DirectoryState): readonly string[] {
  const [had, remaining] = [managedIn(before), managedIn(after)];
  return [...after.organisations].flatMap(([code, { archived }]) => {
    const isAsked = had.has(code) || before.organisations.get(code)?.archived === true;
    return isAsked && !archived && !remaining.has(code) ? [code] : [];
  });
}
