/**
 * Makes `recodery-remote`, the commands of `recodery remote` as one file that needs only Node, and adds it to the built
 * pages as a download.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import type { Plugin } from 'vite';

const project = join(import.meta.dirname, '..');

export const programName = 'recodery-remote.mjs';
/** The lowest version of Node for which the program is written. */
export const oldestNode = '20';

interface RemoteProgram {
  readonly version: string;
  readonly code: string;
  /** The paths of the files that it consists of. */
  readonly sources: readonly string[];
}

/** Bundles the program, followed by the licenses of the packages in it. */
export async function makeRemoteProgram(): Promise<RemoteProgram> {
  const manifest = readFileSync(join(project, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const { output } = await build({
    input: join(project, 'server/src/cli/remote/remote-program.ts'),
    platform: 'node',
    write: false,
    transform: {
      target: `node${oldestNode}`,
      define: { recoderyVersion: JSON.stringify(version) },
    },
    output: {
      format: 'esm',
      minify: true,
      codeSplitting: false,
      banner: '#!/usr/bin/env node',
    },
  });
  const [{ code, moduleIds }] = output;
  const licenses = readLicenses(moduleIds).replaceAll('*/', '* /');
  return { version, code: `${code.trimEnd()}\n/*!\n${licenses}*/\n`, sources: moduleIds };
}

/** The license texts of the packages that the program contains. @throws if a package has none */
function readLicenses(moduleIds: readonly string[]): string {
  const inPackage = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
  const folders = new Set(
    moduleIds.flatMap((id) => inPackage.exec(id.replaceAll('\\', '/'))?.[0] ?? []),
  );
  return Array.from(folders, (folder) => {
    const name = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (name === undefined) throw new Error(`${folder} has no license`);
    const text = readFileSync(join(folder, name), 'utf8');
    return `${folder.split('node_modules/').at(-1)}\n\n${text}\n`;
  }).join('\n');
}

/**
 * Adds the program and its SHA-256 in the format of `sha256sum` to the pages, which show it as
 * `import.meta.env.REMOTE_PROGRAM`. The development server and the gallery have no program to offer: null.
 */
export function offerRemoteProgram(): Plugin {
  let program: RemoteProgram | null = null;
  const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
  return {
    name: 'recodery-remote-program',
    async config(_config, { command, mode }) {
      const isOffered = command === 'build' && mode === 'production';
      program = isOffered ? await makeRemoteProgram() : null;
      const shown = program && { version: program.version, sha256: hashOf(program.code) };
      return { define: { 'import.meta.env.REMOTE_PROGRAM': JSON.stringify(shown) } };
    },
    generateBundle() {
      if (program === null) return;
      const emit = (name: string, source: string) =>
        this.emitFile({ type: 'asset', fileName: `downloads/${name}`, source });
      emit(programName, program.code);
      emit('SHA256SUMS', `${hashOf(program.code)}  ${programName}\n`);
    },
  };
}
