/** Makes a job old: nothing else in the product can, and a journey cannot wait until the retention deletes it. */
import { withDatabase } from './database.ts';
import type { Product } from './product.ts';

/** Moves the creation of a job back by `days`, and that of its files. */
export async function ageJob(product: Product, slotGUID: string, days: number): Promise<void> {
  await withDatabase(product, (client) =>
    client.query(
      'update slot set created_on = created_on - make_interval(days => $1) where guid = $2',
      [days, slotGUID],
    ),
  );
}
