/** Builds the pages: React with its compiler, Tailwind, only our languages of React Aria, and precompressed assets. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { matchPaths, servedPaths, verifyPath } from '@recodery/contract/served-paths';
import { signInPaths } from '@recodery/contract/sign-in-paths';
import { defineConfig, type Plugin, type ViteDevServer } from 'vite';
import { leaveOutOfServer } from './browser-contract.ts';
import { checkChunks, chunks } from './chunks.ts';
import { documentParts } from './document-parts.ts';
import { joinTexts } from './join-texts.ts';
import { leaveOutUnused } from './leave-out-unused.ts';
import { offerRemoteProgram } from './remote-program.ts';
import { languages } from './src/i18n/languages.ts';

const here = import.meta.dirname;

/** Writes `.br` and `.gz` next to each text asset, so that the server compresses nothing at run time. */
function precompress(): Plugin {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  let folder = '';
  return {
    name: 'recodery-precompress',
    apply: (_config, { command, mode }) => command === 'build' && mode === 'production',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    async closeBundle() {
      const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /^[^.].*\.(js|css|html|svg|json|txt)$/.test(name),
      );
      await Promise.all(
        texts.map(async (name) => {
          const path = join(folder, name);
          const plain = readFileSync(path);
          const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
          writeFileSync(`${path}.br`, await brotli(plain, { params }));
          writeFileSync(`${path}.gz`, await zip(plain, { level: 9 }));
        }),
      );
    },
  };
}

/**
 * The files that the React compiler leaves as they are: components of a few elements, which cost more bytes and time to keep
 * than to render. Fast refresh updates them through the components that use them.
 */
const leaves = /\/web\/src\/ui\/(?:actions|display|fields)\/[\w-]+\.tsx$/;

/** Preloads the text font with the page, so that it is available before the first paint. */
function preloadFont(): Plugin {
  return {
    name: 'recodery-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) =>
          /ibm-plex-sans-latin-wght-normal.*woff2$/.test(name),
        );
        if (font === undefined) return [];
        const attrs = {
          rel: 'preload',
          href: `/${font}`,
          as: 'font',
          type: 'font/woff2',
          crossorigin: '',
        };
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

/**
 * Serves in development what only the build contains: the small documents, and the style sheet of the server's pages.
 */
function smallPages(): Plugin {
  const serve = (server: ViteDevServer): void => {
    server.middlewares.use((incoming, _outgoing, next) => {
      const address = incoming.url ?? '';
      if (matchPaths(signInPaths).test(address)) incoming.url = '/sign-in.html';
      if (matchPaths([verifyPath]).test(address)) incoming.url = '/verify.html';
      if (/^\/assets\/(plain-page|sign-in)[^/]*\.css$/.test(address)) {
        incoming.url = '/src/styles/plain-page.css';
      }
      next();
    });
  };
  return { name: 'recodery-small-pages', configureServer: serve };
}

const portal = {
  target: `http://127.0.0.1:${process.env['RECODERY_PORT'] ?? '8080'}`,
  changeOrigin: false,
};

export default defineConfig({
  root: here,
  // the pages do not load the routes for this, because all of them together are large
  define: {
    'import.meta.env.OUTSIDE_PATHS': JSON.stringify(
      matchPaths([...servedPaths(), ...signInPaths, verifyPath]).source,
    ),
  },
  plugins: [
    { ...optimizeLocales.vite({ locales: [...languages] }), enforce: 'pre' },
    documentParts(),
    joinTexts(),
    react({ compiler: true, exclude: [/\/node_modules\//, leaves] }),
    tailwind(),
    smallPages(),
    leaveOutUnused(),
    leaveOutOfServer(),
    preloadFont(),
    checkChunks(),
    offerRemoteProgram(),
    precompress(),
  ],
  json: { namedExports: false },
  build: {
    target: 'baseline-widely-available',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        index: resolve(here, 'index.html'),
        'sign-in': resolve(here, 'sign-in.html'),
        verify: resolve(here, 'verify.html'),
      },
      output: {
        // the first file lists the names of all others, whose hashes no compression makes smaller
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: { groups: chunks },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      [matchPaths(servedPaths()).source]: portal,
      // what the server's own pages load
      '/assets/': portal,
    },
  },
});
