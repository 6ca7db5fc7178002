/**
 * `npm run pack-remote [FOLDER]`: makes `recodery-remote`, the commands of `recodery remote` as one file that needs only
 * Node, and packs it as an npm package without dependencies. FOLDER is `dist` by default.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeRemoteProgram, oldestNode, programName as program } from '../web/remote-program.ts';
import { projectDir } from './steps.ts';

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
    const version = await writePackage(staging);
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

/** Writes the files of the package; returns its version. */
async function writePackage(folder: string): Promise<string> {
  const { version, code } = await makeRemoteProgram();
  const manifest = {
    name: 'recodery-remote',
    version,
    description: 'The command-line client of a Recodery portal',
    license: 'Apache-2.0',
    type: 'module',
    bin: { 'recodery-remote': program },
    engines: { node: `>=${oldestNode}` },
  };
  await writeFile(join(folder, program), code);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'README.md'), readme);
  await copyFile(join(projectDir, 'LICENSE'), join(folder, 'LICENSE'));
  return version;
}
