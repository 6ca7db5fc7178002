/** What users change about the second factors of their own account. */
import {
  type AppDraft,
  longestFactorName,
  mostFactors,
  type OwnFactors,
} from '@recodery/contract/admin/factors';
import { Refusal } from '@recodery/contract/refusal';
import { encode } from 'uqr';
import type { Person } from '../../organisations/caller.ts';
import { lockAccount } from '../../organisations/accounts.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import {
  type AppDeps,
  createAppSecret,
  insertApp,
  listApps,
} from '../../sign-in/factors/authenticator-apps.ts';
import { hasFactor, isFactorMissing, removeFactors } from '../../sign-in/factors/factors.ts';
import {
  canHavePasskeys,
  createPasskeyOptions,
  insertPasskey,
  listPasskeys,
  type PasskeyOwner,
  verifyNewPasskey,
} from '../../sign-in/factors/passkeys.ts';
import { readCredential } from '../../sign-in/factors/read-credential.ts';
import { countCodes, renewCodes } from '../../sign-in/factors/recovery-codes.ts';
import { isConfirmed, isWithFactor, markWithFactor } from '../../sign-in/confirmed-sessions.ts';
import { forgetProviderRecordsOf } from '../../sign-in/provider/records.ts';
import { forgetSsoTokensOf } from '../../sign-in/sso-tokens.ts';
import type { FactorNews } from '../../sign-in/factors/factor-news.ts';
import { endOthers } from './own-account.ts';
import { refuseFields } from '../records/resource-store.ts';

/** The dependencies of second factors. */
export interface FactorDeps extends AppDeps {
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** Whether users sign in at an external provider, which has factors of its own. */
  readonly isExternal: boolean;
  /** Whether operators need a factor. */
  readonly needsOperatorFactor: boolean;
  readonly sendNews: FactorNews;
}

/** Refuses users of an external provider. @throws {Refusal} FeatureNotAvailable */
function requireOwnProvider({ isExternal }: Pick<FactorDeps, 'isExternal'>): void {
  if (isExternal) throw new Refusal('FeatureNotAvailable');
}

/**
 * Refuses sessions whose user did not sign in or enter the password recently, and those of accounts with factors that
 * were opened without one.
 * @throws {Refusal} CONFIRM_ACCOUNT
 */
async function requireConfirmed(deps: FactorDeps, caller: Person): Promise<void> {
  requireOwnProvider(deps);
  const { db } = deps;
  const { sessionGuid, accountGuid } = caller;
  if (!(await isConfirmed(db, sessionGuid))) throw new Refusal('CONFIRM_ACCOUNT');
  if (!(await isWithFactor(db, sessionGuid)) && (await hasFactor(db, accountGuid)))
    throw new Refusal('CONFIRM_ACCOUNT');
}

async function listAll(db: Db, accountGuid: string) {
  const [apps, passkeys] = [await listApps(db, accountGuid), await listPasskeys(db, accountGuid)];
  return [
    ...apps.map((app) => ({ ...app, kind: 'app' as const })),
    ...passkeys.map((passkey) => ({ ...passkey, kind: 'passkey' as const })),
  ];
}

/** The caller's factors. */
export async function readFactors(deps: FactorDeps, caller: Person): Promise<OwnFactors> {
  requireOwnProvider(deps);
  const { db, publicUrl, needsOperatorFactor } = deps;
  const factors = await listAll(db, caller.accountGuid);
  return {
    factors: factors.map((factor) => ({
      ...factor,
      createdOn: factor.createdOn.toISOString(),
      lastUsedOn: factor.lastUsedOn?.toISOString() ?? null,
    })),
    recoveryCodesLeft: await countCodes(db, caller.accountGuid),
    canAddPasskey: canHavePasskeys(publicUrl),
    isMissing: needsOperatorFactor && (await isFactorMissing(db, caller.accountGuid)),
  };
}

/** Light modules around a QR code (ISO/IEC 18004): the page around it may be dark. */
const quietModules = 4;

/** A secret for an authenticator app. @throws {Refusal} CONFIRM_ACCOUNT */
export async function beginApp(deps: FactorDeps, caller: Person): Promise<AppDraft> {
  await requireConfirmed(deps, caller);
  const drafted = await createAppSecret(deps, { guid: caller.accountGuid, email: caller.email });
  const rows = encode(drafted.address, { border: quietModules }).data.map((row) =>
    row.map(Number).join(''),
  );
  return { ...drafted, rows };
}

/** What a browser needs to create a passkey. @throws {Refusal} CONFIRM_ACCOUNT */
export async function beginPasskey(deps: FactorDeps, caller: Person): Promise<string> {
  await requireConfirmed(deps, caller);
  if (!canHavePasskeys(deps.publicUrl)) throw new Refusal('FeatureNotAvailable');
  return JSON.stringify(await createPasskeyOptions(deps, passkeyOwner(caller)));
}

