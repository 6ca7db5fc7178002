/** Makes the bill of materials of the product with npm, from package-lock.json only. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectDir } from '../steps.ts';

/** The part of a bill that we read. */
export interface Bom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly purl: string }[];
}

type Entry = Record<string, unknown>;

/**
 * The bill, or npm's error. npm reads copies of the package files without anything for development: `npm sbom
 * --omit=dev` would also leave out packages that the product shares with the tools, and problems in the tools would
 * make it fail. The folder has the project's name, because npm names the project after its folder.
 */
export function makeBom(): Bom | string {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const copy = join(folder, 'recodery');
    copyPackageFiles(copy);
    const { status, stdout, stderr } = runNpmSbom(copy);
    return status === 0 ? (JSON.parse(stdout) as Bom) : stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function copyPackageFiles(copy: string): void {
  const lock = readJson('package-lock.json');
  const packages = Object.entries(lock['packages'] as Record<string, Entry>)
    .filter(([, entry]) => entry['dev'] !== true)
    .map(([path, entry]) => [path, withoutDevelopment(entry)] as const);
  writeJson(join(copy, 'package-lock.json'), { ...lock, packages: Object.fromEntries(packages) });
  const own = packages.map(([path]) => path).filter((path) => !path.includes('node_modules'));
  for (const path of own) {
    const file = join(path, 'package.json');
    writeJson(join(copy, file), withoutDevelopment(readJson(file)));
  }
}

function withoutDevelopment(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'devDependencies'));
}

function readJson(file: string): Entry {
  return JSON.parse(readFileSync(join(projectDir, file), 'utf8')) as Entry;
}

function writeJson(file: string, value: Entry): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

function runNpmSbom(folder: string): { status: number | null; stdout: string; stderr: string } {
  const words = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
  ];
  // The npm that started us, with our Node; else the one on the search path.
  const { npm_execpath: script } = process.env;
  const [program, ...first] = script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
  return spawnSync(program ?? 'npm', [...first, ...words], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
}
