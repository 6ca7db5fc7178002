/** The database of a product, for what nothing else in the product can do: make something old. */
import { openForCommand } from '../server/src/postgres/embedded.ts';
import { connectOnce } from '../server/src/postgres/database.ts';
import type { Product } from './product.ts';

type Client = Awaited<ReturnType<typeof connectOnce>>;

/** Connects for the duration of `work`. */
export async function withDatabase(
  { dataFolder }: Product,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const url = process.env['RECODERY_DATABASE_URL'];
  const embedded = url === undefined ? await openForCommand(dataFolder) : null;
  const client = await connectOnce(url ?? embedded?.url ?? '', 'journey');
  try {
    await work(client);
  } finally {
    await client.end();
    await embedded?.close();
  }
}
