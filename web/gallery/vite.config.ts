/** Builds and serves the gallery for its tests, with React's development build for its warnings and strict mode. */
import { resolve } from 'node:path';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import pages from '../vite.config.ts';

const web = resolve(import.meta.dirname, '..');

/**
 * What React records of each element and each render for its developer tools, which takes a tenth of the time of the
 * page's main thread. Warnings and strict mode do not need it.
 */
const records: readonly (readonly [name: string, code: RegExp, instead: string])[] = [
  ['stacks', /1e4 > ReactSharedInternals\.recentlyCreatedOwnerStacks\+\+/g, 'false'],
  ['tasks', /\bconsole\.createTask\b/g, 'undefined'],
  ['timings', /"function" === typeof console\.timeStamp/g, 'false'],
];

function recordNothing(): Plugin {
  const found = new Set<string>();
  return {
    name: 'recodery-gallery-record-nothing',
    apply: 'build',
    transform: {
      filter: { id: /\/react(?:-dom)?\/cjs\// },
      handler: (code) =>
        records.reduce((changed, [name, recorded, instead]) => {
          if (changed.search(recorded) >= 0) found.add(name);
          return changed.replaceAll(recorded, instead);
        }, code),
    },
    buildEnd(error) {
      const missing = records.map(([name]) => name).filter((name) => !found.has(name));
      if (error === undefined && missing.length > 0)
        throw new Error(`React records ${missing.join(', ')} in another way`);
    },
  };
}

export default mergeConfig(
  pages,
  defineConfig({
    mode: 'development',
    plugins: [recordNothing()],
    build: {
      outDir: resolve(web, '../test-results/gallery'),
      minify: false,
      rolldownOptions: { input: resolve(web, 'gallery.html') },
    },
    // there is no portal to forward to
    preview: { host: '127.0.0.1', strictPort: true, proxy: {} },
  }),
);
