/** Describes the session for the browser: the user, the customer codes, the devices under the current one. */
import { pathOf } from '@recodery/contract/api';
import { byFamily, type Family, describeMasters } from '@recodery/contract/families/registry';
import { type GroupCodeInfo, getLogo, type Session } from '@recodery/contract/features/session';
import { entriesOf } from '../organisations/access-rules.ts';
import { mintOrganisationId } from '../organisations/caller.ts';
import {
  countDevices,
  listGroupCodes,
  listMasters,
  type MasterDevice,
  ownsSlaves,
} from '../organisations/devices.ts';
import { listOrganisationsOf } from '../organisations/organisations.ts';
import { languageFor } from '../texts/texts.ts';
import { getSessionFacts, type SessionDeps } from './sessions.ts';

/**
 * Describes an active session; refuses `API_ERROR_UNAUTHORIZED` when it has ended. `headers` are those of the request:
 * they give the language of an account that has not set one.
 */
export async function describeSession(
  deps: SessionDeps,
  sessionGuid: string,
  headers: Parameters<typeof languageFor>[0] = {},
): Promise<Session> {
  const facts = await getSessionFacts(deps, sessionGuid);
  const organisationId = mintOrganisationId(facts.organisationGuid);
  const [organisations, groupCodes, masters, canReceive] = await Promise.all([
    listOrganisationsOf(deps.db, facts.accountGuid),
    listGroupCodes(deps.db, organisationId),
    listMasters(deps.db, organisationId),
    ownsSlaves(deps.db, organisationId),
  ]);
  return {
    sessionID: facts.sessionId,
    customerCode: facts.customerCode,
    userDisplayName: facts.displayName,
    userOrganizationName: facts.organisationName,
    userOrganizationLogoURL:
      facts.logoVersion === null
        ? null
        : pathOf(getLogo, { guid: facts.organisationGuid, version: facts.logoVersion }),
    otherCustomerCodes: organisations
      .map((organisation) => organisation.customerCode)
      .filter((code) => code !== facts.customerCode),
    customerCodeNames: Object.fromEntries(
      organisations.map(({ customerCode, name }) => [customerCode, name]),
    ),
    groupCodesInfo: groupCodes.map((code) => groupCodeInfo(code, masters)),
    culture: facts.culture ?? languageFor(headers, null).locale,
    hasPortalAccess: facts.hasPortalAccess,
    isOperator: facts.isOperator,
    isManager: facts.isManager,
    canReceive,
    entries: entriesOf(
      facts,
      byFamily((family) => countDevices(masters.filter((master) => master.family === family))),
    ),
  };
}

function groupCodeInfo(groupCode: string, masters: readonly MasterDevice[]): GroupCodeInfo {
  const serialsOf = (family: Family) =>
    masters
      .filter((master) => master.groupCode === groupCode && master.family === family)
      .map((master) => master.serialNumber);
  return {
    groupCode,
    ...describeMasters(serialsOf),
  };
}
