/** `npm run sbom`: writes the software bill of materials (CycloneDX, JSON) of the product to sbom.cdx.json. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './steps.ts';
import { makeBom } from './supply-chain/bom.ts';

const file = 'sbom.cdx.json';

/** Writes it; returns the exit code. */
export async function run(): Promise<number> {
  const bom = makeBom();
  if (typeof bom === 'string') {
    process.stderr.write(`${bom}\ncould not run npm sbom, which needs npm 10 or later\n`);
    return 1;
  }
  writeFileSync(join(projectDir, file), `${JSON.stringify(bom, null, 2)}\n`);
  process.stdout.write(`wrote ${file}: ${bom.components.length} components\n`);
  return 0;
}
