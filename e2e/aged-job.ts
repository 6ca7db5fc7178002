/** Makes a job old: nothing else in the product can, and a journey cannot wait until the retention deletes it. */
import { openForCommand } from '../server/src/postgres/embedded.ts';
import { connectOnce } from '../server/src/postgres/database.ts';
import type { Product } from './product.ts';

/** Moves the creation of a job back by `days`, and that of its files. */
export async function ageJob(
  { dataFolder }: Product,
  slotGUID: string,
  days: number,
): Promise<void> {
  const url = process.env['RECODERY_DATABASE_URL'];
  const embedded = url === undefined ? await openForCommand(dataFolder) : null;
  const client = await connectOnce(url ?? embedded?.url ?? '', 'journey');
  try {
    await client.query(
      'update slot set created_on = created_on - make_interval(days => $1) where guid = $2',
      [days, slotGUID],
    );
  } finally {
    await client.end();
    await embedded?.close();
  }
}
