/** What the session says of the pages that may be entered, and what is left for those who may enter none; pure. */
import { definitionOf, families, type Workflow } from '@recodery/contract/families/registry';
import type { EntryRefusal, Session } from '@recodery/contract/session';

/** Whether a page of the slaves may be entered under the current customer code. */
export function mayEnter({ entries }: Pick<Session, 'entries'>, page: Workflow): boolean {
  return entries[page] === null;
}

/**
 * What a user can do here: work with slaves, only receive files, neither of both until something is granted or linked,
 * or nothing at all because the account has no access to the portal.
 */
export type Standing = 'works' | 'receives' | 'blocked' | 'no-access';

export function standingOf(
  session: Pick<Session, 'hasPortalAccess' | 'canReceive' | 'entries'>,
): Standing {
  if (!session.hasPortalAccess) return 'no-access';
  if (Object.values(session.entries).includes(null)) return 'works';
  return session.canReceive ? 'receives' : 'blocked';
}

/** The refusals where no slave is linked to a master device. */
const missingSlave: readonly EntryRefusal[] = families.map(
  (family) => definitionOf(family).noDevices,
);

/** Whether a refusal says that no slave is linked to a master device. */
export function isMissingSlave(refusal: EntryRefusal): boolean {
  return missingSlave.includes(refusal);
}

/** The refusals, the one that is nearest to being resolved first. */
const nearest: readonly EntryRefusal[] = [...missingSlave, 'FeatureNotAvailable'];

/** Of several refusals the one to explain: a missing slave before a missing subscription before a missing right. */
export function refusalToExplain({ entries }: Pick<Session, 'entries'>): EntryRefusal {
  const refusals = Object.values(entries);
  return nearest.find((refusal) => refusals.includes(refusal)) ?? 'USER_NO_RIGHTS';
}
