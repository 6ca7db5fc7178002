/**
 * Which modules the bundler puts into one file. By default, it splits a page into about seventy files, most of a few
 * hundred bytes: each costs a request, and together they compress 10 % worse. Every name here must exist, and every
 * group must get each module that it names, or the build fails.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const project = realpathSync(join(import.meta.dirname, '..'));

/** A file, a folder with all its files, or a module that the bundler makes (its name begins with a null character). */
interface Named {
  readonly name: string;
  readonly has: (id: string) => boolean;
}

/** Names that no module of the build has had so far. */
const unseen = new Set<string>();

/** The modules of these paths, relative to the project's folder. @throws when one does not exist */
function modules(...paths: readonly string[]): (id: string) => boolean {
  const named = paths.map((path): Named => {
    unseen.add(path);
    if (path.startsWith('\0')) return { name: path, has: (id) => id === path };
    const full = join(project, path);
    if (!existsSync(full)) throw new Error(`web/chunks.ts names ${path}, which does not exist`);
    const start = full.replaceAll('\\', '/');
    const isFolder = statSync(full).isDirectory();
    // a file without the query that the bundler may add
    const has = (id: string) =>
      isFolder ? id.startsWith(`${start}/`) : id.split('?', 1)[0] === start;
    return { name: path, has };
  });
  return (id) => {
    const found = named.filter(({ has }) => has(id));
    for (const { name } of found) unseen.delete(name);
    return found.length > 0;
  };
}

/** Shared by the small pages and all others. */
const isOfStart = modules(
  '\0vite/preload-helper.js',
  'contract/src/headers.ts',
  'contract/src/receipt-code.ts',
  'contract/src/sign-in-paths.ts',
  'web/src/i18n/languages.ts',
  'web/src/api/session-id.ts',
  'web/src/app/sign-in/return-path.ts',
);

/** Modules of the small pages; the file hash is also used by a few of the others. */
const isOfSmallPages = modules(
  'web/sign-in.html',
  'web/verify.html',
  'web/src/app/sign-in',
  'web/src/app/check-receipt',
  'web/src/api/files/file-hash.ts',
  'node_modules/@noble',
);
const isStyle = (id: string): boolean => /\.css(?:\?|$)/.test(id);

/**
 * What most pages need, home among them. As in each of the groups below, imports come with it, so large modules are not
 * listed.
 */
const isOfMost = modules(
  'node_modules/lucide-react/dist/esm/icons/database.mjs',
  'node_modules/lucide-react/dist/esm/icons/download.mjs',
  'node_modules/lucide-react/dist/esm/icons/file-digit.mjs',
  'node_modules/lucide-react/dist/esm/icons/file-up.mjs',
  'node_modules/lucide-react/dist/esm/icons/plus.mjs',
  'node_modules/lucide-react/dist/esm/icons/rotate-ccw-clock.mjs',
  'node_modules/lucide-react/dist/esm/icons/send.mjs',
  'node_modules/lucide-react/dist/esm/icons/sliders-horizontal.mjs',
  'node_modules/lucide-react/dist/esm/icons/upload.mjs',
  'contract/src/features/demo-doubles.ts',
  'contract/src/features/engines.ts',
  'web/src/api/files/download.ts',
  'web/src/features/operations/operation-page.ts',
  'web/src/ui/display/badge.tsx',
  'web/src/ui/display/empty-state.tsx',
  'web/src/ui/display/long-text.tsx',
  'web/src/ui/display/panel.tsx',
  'web/src/ui/display/progress-bar.tsx',
  'web/src/ui/fields/drop-area.tsx',
  'web/src/ui/fields/switch.tsx',
);
/** What the recoding pages share with others before a file is decoded. */
const isOfEntrance = modules(
  'node_modules/lucide-react/dist/esm/icons/file-input.mjs',
  'node_modules/lucide-react/dist/esm/icons/file-pen.mjs',
  'node_modules/lucide-react/dist/esm/icons/hourglass.mjs',
  'node_modules/lucide-react/dist/esm/icons/lock.mjs',
  'node_modules/lucide-react/dist/esm/icons/map.mjs',
  'node_modules/lucide-react/dist/esm/icons/microchip.mjs',
  'node_modules/lucide-react/dist/esm/icons/shield-check.mjs',
  'contract/src/families',
  'contract/src/features/recoding/recoding.ts',
  'contract/src/features/slots.ts',
  'contract/src/file-names.ts',
  'contract/src/recognize.ts',
  'contract/src/time-zones.ts',
  'web/src/api/files/fresh-address.ts',
  'web/src/features/recoding/fault.ts',
  'web/src/features/recoding/flow/downloads.ts',
);
/** Other small modules of several pages. */
const isShared = modules(
  'node_modules/lucide-react',
  'contract/src/cultures.ts',
  'web/src/i18n/formats.ts',
  'web/src/ui/actions/link-button.tsx',
);
/** The other routes of several pages; they import what the recoding pages need. */
const isContract = modules('contract/src');
/** What only few pages need: jobs, trays, the settings of programs, the checks before an encode, the administration. */
const isOfFewPages = modules(
  'node_modules/lucide-react/dist/esm/icons/arrow-down.mjs',
  'node_modules/lucide-react/dist/esm/icons/arrow-up.mjs',
  'node_modules/lucide-react/dist/esm/icons/circle-dashed.mjs',
  'node_modules/lucide-react/dist/esm/icons/octagon-x.mjs',
  'contract/src/admin',
  'contract/src/features/clients.ts',
  'contract/src/features/engines.ts',
  'contract/src/features/jobs/jobs.ts',
  'contract/src/features/recoding/preflight.ts',
  'contract/src/features/receipts.ts',
  'contract/src/features/trays.ts',
  'contract/src/features/webhooks.ts',
);

