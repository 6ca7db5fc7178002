/**
 * Loads the program from the bundled packages (`bundle-packages.mjs`) if they are built from the packages that are
 * installed, and finds the program's own modules without looking for them. Without this module the program does the same,
 * in twice the time.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { arePackagesBuilt } from './build.mjs';
import { isImage, packageOf, packagesDir, packagesIndex, projectDir } from './project.mjs';

if (isImage ? existsSync(packagesIndex) : arePackagesBuilt()) {
  /** @type {Readonly<Record<string, string>>} */
  const index = JSON.parse(readFileSync(packagesIndex, 'utf8'));
  const bundled = new Set(Object.keys(index).map(packageOf));
  const packages = pathToFileURL(join(packagesDir, '/')).href;
  const project = pathToFileURL(join(projectDir, '/')).href;
  registerHooks({
    resolve(name, context, next) {
      const file = index[name];
      if (file !== undefined) return found(packages + file, 'module');
      if (name.startsWith('.') && name.endsWith('.ts'))
        return found(new URL(name, context.parentURL).href, 'module-typescript');
      const [, workspace, path] = /^@recodery\/(\w+)\/(.+)$/.exec(name) ?? [];
      if (workspace !== undefined)
        return found(`${project}${workspace}/src/${path}.ts`, 'module-typescript');
      if (bundled.has(packageOf(name))) refuse(name);
      return next(name, context);
    },
  });
}

/**
 * A source imports another module of a bundled package since the bundle was made. Its own copy of the package would not
 * know the objects of the other.
 * @param {string} name
 * @returns {never}
 */
function refuse(name) {
  const missing = `${name} is missing in the bundled packages.`;
  try {
    rmSync(packagesIndex, { force: true });
  } catch {
    throw new Error(`${missing} Delete ${packagesIndex}, then start again.`);
  }
  throw new Error(`${missing} This bundle was removed: start again.`);
}

/**
 * @param {string} url
 * @param {string} format
 */
function found(url, format) {
  return { url, format, shortCircuit: true };
}
