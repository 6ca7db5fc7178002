/** Writes the results of these tests for `npm run audit -- access`, which sets the folder. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a result as JSON if a folder for it is set. */
export async function writeReport(name: string, result: unknown): Promise<void> {
  const { RECODERY_TEST_REPORTS: folder } = process.env;
  if (folder !== undefined) await writeFile(join(folder, `${name}.json`), JSON.stringify(result));
}