/** The recoding pages, without what home and trays also use, and what is loaded with a decoded file. */
const isOfRecoding = modules(
  'web/src/features/recoding',
  'web/src/features/operations/follow-operation.ts',
  'web/src/features/operations/operation-stage.ts',
  'contract/src/family-routes',
);
const isNotOfRecoding = modules(
  'web/src/features/recoding/families/registry.ts',
  'web/src/features/recoding/flow/reads/pass-file.ts',
  'web/src/features/recoding/flow/downloads.ts',
  'web/src/features/recoding/fault.ts',
  'web/src/features/recoding/encode/dropped-files',
  'web/src/features/recoding/encode/preflight-lines.tsx',
  'web/src/features/recoding/encode/preflight-panel.tsx',
  'web/src/features/recoding/encode/preflight-summary.ts',
  'web/src/features/recoding/encode/preflight-text.ts',
  'web/src/features/recoding/preflight-answer.ts',
);

/** What the recoding pages share with others only once there is a result or an error. */
const isOfResult = modules(
  'contract/src/family-routes/service-calls.ts',
  'web/src/features/image-texts/open-text-menu.ts',
  'web/src/features/recoding/decode/download-button.tsx',
  'web/src/features/recoding/decode/print-button.tsx',
  'web/src/features/recoding/encode/misfit/open-misfit.ts',
  'web/src/features/recoding/notices/code-changed.tsx',
  'web/src/features/recoding/notices/fault-panel.tsx',
  'web/src/features/recoding/slaves-of.ts',
  'web/src/features/sending/asked-download.ts',
);

/** The files that the bundler makes from several modules. */
export const chunks: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', test: isOfStart, priority: 2 },
  // loaded by every page but the small ones
  {
    name: 'frame',
    tags: ['$initial'],
    test: (id) => !isStyle(id) && !isOfSmallPages(id),
    priority: 1,
  },
  { name: 'most', test: isOfMost, priority: 1 },
  { name: 'entrance', test: isOfEntrance, priority: 1, minShareCount: 2 },
  {
    name: 'shared',
    test: (id) => isShared(id) && !isOfFewPages(id),
    minShareCount: 2,
  },
  {
    name: 'contract',
    test: (id) => isContract(id) && !isOfFewPages(id) && !isOfRecoding(id),
    minShareCount: 2,
  },
  {
    name: 'recoding',
    test: (id) => isOfRecoding(id) && !isNotOfRecoding(id) && !isOfResult(id),
    minShareCount: 2,
  },
  { name: 'result', test: isOfResult, minShareCount: 2 },
];

/** Ends a build of the product in which one of the names above is no module. */
export function checkChunks(): Plugin {
  return {
    name: 'recodery-check-chunks',
    apply: (_config, { command, mode }) => command === 'build' && mode === 'production',
    generateBundle() {
      if (unseen.size > 0) this.error(`no module of the build is ${[...unseen].join(', ')}`);
    },
  };
}
