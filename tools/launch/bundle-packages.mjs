/**
 * Bundles the packages that the program imports, a module for each name, with shared chunks: the program's own modules are
 * a third of what `serve` would load, and each module costs time and memory whatever its size.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { packageOf, packagesDir, packagesIndex, projectDir } from './project.mjs';

const workspaces = ['codec', 'contract', 'server'];

/** The names of other packages' modules that the sources of the program import. */
export function listImports() {
  const declared = new Set(workspaces.flatMap(readDependencies));
  const found = workspaces.flatMap((workspace) => {
    const folder = join(projectDir, workspace, 'src');
    return readdirSync(folder, { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/\b(?:from|import\(?)\s*'([^']+)'/g),
      ]);
  });
  return [...new Set(found.map(([, name = '']) => name))]
    .filter((name) => declared.has(packageOf(name)))
    .sort();
}

/**
 * @param {string} workspace
 * @returns {string[]}
 */
function readDependencies(workspace) {
  const { dependencies = {} } = JSON.parse(
    readFileSync(join(projectDir, workspace, 'package.json'), 'utf8'),
  );
  return Object.keys(dependencies).filter((name) => !name.startsWith('@recodery/'));
}

/** Builds the modules and their index. */
async function bundle() {
  const names = listImports();
  const draft = join(packagesDir, 'draft');
  rmSync(packagesDir, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  // found as the server finds them
  const finder = join(draft, 'find.mjs');
  writeFileSync(finder, 'export const load = (name) => import(name);\n');
  const { load } = await import(pathToFileURL(finder).href);
  /** @type {Record<string, string>} */
  const input = {};
  /** @type {Record<string, string>} */
  const index = {};
  for (const name of names) {
    const file = name.replaceAll(/\W/g, '_');
    input[file] = join(draft, `${file}.mjs`);
    index[name] = `${file}.mjs`;
    writeFileSync(input[file], exportAll(name, await load(name)));
  }
  // the files that Node would load: other bundlers' entries differ in what they export
  const resolve = { mainFields: ['main'], conditionNames: ['node', 'default'] };
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent', resolve });
  await build.write({
    dir: packagesDir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunk-[hash].mjs',
  });
  for (const [name, file] of Object.entries(index))
    compare(name, await load(name), await import(pathToFileURL(join(packagesDir, file)).href));
  rmSync(draft, { recursive: true });
  writeFileSync(packagesIndex, JSON.stringify(index));
}

/**
 * @param {string} name
 * @param {object} module
 * @param {object} bundled
 * @throws if the bundled module does not export what the package exports
 */
function compare(name, module, bundled) {
  const [expected = [], found = []] = [module, bundled].map((one) =>
    Object.entries(one)
      .filter(([key]) => key !== 'module.exports')
      .map(([key, value]) => `${key} (${typeof value})`),
  );
  const missing = expected.filter((one) => !found.includes(one));
  const added = found.filter((one) => !expected.includes(one));
  if (missing.length + added.length > 0)
    throw new Error(
      `${name}, bundled, lacks ${missing.join(', ')}; in addition ${added.join(', ')}`,
    );
}

/**
 * A module that exports what the named module exports. A CommonJS module has names that only Node finds.
 * @param {string} name
 * @param {object} module
 */
function exportAll(name, module) {
  if (!('module.exports' in module)) {
    const ownDefault = 'default' in module ? `export { default } from '${name}';\n` : '';
    return `export * from '${name}';\n${ownDefault}`;
  }
  const names = Object.keys(module).filter((one) => one !== 'default' && /^[\w$]+$/.test(one));
  return [
    `import whole from '${name}';`,
    'export default whole;',
    ...names.map((one) => `const _${one} = whole.${one};\nexport { _${one} as ${one} };`),
    '',
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) await bundle();
