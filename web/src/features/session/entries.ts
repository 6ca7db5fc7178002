/** Which pages the user may open according to the session, and what users who may not open any can still do; pure. */
import {
  definitionOf,
  families,
  type Family,
  type Workflow,
  workflowsOf,
} from '@recodery/contract/families/registry';
import type { EntryRefusal, Session } from '@recodery/contract/features/session';

/** Whether the user may open a page of the slaves under the current customer code. */
export function mayEnter({ entries }: Pick<Session, 'entries'>, page: Workflow): boolean {
  return entries[page] === null;
}

/** Whether the user may open any page of a family under the current customer code. */
export function mayEnterFamily(session: Pick<Session, 'entries'>, family: Family): boolean {
  return workflowsOf(family).some((page) => mayEnter(session, page));
}

/**
 * What a user can do here: work with slaves, only receive files, neither until a right is granted or a slave is linked,
 * or nothing at all because the account has no access to the portal.
 */
export type AccessLevel = 'works' | 'receives' | 'blocked' | 'no-access';

export function accessLevelOf(
  session: Pick<Session, 'hasPortalAccess' | 'canReceive' | 'entries'>,
): AccessLevel {
  if (!session.hasPortalAccess) return 'no-access';
  if (Object.values(session.entries).includes(null)) return 'works';
  return session.canReceive ? 'receives' : 'blocked';
}

/** The refusals when no slave is linked to a master device. */
const missingSlave: readonly EntryRefusal[] = families.map(
  (family) => definitionOf(family).noDevices,
);

/** Whether a refusal means that no slave is linked to a master device. */
export function isMissingSlave(refusal: EntryRefusal): boolean {
  return missingSlave.includes(refusal);
}

/** The refusals, the easiest to resolve first. */
const nearest: readonly EntryRefusal[] = [...missingSlave, 'FeatureNotAvailable'];

/** The refusal to explain, out of several: a missing slave before a missing subscription before a missing right. */
export function refusalToExplain({ entries }: Pick<Session, 'entries'>): EntryRefusal {
  const refusals = Object.values(entries);
  return nearest.find((refusal) => refusals.includes(refusal)) ?? 'USER_NO_RIGHTS';
}
