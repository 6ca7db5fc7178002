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

/** Moves the time at which the services of makers sealed the files of all jobs back by `hours`. */
export async function ageSeals(product: Product, hours: number): Promise<void> {
  const sealedOn = new Date(Date.now() - hours * 3_600_000).toISOString();
  await withDatabase(product, (client) =>
    client.query(
      `update operation set result = jsonb_set(result, '{sealedOn}', to_jsonb($1::text))
        where result ->> 'sealedOn' is not null`,
      [sealedOn],
    ),
  );
}
