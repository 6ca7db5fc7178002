/** Makes Otto a colleague of Anna, so that a journey has two users of one organisation. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Product } from './product.ts';

/** Gives Otto these customer codes and no others; the first one is current after he signs in. */
export async function giveOtto(product: Product, customerCodes: readonly string[]): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'recodery-colleague-')), 'directory.yaml');
  const users = [{ email: 'otto@demo.test', name: 'Otto Brandt', customerCodes }];
  // JSON is YAML as well
  await writeFile(file, JSON.stringify({ users }));
  await product.recodery('directory', 'apply', file);
}
