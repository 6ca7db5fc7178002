/**
 * Keys at rest: wrapped, shared between processes, rotated while other processes run, and useless with a different
 * secret.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  newInstallationSecret,
  openSecretSource,
  type SecretSource,
} from '../../src/secrets/secret-source.ts';
import {
  findPresentSecret,
  openSecrets,
  rewrapKeys,
  WrongSecret,
} from '../../src/secrets/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';

const given = (secret: string): SecretSource =>
  openSecretSource({ secret, secretFile: null, dataDir: '/nowhere' });

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'recodery-secrets-'));
});
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

const inDataDir = (): SecretSource => openSecretSource({ secret: null, secretFile: null, dataDir });

describe('a key', () => {
  it('is generated on first use, the same for every process, 32 bytes long', async () => {
    const one = await openSecrets(database.db, given('a secret of sixteen'));
    const other = await openSecrets(database.db, given('a secret of sixteen'));
    const keys = await Promise.all([
      one.getCurrentKey('session'),
      other.getCurrentKey('session'),
      one.getCurrentKey('session'),
    ]);
    expect(keys[0].key).toHaveLength(32);
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).toEqual(keys[0]);
    expect(await one.getCurrentKey('ticket')).not.toEqual(keys[0]);
  });

  // promise d3.settings.secret-wraps
  it('is stored in the database only wrapped', async () => {
    const secrets = await openSecrets(database.db, given('a secret of sixteen'));
    const { key } = await secrets.getCurrentKey('session');
    const rows = await database.db.selectFrom('wrapped_key').select('wrapped').execute();
    const everything = Buffer.concat(rows.map(({ wrapped }) => wrapped)).toString('hex');
    expect(everything).not.toContain(Buffer.from(key).toString('hex'));
  });

  it('cannot be unwrapped for a different purpose or number', async () => {
    const secrets = await openSecrets(database.db, given('a secret of sixteen'));
    await secrets.getCurrentKey('session');
    await database.db
      .updateTable('wrapped_key')
      .set({ purpose: 'ticket' })
      .where('purpose', '=', 'session')
      .execute();
    await expect(secrets.getCurrentKey('ticket')).rejects.toThrow(WrongSecret);
  });

  it('can be imported, numbered consecutively, retired, and still found by its number', async () => {
    const secrets = await openSecrets(database.db, given('a secret of sixteen'));
    const first = await secrets.createKey('master:1', new Uint8Array(32).fill(1));
    const second = await secrets.createKey('master:1');
    expect([first.keyId, second.keyId]).toEqual([1, 2]);
    expect((await secrets.listKeys('master:1')).map(({ keyId }) => keyId)).toEqual([2, 1]);
    await secrets.retireKey('master:1', 2);
    expect((await secrets.getCurrentKey('master:1')).keyId).toBe(1);
    expect(await secrets.getKey('master:1', 2)).toEqual(new Uint8Array(second.key));
    expect(await secrets.getKey('master:1', 3)).toBeNull();
  });

  it('is rolled back with the transaction that generated it', async () => {
    const secrets = await openSecrets(database.db, given('a secret of sixteen'));
    const failing = database.db.transaction().execute(async (trx) => {
      await secrets.createKey('master:2', undefined, trx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await secrets.getKey('master:2', 1)).toBeNull();
  });

  it('never gets the same number twice, however many are generated concurrently', async () => {
    const secrets = await openSecrets(database.db, given('a secret of sixteen'));
    const made = await Promise.all(Array.from({ length: 8 }, () => secrets.createKey('master:3')));
    expect(made.map(({ keyId }) => keyId).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });
});

describe('the installation secret', () => {
  // promise d3.settings.secret-file
  it('is generated in the data folder, readable only by its owner, and reused', async () => {
    const secrets = await openSecrets(database.db, inDataDir());
    const { key } = await secrets.getCurrentKey('session');
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
    const again = await openSecrets(database.db, inDataDir());
    expect((await again.getCurrentKey('session')).key).toEqual(key);
  });

  it('stops the start if it is a different one', async () => {
    await openSecrets(database.db, given('a secret of sixteen'));
    await expect(openSecrets(database.db, given('another of sixteen'))).rejects.toThrow(
      WrongSecret,
    );
  });

  it('stops the start if it is missing, and no new one replaces it', async () => {
    await openSecrets(database.db, inDataDir());
    await rm(join(dataDir, 'secret'));
    await expect(openSecrets(database.db, inDataDir())).rejects.toThrow(WrongSecret);
    expect(existsSync(join(dataDir, 'secret'))).toBe(false);
  });

  it('is refused with the name of the setting if its file is missing or too short', async () => {
    const secretFile = join(dataDir, 'given');
    const source = openSecretSource({ secret: null, secretFile, dataDir });
    await expect(source.read()).rejects.toThrow('RECODERY_SECRET_FILE');
    await writeFile(secretFile, 'short\n');
    await expect(source.read()).rejects.toThrow('RECODERY_SECRET_FILE');
  });
});

describe('a rotation', () => {
  it('changes no key, and running processes keep working with known and new keys', async () => {
    const source = inDataDir();
    const running = await openSecrets(database.db, source);
    const known = await running.getCurrentKey('session');
    const other = await openSecrets(database.db, source);
    const unknown = await other.getCurrentKey('ticket');

    const next = newInstallationSecret();
    await source.rotation?.prepare(next);
    const [present = ''] = await source.read();
    expect(await rewrapKeys(database.db, present, next)).toBe(3);
    await source.rotation?.complete(next);

    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${next}\n`);
    expect(await running.getCurrentKey('session')).toEqual(known);
    expect((await running.getCurrentKey('ticket')).key).toEqual(unknown.key);
    const made = await running.createKey('master:4');
    const fresh = await openSecrets(database.db, inDataDir());
    expect(await fresh.getKey('master:4', 1)).toEqual(new Uint8Array(made.key));
    await expect(openSecrets(database.db, given(present))).rejects.toThrow(WrongSecret);
  });

  it('leaves a working start when it is interrupted before or after the keys change', async () => {
    const source = inDataDir();
    const { key } = await (await openSecrets(database.db, source)).getCurrentKey('session');
    const [present = ''] = await source.read();
    const next = newInstallationSecret();
    await source.rotation?.prepare(next);
    const before = await openSecrets(database.db, inDataDir());
    expect((await before.getCurrentKey('session')).key).toEqual(key);
    await rewrapKeys(database.db, present, next);
    const after = await openSecrets(database.db, inDataDir());
    expect((await after.getCurrentKey('session')).key).toEqual(key);
    expect(await findPresentSecret(database.db, await source.read())).toBe(next);
  });

  it('changes nothing if the current secret is wrong', async () => {
    const secrets = await openSecrets(database.db, given('a secret of sixteen'));
    const { key } = await secrets.getCurrentKey('session');
    await expect(
      rewrapKeys(database.db, 'another of sixteen', newInstallationSecret()),
    ).rejects.toThrow(WrongSecret);
    const again = await openSecrets(database.db, given('a secret of sixteen'));
    expect((await again.getCurrentKey('session')).key).toEqual(key);
  });
});
