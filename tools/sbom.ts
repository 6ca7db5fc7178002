/**
 * `npm run sbom`: writes the software bill of materials (CycloneDX, JSON) of the product to sbom.cdx.json, and a summary
 * to docs/reports/sbom.md.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './steps.ts';
import { type Bom, makeBom } from './supply-chain/bom.ts';

const file = 'sbom.cdx.json';

/** Writes both; returns the exit code. */
export async function run(): Promise<number> {
  const bom = makeBom();
  if (typeof bom === 'string') {
    process.stderr.write(`${bom}\ncould not run npm sbom, which needs npm 10 or later\n`);
    return 1;
  }
  writeFileSync(join(projectDir, file), `${JSON.stringify(bom, null, 2)}\n`);
  writeFileSync(join(projectDir, 'docs/reports/sbom.md'), describeBom(bom));
  process.stdout.write(`wrote ${file}: ${bom.components.length} components\n`);
  return 0;
}

function describeBom({ specVersion, components, metadata }: Bom): string {
  const hashed = components.filter(({ hashes = [] }) => hashes.length > 0).length;
  const tools = metadata.tools.map(({ version }) => `npm ${version}`).join(', ');
  return `# Software bill of materials

Written by \`npm run sbom\` on ${metadata.timestamp.slice(0, 10)} with ${tools}: CycloneDX ${specVersion}, ${components.length} components, ${hashed} of them with a
SHA-512 hash. The others are our own packages, and packages inside the archive of another one.

The bill itself is \`sbom.cdx.json\`, which the command writes. It is not in the repository, because it can be
generated from \`package-lock.json\`. Generate it for each release that you deliver. [licenses.md](licenses.md) lists the packages by
license.
`;
}
