/**
 * `npm run pack-remote [FOLDER]`: makes `recodery-remote`, the commands of `recodery remote` as one file that needs only
 * Node, and packs it as an npm package without dependencies. FOLDER is `dist` by default.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { projectDir } from './steps.ts';

const program = 'recodery-remote.mjs';
/** The lowest version of Node for which the program is written. */
const oldestNode = '20';

const readme = `# recodery-remote

Decodes and encodes tuning files on a Recodery portal, as a client application of it. It is one file that needs only Node ${oldestNode} or
later:

    node ${program} --help
    node ${program} decode read.tfc -o decoded --url https://portal.example.org --client GUID --secret-file secret.txt

docs/programs.md of Recodery describes its commands, under "recodery remote".
`;

/** Packs the program; returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const folder = resolve(words[0] ?? join(projectDir, 'dist'));
  const staging = await mkdtemp(join(tmpdir(), 'recodery-pack-'));
  try {
    const version = await readOwnVersion();
    await writePackage(staging, version);
    await mkdir(folder, { recursive: true });
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    await promisify(execFile)('npm', pack, { cwd: staging, shell: process.platform === 'win32' });
    const path = join(folder, `recodery-remote-${version}.tgz`);
    const kilobytes = Math.ceil((await stat(path)).size / 1000);
    process.stdout.write(`${path} (${kilobytes} kB)\n`);
    return 0;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function readOwnVersion(): Promise<string> {
  const manifest = await readFile(join(projectDir, 'package.json'), 'utf8');
  return String((JSON.parse(manifest) as { readonly version: string }).version);
}

/** Writes the files of the package. */
async function writePackage(folder: string, version: string): Promise<void> {
  const moduleIds = await bundle(join(folder, program), version);
  const manifest = {
    name: 'recodery-remote',
    version,
    description: 'The command-line client of a Recodery portal',
    license: 'Apache-2.0',
    type: 'module',
    bin: { 'recodery-remote': program },
    engines: { node: `>=${oldestNode}` },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'README.md'), readme);
  await copyFile(join(projectDir, 'LICENSE'), join(folder, 'LICENSE'));
  await writeFile(join(folder, 'LICENSES-OF-PACKAGES.txt'), await readLicenses(moduleIds));
}

/** Writes the program as one file; returns the files that it consists of. */
async function bundle(file: string, version: string): Promise<readonly string[]> {
  const { output } = await build({
    input: join(projectDir, 'server/src/cli/remote-program.ts'),
    platform: 'node',
    transform: {
      target: `node${oldestNode}`,
      define: { recoderyVersion: JSON.stringify(version) },
    },
    output: {
      file,
      format: 'esm',
      minify: true,
      codeSplitting: false,
      banner: '#!/usr/bin/env node',
    },
  });
  return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
}

/** The license texts of the packages that the program contains. */
async function readLicenses(moduleIds: readonly string[]): Promise<string> {
  const inPackage = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
  const folders = new Set(
    moduleIds.flatMap((id) => inPackage.exec(id.replaceAll('\\', '/'))?.[0] ?? []),
  );
  const texts: string[] = [];
  for (const folder of folders) {
    const name = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
    if (name === undefined) throw new Error(`${folder} has no license`);
    texts.push(
      `${folder.split('node_modules/').at(-1)}\n\n${await readFile(join(folder, name), 'utf8')}`,
    );
  }
  return texts.join('\n\n');
}
