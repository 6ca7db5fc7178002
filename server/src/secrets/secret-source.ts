/**
 * The source of the installation secret: the environment, a file named there, or the generated file in the data folder.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, WrongSetting } from '../config/config.ts';
import { ensureFolder, syncFolder, writeFileOnce } from '../config/folders.ts';

/** Reads, generates and replaces the installation secret. */
export interface SecretSource {
  /**
   * The possible secrets, the likeliest first; more than one only when a rotation was interrupted; none: not generated
   * yet.
   */
  read(): Promise<readonly string[]>;
  /** Generates the first secret. Throws when the operator must provide it. */
  make(): Promise<string>;
  /** null: the operator provides the secret, and also the next one. */
  readonly rotation: SecretRotation | null;
}

/** Replaces the secret so that an interrupted rotation loses neither the old nor the new one. */
export interface SecretRotation {
  /** Stores the next secret alongside the current one, durably. */
  prepare(next: string): Promise<void>;
  /** Replaces the current secret with the one that was prepared. */
  complete(next: string): Promise<void>;
}

/** A new random installation secret: 256 bits as base64url. */
export function newInstallationSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The source that the configuration names. */
export function openSecretSource(
  config: Pick<Config, 'secret' | 'secretFile' | 'dataDir'>,
): SecretSource {
  const { secret, secretFile } = config;
  if (secret !== null) {
    return {
      read: async () => [secret],
      make: async () => secret,
      rotation: null,
    };
  }
  const file = secretFile ?? join(config.dataDir, 'secret');
  const nextFile = `${file}.next`;
  return {
    async read() {
      if (secretFile !== null && !existsSync(secretFile)) {
        throw new WrongSetting('RECODERY_SECRET_FILE', secretFile, 'must be a file');
      }
      const found = [file, nextFile].filter((path) => existsSync(path));
      return Promise.all(found.map(readSecretFile));
    },
    async make() {
      await ensureFolder(config.dataDir, 0o755);
      await writeFileOnce(file, `${newInstallationSecret()}\n`, 0o600);
      return readSecretFile(file);
    },
    rotation: {
      prepare: (next) => replaceFile(nextFile, `${next}\n`),
      async complete(next) {
        // The keys are wrapped under this secret: no other one may take the place of the current one.
        const stored = existsSync(nextFile) ? (await readFile(nextFile, 'utf8')).trim() : null;
        if (stored !== next) await replaceFile(nextFile, `${next}\n`);
        await rename(nextFile, file);
        await syncFolder(dirname(file));
      },
    },
  };
}

/** Writes a private file so that a crash leaves the former content or the whole new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
}

async function readSecretFile(path: string): Promise<string> {
  const text = (await readFile(path, 'utf8')).trim();
  if (text.length < 16) {
    throw new WrongSetting('RECODERY_SECRET_FILE', path, 'must contain at least 16 characters');
  }
  return text;
}
