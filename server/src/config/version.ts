/** The version of this installation, by Semantic Versioning: the release, and the commit where it is known. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';

const manifest = z.object({ version: z.string() });

/**
 * The release of package.json with the commit as build metadata, such as `0.9.0+62d8cfdf`. The commit comes from the
 * file `commit.txt`, which the build of an image writes, or from Git's folder; without them it is left out.
 * @param projectDir the folder of package.json
 */
export function readVersion(projectDir: string): string {
  const text = readFileSync(join(projectDir, 'package.json'), 'utf8');
  const { version } = manifest.parse(JSON.parse(text));
  const commit = readLine(join(projectDir, 'commit.txt')) ?? readHead(join(projectDir, '.git'));
  return commit !== null && /^[0-9a-f]{8,}$/.test(commit)
    ? `${version}+${commit.slice(0, 8)}`
    : version;
}

/** The first line of a file, or null if it cannot be read: a version without its commit is better than no start. */
function readLine(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').split('\n', 1)[0]?.trim() ?? null;
  } catch {
    return null;
  }
}

/** The commit that is checked out; read from Git's files, because the program may be missing. */
function readHead(dotGit: string): string | null {
  // in a further work tree, `.git` is a file that names its folder
  const link = readLine(dotGit)?.replace(/^gitdir: /, '');
  const folder = link === undefined ? dotGit : resolve(dotGit, '..', link);
  const head = readLine(join(folder, 'HEAD'));
  const name = /^ref: (.+)$/.exec(head ?? '')?.[1];
  if (name === undefined) return head;
  const shared = resolve(folder, readLine(join(folder, 'commondir')) ?? '.');
  return readLine(join(folder, name)) ?? readLine(join(shared, name)) ?? findPacked(shared, name);
}

function findPacked(folder: string, name: string): string | null {
  const path = join(folder, 'packed-refs');
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.find((line) => line.endsWith(` ${name}`))?.split(' ')[0] ?? null;
}
