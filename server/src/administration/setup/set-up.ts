/** Sets up an installation without users: one transaction adds the operator, the organisation and its devices. */
import { createHash } from 'node:crypto';
import { rightNames } from '@recodery/contract/admin/resources';
import type { SetupValues } from '@recodery/contract/admin/setup';
import { builtInEngine } from '@recodery/contract/features/engines';
import { Refusal } from '@recodery/contract/refusal';
import { recordAudit } from '../../audit/audit.ts';
import { setPasswordHash } from '../../organisations/accounts.ts';
import { lockDirectory } from '../../organisations/directory/directory.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import {
  insertPasskey,
  type PasskeyOwner,
  verifyNewPasskey,
} from '../../sign-in/factors/passkeys.ts';
import { readCredential } from '../../sign-in/factors/read-credential.ts';
import { renewCodes } from '../../sign-in/factors/recovery-codes.ts';
import { hashPassword } from '../../sign-in/provider/passwords/passwords.ts';
import { refusePassword } from '../../sign-in/provider/passwords/refuse-password.ts';
import { createSession, type SessionDevice } from '../../sign-in/sessions.ts';
import { readFactorName } from '../account/own-factors.ts';
import type { AdministrationDeps } from '../directory/actions.ts';
import { createRecordWithin } from '../directory/change-records.ts';
import { type DirectoryResource, refuseFields } from '../records/resource-store.ts';
import { findSetupLink, useSetupLink } from './setup-links.ts';
import { stores } from '../directory/stores.ts';

/** Names the refused fields as the form of the setup does: `operator.email`, `masters.0.serial`. */
async function within<T>(prefix: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    const { code, details } = error;
    if (code !== 'FIELDS_NOT_ACCEPTED' || details === undefined || !('fields' in details))
      throw error;
    const fields = Object.entries(details.fields).map(([name, why]) => [prefix + name, why]);
    throw new Refusal(code, { fields: Object.fromEntries(fields) });
  });
}

/** The password's hash; null if there is only a passkey. @throws {Refusal} FIELDS_NOT_ACCEPTED */
async function readPassword({ operator, organisation }: SetupValues): Promise<string | null> {
  if (operator.password === null && operator.passkey !== null) return null;
  const password = operator.password ?? '';
  const why = refusePassword(password, [operator.email, operator.name, organisation.name]);
  if (why !== null) refuseFields({ 'operator.password': why });
  return hashPassword(password);
}

/** The owner of the first passkey: the same for each attempt with one link, so that the last one replaces the others. */
export function setupPasskeyOwner(
  token: string,
  { email, name }: { readonly email: string; readonly name: string },
): PasskeyOwner {
  const id = createHash('sha256').update(`passkey ${token}`).digest('hex').slice(0, 32);
  return { accountGuid: id, during: `setup ${id}`, email, displayName: name };
}

/**
 * Adds the passkey, and the recovery codes that replace it; null if there is none. If another field is refused, the
 * transaction also gives the challenge back.
 */
async function addPasskey(
  trx: Db,
  { publicUrl }: AdministrationDeps,
  guid: string,
  { token, operator }: SetupValues,
): Promise<readonly string[] | null> {
  if (operator.passkey === null) return null;
  const { passkey } = operator;
  const name = readFactorName(passkey.name);
  const response = readCredential(passkey.credential);
  const owner = setupPasskeyOwner(token, operator);
  const credential =
    response === null ? null : await verifyNewPasskey({ db: trx, publicUrl }, owner, response);
  if (credential === null || !(await insertPasskey(trx, guid, { name, credential })))
    refuseFields({ 'operator.passkey': 'PASSKEY_REFUSED' });
  return renewCodes(trx, guid);
}

async function addRecords(trx: Db, deps: AdministrationDeps, values: SetupValues): Promise<string> {
  const { operator, organisation, groupCode, masters, slaves } = values;
  const { customerCode } = organisation;
  const add = (prefix: string, ...[name, fields]: [DirectoryResource, object]) =>
    within(prefix, createRecordWithin(trx, deps, stores[name], { ...fields }));
  await add('organisation.', 'organisations', {
    ...organisation,
    rights: [...rightNames],
    groupCodes: [groupCode],
  });
  for (const [at, master] of masters.entries())
    await add(`masters.${at}.`, 'masters', {
      ...master,
      customerCode,
      groupCode,
      engine: builtInEngine,
    });
  for (const [at, slave] of slaves.entries()) await add(`slaves.${at}.`, 'slaves', slave);
  const { record } = await add('operator.', 'users', {
    email: operator.email,
    name: operator.name,
    culture: organisation.culture,
    customerCodes: [customerCode],
    manager: [customerCode],
    operator: true,
    portalAccess: true,
  });
  return record.guid;
}

/** The operator's new session, or null if they sign in at an external provider; the codes that replace a passkey. */
export interface SetUp {
  readonly sessionGuid: string | null;
  readonly recoveryCodes: readonly string[] | null;
}

/**
 * Adds everything.
 * @throws {Refusal} SETUP_LINK_EXPIRED, FIELDS_NOT_ACCEPTED
 */
export async function setUpInstallation(
  deps: AdministrationDeps,
  values: SetupValues,
  device: SessionDevice,
): Promise<SetUp> {
  // before the password is hashed, which is slow on purpose
  if ((await findSetupLink(deps.db, values.token)) === null)
    throw new Refusal('SETUP_LINK_EXPIRED');
  const passwordHash = deps.isExternal ? null : await readPassword(values);
  return deps.db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    if (!(await useSetupLink(trx, values.token))) throw new Refusal('SETUP_LINK_EXPIRED');
    const guid = await addRecords(trx, deps, values);
    await recordAudit(trx, {
      actor: { kind: 'user', guid, name: values.operator.email },
      action: 'setup',
      object: { customerCode: values.organisation.customerCode },
      from: device.address,
      outcome: 'done',
    });
    if (deps.isExternal) return { sessionGuid: null, recoveryCodes: null };
    if (passwordHash !== null)
      await setPasswordHash(trx, { guid, passwordHash: null }, passwordHash);
    const recoveryCodes = await addPasskey(trx, deps, guid, values);
    const sessionGuid = await createSession(
      trx,
      {
        accountGuid: guid,
        idToken: null,
        // the user who sets up has just chosen the password or shown the passkey
        authenticatedOn: new Date(),
        isWithFactor: recoveryCodes !== null,
      },
      device,
    );
    return { sessionGuid, recoveryCodes };
  });
}
