/**
 * Keeps what the React compiler returned for each file: compiling takes nine tenths of a build, and the pages and the
 * gallery consist of the same files.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

interface Kept {
  /** A hash of what was compiled. */
  readonly of: string;
  readonly result: unknown;
}

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

function readKept(file: string): Kept | null {
  // missing, or from a build that was stopped
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    return null;
  }
}

/**
 * Changes a plugin so that it compiles a file only if its content has changed. `folder` then contains a file for each
 * source file below `root`; `versions` is any text that changes with the compiler and its options.
 */
export function keepCompiled(
  plugin: Plugin,
  { root, folder, versions }: Readonly<Record<'root' | 'folder' | 'versions', string>>,
): Plugin {
  const { transform } = plugin;
  if (typeof transform !== 'object') throw new Error(`${plugin.name} compiles in another way`);
  const { handler } = transform;
  mkdirSync(folder, { recursive: true });
  transform.handler = async function compileChanged(code, id, meta) {
    const path = relative(root, id);
    const file = join(folder, `${hashOf(path)}.json`);
    const of = hashOf(versions, path, code);
    const kept = readKept(file);
    if (kept?.of === of) return kept.result as Awaited<ReturnType<typeof handler>>;
    const result = await handler.call(this, code, id, meta);
    // another build can read the file at the same time
    const written = `${file}.${process.pid}`;
    writeFileSync(written, JSON.stringify({ of, result: result ?? null }));
    renameSync(written, file);
    return result;
  };
  return plugin;
}
