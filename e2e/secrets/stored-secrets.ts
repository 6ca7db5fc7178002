/** Collects the secrets that a running product stores: its keys, its passwords, and the links in its outbox. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../server/src/config/config.ts';
import { silentLog } from '../../server/test/fixtures/silent-log.ts';
import { openPlatform, type Platform } from '../../server/src/platform.ts';
import { urlsOf } from '../../server/src/postgres/database-owner.ts';
import { findSecrets, type Secret } from './find-secrets.ts';

/** Every form in which a key could be written. */
function spellings(kind: string, key: Uint8Array): readonly Secret[] {
  const bytes = Buffer.from(key);
  const texts = (['hex', 'base64', 'base64url'] as const).map((form) => bytes.toString(form));
  const text = bytes.toString('latin1');
  // a vendor's secret is text
  const own = /^[\x20-\x7e]{8,}$/.test(text) ? [text] : [];
  return [...texts, bytes.toString('hex').toUpperCase(), ...own].map((value) => ({ kind, value }));
}

/** Keys that were read before, by their wrapped form: the databases of tests are copies, with the same keys. */
const opened = new Map<string, Uint8Array | null>();

/** The keys of a database, which webhooks and the engines of vendors have too. */
export async function readKeys({
  db,
  secrets,
}: Pick<Platform, 'db' | 'secrets'>): Promise<readonly Secret[]> {
  const rows = await db
    .selectFrom('wrapped_key')
    .select(['purpose', 'key_id', 'wrapped'])
    .execute();
  const found: Secret[] = [];
  // one after the other: together, each would open a connection
  for (const { purpose, key_id, wrapped } of rows) {
    const name = wrapped.toString('base64');
    const key = opened.get(name) ?? (await secrets.getKey(purpose, key_id));
    opened.set(name, key);
    const kind = `key of ${purpose.replace(/:.*/, '')}`;
    if (key !== null) found.push(...spellings(kind, key));
    found.push(...spellings(`wrapped ${kind}`, wrapped));
  }
  return found;
}

/** The same, opened as a command does. */
async function readOwnKeys(environment: NodeJS.ProcessEnv): Promise<readonly Secret[]> {
  const config = readConfig(environment);
  const { platform, close } = await openPlatform(config, silentLog, { as: 'command' });
  return readKeys(platform).finally(close);
}

/** The files of a folder whose names end with this; none if the folder does not exist. */
async function readTexts(folder: string, end: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const chosen = names.filter((name) => name.endsWith(end));
  return Promise.all(chosen.map((name) => readFile(join(folder, name), 'utf8')));
}

/** The passwords in the addresses of a product's settings, and the settings that are entirely secret. */
function readSettings(environment: NodeJS.ProcessEnv): readonly Secret[] {
  return Object.entries(environment).flatMap(([name, text = '']) => {
    const isOurs = /^(RECODERY|AWS)_/.test(name);
    const isSecret = /SECRET$|SECRET_ACCESS_KEY$/.test(name);
    const value = isSecret ? text : (URL.parse(text)?.password ?? '');
    // the secret key of the test's object store is an ordinary word
    return isOurs && value.length > 7 ? [{ kind: name, value }] : [];
  });
}

/** The passwords of the embedded database: the superuser's, and that of the role that portal and worker use. */
async function readDatabasePasswords(dataFolder: string): Promise<readonly Secret[]> {
  const superuser = (await readFile(join(dataFolder, 'postgres/password'), 'utf8')).trim();
  const { password } = new URL(urlsOf('socket', superuser).url);
  return [superuser, password].map((value) => ({ kind: 'password of the database', value }));
}

/** All of them. The product must be running. */
export async function readStoredSecrets(
  dataFolder: string,
  environment: NodeJS.ProcessEnv,
): Promise<readonly Secret[]> {
  const single = async (kind: string, path: string): Promise<Secret> => ({
    kind,
    value: (await readFile(join(dataFolder, path), 'utf8')).trim(),
  });
  const [emails, keyFiles] = await Promise.all([
    readTexts(join(dataFolder, 'outbox'), '.eml'),
    readTexts(join(dataFolder, 'demo', 'keys'), '.json'),
  ]);
  return [
    await single('installation secret', 'secret'),
    // the password of another database is in its address
    ...(environment['RECODERY_DATABASE_URL'] === undefined
      ? await readDatabasePasswords(dataFolder)
      : []),
    ...[...emails, ...keyFiles].flatMap(findSecrets),
    ...readSettings(environment),
    ...(await readOwnKeys(environment)),
  ];
}
