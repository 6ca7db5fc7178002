/** How the gallery is built and served for its tests: with React's development build, whose warnings and strict mode count. */
import { resolve } from 'node:path';
import { defineConfig, mergeConfig } from 'vite';
import pages from '../vite.config.ts';

const web = resolve(import.meta.dirname, '..');

export default mergeConfig(
  pages,
  defineConfig({
    mode: 'development',
    build: {
      outDir: resolve(web, '../test-results/gallery'),
      minify: false,
      rolldownOptions: { input: resolve(web, 'gallery.html') },
    },
    // there is no portal behind it
    preview: { host: '127.0.0.1', strictPort: true, proxy: {} },
  }),
);
