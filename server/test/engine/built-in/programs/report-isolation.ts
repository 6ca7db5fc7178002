/** Decodes a file that is none, and examines the data folder: prints the error, and what doctor says of the isolation. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodecError } from '@recodery/codec/errors';
import { readConfig } from '../../../../src/config/config.ts';
import { silentLog } from '../../../fixtures/silent-log.ts';
import { createEnginePool } from '../../../../src/engine/built-in/pool.ts';
import { examine } from '../../../../src/upkeep/doctor.ts';

const [, , dataDir = ''] = process.argv;
const pool = await createEnginePool({ engines: 1, scratch: join(dataDir, 'scratch') });
let decoded = 'nothing';
{
  using work = await pool.openScratch();
  const filePath = join(work.folder, 'read');
  await writeFile(filePath, 'no read file');
  const outFolder = join(work.folder, 'out');
  await mkdir(outFolder);
  const task = { kind: 'decode', workflow: 'kessv2', filePath, outFolder } as const;
  decoded = await pool
    .run({ ...task, pairKey: new Uint8Array(32), skipChecksum: false }, 'one')
    .then(
      () => 'decoded',
      (error: unknown) => (error instanceof CodecError ? error.internalCode : String(error)),
    );
}
await pool.close();
const config = readConfig({ RECODERY_DATA_DIR: dataDir, RECODERY_PORT: '1' });
let doctor = '';
for await (const { what, text } of examine({ config, log: silentLog }))
  if (what === 'isolation') doctor = text;
process.stdout.write(JSON.stringify({ decoded, doctor }));
