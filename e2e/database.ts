/** The database of a product, for what nothing else in the product can do: make something old, or a password cheap. */
import { randomBytes, scryptSync } from 'node:crypto';
import { openForCommand } from '../server/src/postgres/embedded/embedded.ts';
import { connectOnce } from '../server/src/postgres/database.ts';

type Client = Awaited<ReturnType<typeof connectOnce>>;

/** Connects for the duration of `work`; without `url`, to the embedded database. */
export async function withDatabase(
  { dataFolder }: { readonly dataFolder: string },
  work: (client: Client) => Promise<unknown>,
  url = process.env['RECODERY_DATABASE_URL'],
): Promise<void> {
  const embedded = url === undefined ? await openForCommand(dataFolder) : null;
  const client = await connectOnce(url ?? embedded?.url ?? '', 'journey');
  try {
    await work(client);
  } finally {
    await client.end();
    await embedded?.close();
  }
}

/**
 * Stores the demo password of all accounts with a hash that takes no time. The product's own takes a third of a processor
 * second for each sign-in, and protects nothing here; `server/test/sign-in/` tests it.
 */
export async function storeCheapPasswords(
  dataFolder: string,
  url: string | undefined,
): Promise<void> {
  const salt = randomBytes(16);
  const hash = scryptSync('demo', salt, 32, { N: 16, r: 8, p: 1 });
  const stored = ['scrypt', 16, 8, 1, salt.toString('base64url'), hash.toString('base64url')];
  await withDatabase(
    { dataFolder },
    (client) =>
      client.query('update account set password_hash = $1 where is_demo', [stored.join('$')]),
    url,
  );
}
