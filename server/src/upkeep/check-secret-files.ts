/** Finds files with secrets that every account of this machine can read, by their mode bits. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Judgment } from './finding.ts';

/** Settings that are a secret, or an address that can contain one. */
const secretSettings =
  /^(RECODERY_SECRET|RECODERY_DATABASE_URL|RECODERY_DATABASE_DIRECT_URL|RECODERY_SMTP_URL|RECODERY_OIDC_CLIENT_SECRET|AWS_SECRET_ACCESS_KEY|POSTGRES_PASSWORD)$/;

/** Checks the secret of the installation and `.env`; null if there is neither. */
export async function checkSecretFiles(config: Config): Promise<Judgment | null> {
  const own = config.secretFile ?? join(config.dataDir, 'secret');
  const settings = join(config.projectDir, '.env');
  const candidates = [own, `${own}.next`, ...((await hasSecret(settings)) ? [settings] : [])];
  const found = await Promise.all(
    candidates.map(async (file) => ({ file, isOpen: await isReadableByAll(file) })),
  );
  const open = found.filter(({ isOpen }) => isOpen === true).map(({ file }) => file);
  if (open.length > 0) {
    return [
      'wrong',
      `Every account of this machine can read ${open.join(' and ')}. Run: chmod o-rwx ${open.join(' ')}`,
    ];
  }
  return found.some(({ isOpen }) => isOpen !== null)
    ? ['ok', 'Other accounts of this machine cannot read the secrets.']
    : null;
}

async function hasSecret(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Object.entries(parseEnv(text)).some(
    ([name, value]) => secretSettings.test(name) && value !== '',
  );
}

/** Whether the file and all folders above it are open to everyone; null: there is no such file. */
async function isReadableByAll(file: string): Promise<boolean | null> {
  // on Windows, the mode does not show who can read a file
  if (process.platform === 'win32') return null;
  const path = await realpath(file).catch(() => null);
  if (path === null) return null;
  if (((await stat(path)).mode & 0o004) === 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
