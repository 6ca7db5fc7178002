/** Owns the table authenticator_app: apps that show a code of six digits, which changes every 30 seconds (RFC 6238). */
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { newGuid } from '../../config/guids.ts';
import type { Clock } from '../../config/clock.ts';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { openValue, type SealedFor, sealValue } from '../../secrets/sealed-value.ts';
import type { Secrets } from '../../secrets/secrets.ts';

/** The dependencies of authenticator apps. */
export interface AppDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'getKey'>;
}

const purpose = 'authenticator-app';
const periodSeconds = 30;
/** Steps by which the clock of a phone can differ from ours, in both directions. */
const driftSteps = 1;
/** Milliseconds to scan the secret and enter the first code. */
const draftMs = 900_000;

/** A secret that no app has confirmed yet; the browser keeps it in `draft`, which only the server can read. */
export interface DraftedApp {
  readonly draft: string;
  /** In Base32. */
  readonly secret: string;
  /** The address in the QR code. */
  readonly address: string;
}

const sealFor = (row: string): SealedFor => ({ purpose, row });
const draftOf = (accountGuid: string): SealedFor => sealFor(`draft of ${accountGuid}`);

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    ...{ issuer: 'Recodery', label, algorithm: 'SHA1', digits: 6, period: periodSeconds },
    secret: Secret.fromBase32(secret),
  });

/** The time step of a code that is right now; null: it is wrong. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret, '').validate({ token, timestamp, window: driftSteps });
  return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta;
}

/** Creates a secret for an account. Nothing is stored before a code proves that an app has it. */
export async function createAppSecret(
  { secrets, clock }: AppDeps,
  account: { readonly guid: string; readonly email: string },
): Promise<DraftedApp> {
  const secret = new Secret({ size: 20 }).base32;
  const guid = newGuid();
  const until = clock.now().getTime() + draftMs;
  const sealed = await sealValue(secrets, draftOf(account.guid), { guid, secret, until });
  return {
    draft: sealed.toString('base64url'),
    secret,
    address: totpOf(secret, account.email).toString(),
  };
}

async function readDraft({ secrets, clock }: AppDeps, accountGuid: string, draft: string) {
  // what was changed, or belongs to another account, is as good as expired
  const read = openValue(secrets, draftOf(accountGuid), Buffer.from(draft, 'base64url'));
  const value = await read.catch(() => null);
  if (value === null || Number(value['until']) < clock.now().getTime()) return null;
  return { guid: String(value['guid']), secret: String(value['secret']) };
}

/** Adds the app of a draft if the code is right. */
export async function insertApp(
  trx: Db,
  deps: AppDeps,
  accountGuid: string,
  asked: { readonly draft: string; readonly code: string; readonly name: string },
): Promise<'added' | 'expired' | 'wrong'> {
  const read = await readDraft(deps, accountGuid, asked.draft);
  if (read === null) return 'expired';
  const step = stepOf(read.secret, asked.code, deps.clock.now());
  if (step === null) return 'wrong';
  const { guid, secret } = read;
  const inserted = await trx
    .insertInto('authenticator_app')
    .values({
      guid,
      account_guid: accountGuid,
      name: asked.name,
      sealed_secret: await sealValue(deps.secrets, sealFor(guid), { secret }),
      last_step: step,
    })
    // the draft was used before
    .onConflict((conflict) => conflict.doNothing())
    .returning('guid')
    .executeTakeFirst();
  return inserted === undefined ? 'expired' : 'added';
}

/**
 * Whether one of the account's apps shows this code. It is then used up, as are those before it. An app whose secret
 * cannot be read, such as after a restore with another secret of the installation, does not keep the others from working.
 */
export async function spendAppCode(
  { db, clock, secrets, log }: AppDeps & { readonly log: Log },
  accountGuid: string,
  code: string,
): Promise<boolean> {
  const apps = await db
    .selectFrom('authenticator_app')
    .select(['guid', 'sealed_secret as sealed'])
    .where('account_guid', '=', accountGuid)
    .execute();
  for (const { guid, sealed } of apps) {
    const opened = await openValue(secrets, sealFor(guid), sealed).catch((error: unknown) => {
      log.error({ error, app: guid }, 'could not read the secret of an authenticator app');
      return null;
    });
    const step = opened === null ? null : stepOf(String(opened['secret']), code, clock.now());
    if (step === null) continue;
    // of two requests with the same code, one gets the row
    const spent = await db
      .updateTable('authenticator_app')
      .set({ last_step: step, last_used_on: sql`now()` })
      .where('guid', '=', guid)
      .where('last_step', '<', step)
      .returning('guid')
      .executeTakeFirst();
    if (spent !== undefined) return true;
  }
  return false;
}

/** The apps of an account, the oldest first. */
export async function listApps(db: Db, accountGuid: string) {
  return db
    .selectFrom('authenticator_app')
    .select(['guid', 'name', 'created_on as createdOn', 'last_used_on as lastUsedOn'])
    .where('account_guid', '=', accountGuid)
    .orderBy('created_on')
    .orderBy('guid')
    .execute();
}

/** Removes one of the account's apps, or all; returns their names. */
export async function removeApps(
  trx: Db,
  accountGuid: string,
  guid: string | null = null,
): Promise<readonly string[]> {
  const removed = await trx
    .deleteFrom('authenticator_app')
    .where('account_guid', '=', accountGuid)
    .$if(guid !== null, (query) => query.where(sql`guid::text`, '=', guid))
    .returning('name')
    .execute();
  return removed.map(({ name }) => name);
}
