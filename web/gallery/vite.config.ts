/** Builds and serves the gallery for its tests, with React's development build for its warnings and strict mode. */
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
    // there is no portal to forward to
    preview: { host: '127.0.0.1', strictPort: true, proxy: {} },
  }),
);