function passkeyOwner(caller: Person): PasskeyOwner {
  return { ...caller, during: `session ${caller.sessionGuid}` };
}

/** The name of a factor, as it is stored. @throws {Refusal} FIELDS_NOT_ACCEPTED */
export function readFactorName(typed: string): string {
  const name = typed.trim();
  if (name === '') refuseFields({ name: 'REQUIRED' });
  if (name.length > longestFactorName) refuseFields({ name: 'TOO_LONG' });
  if (/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(name)) refuseFields({ name: 'INVALID' });
  return name;
}

/**
 * Adds a factor, and the recovery codes if it is the first; `add` refuses what is wrong. Ends all other sessions, and
 * sign-ins that have begun: someone who knows only the password must not keep one.
 */
async function addFactor(
  deps: FactorDeps,
  caller: Person,
  typed: string,
  add: (trx: Db, name: string) => Promise<void>,
): Promise<readonly string[] | null> {
  await requireConfirmed(deps, caller);
  const name = readFactorName(typed);
  const { accountGuid } = caller;
  return deps.db.transaction().execute(async (trx) => {
    // of two first factors at the same time, one creates the codes
    await lockAccount(trx, accountGuid);
    const count = (await listAll(trx, accountGuid)).length;
    if (count >= mostFactors) refuseFields({ name: 'TOO_MANY' });
    // another session may have added the first one since the caller was admitted
    if (count > 0 && !(await isWithFactor(trx, caller.sessionGuid)))
      throw new Refusal('CONFIRM_ACCOUNT');
    await add(trx, name);
    await markWithFactor(trx, caller.sessionGuid);
    await forgetProviderRecordsOf(trx, accountGuid);
    await forgetSsoTokensOf(trx, accountGuid);
    await endOthers(trx, caller);
    await deps.sendNews(trx, { accountGuid, kind: 'factor-added' });
    return count === 0 ? renewCodes(trx, accountGuid) : null;
  });
}

/** Adds an authenticator app. @throws {Refusal} CONFIRM_ACCOUNT, FIELDS_NOT_ACCEPTED */
export async function addOwnApp(
  deps: FactorDeps,
  caller: Person,
  asked: { readonly draft: string; readonly code: string; readonly name: string },
): Promise<readonly string[] | null> {
  return addFactor(deps, caller, asked.name, async (trx, name) => {
    const outcome = await insertApp(trx, deps, caller.accountGuid, { ...asked, name });
    if (outcome === 'wrong') refuseFields({ code: 'WRONG_CODE' });
    if (outcome === 'expired') refuseFields({ code: 'CODE_EXPIRED' });
  });
}

/** Adds a passkey. @throws {Refusal} CONFIRM_ACCOUNT, FIELDS_NOT_ACCEPTED */
export async function addOwnPasskey(
  deps: FactorDeps,
  caller: Person,
  asked: { readonly credential: string; readonly name: string },
): Promise<readonly string[] | null> {
  await requireConfirmed(deps, caller);
  const response = readCredential(asked.credential);
  const credential =
    response === null ? null : await verifyNewPasskey(deps, passkeyOwner(caller), response);
  return addFactor(deps, caller, asked.name, async (trx, name) => {
    const isAdded =
      credential !== null && (await insertPasskey(trx, caller.accountGuid, { name, credential }));
    if (!isAdded) refuseFields({ credential: 'PASSKEY_REFUSED' });
  });
}

/** Removes a factor; returns its name. @throws {Refusal} CONFIRM_ACCOUNT, NOT_FOUND */
export async function removeOwnFactor(
  deps: FactorDeps,
  caller: Person,
  guid: string,
): Promise<string> {
  await requireConfirmed(deps, caller);
  const { accountGuid } = caller;
  return deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountGuid);
    const [name] = await removeFactors(trx, accountGuid, guid);
    if (name === undefined) throw new Refusal('NOT_FOUND');
    await deps.sendNews(trx, { accountGuid, kind: 'factor-removed' });
    return name;
  });
}

/** Replaces the recovery codes. @throws {Refusal} CONFIRM_ACCOUNT, NOT_FOUND if there is no factor that they replace */
export async function renewOwnCodes(deps: FactorDeps, caller: Person): Promise<readonly string[]> {
  await requireConfirmed(deps, caller);
  const { accountGuid } = caller;
  return deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountGuid);
    if (!(await hasFactor(trx, accountGuid))) throw new Refusal('NOT_FOUND');
    return renewCodes(trx, accountGuid);
  });
}
