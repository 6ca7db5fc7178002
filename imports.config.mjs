/**
 * Which folders may import which, as a table, and the rules for all of them. dependency-cruiser checks both in `npm run
 * check`. Each line: files under the first path may import from their own folder and from the paths of the second part,
 * and nothing else of ours. Paths are regular expressions on the path from the project's root.
 */

import { readdirSync } from 'node:fs';

/** Needed by every process of the server. */
const base = 'config|postgres|secrets|storage|metrics|traces';

/** Lists the pages of the families: the menu and lists of other features use it. */
const pageRegistry = 'web/src/features/recoding/families/registry\\.ts';

/** What the tests of the server share: the end-to-end tests use it too. */
const serverFixtures = 'server/test/(fixtures|email/mail-server\\.ts)';

/** Lines for folders that may each import the folders before them; all of them may import `others`. */
const layers = (inside, folders, others) =>
  folders.map((folder, at) => [
    `${inside}/${folder}`,
    [...others, ...folders.slice(0, at).map((lower) => `${inside}/${lower}`)],
  ]);

/** @type {readonly (readonly [from: string, to: readonly string[]])[]} */
const table = [
  ['contract/src', []],
  ...layers(
    'contract/src',
    ['families', 'features', 'admin', 'family-routes', 'encoding-api'],
    ['contract/src/[a-z-]+\\.ts'],
  ),
  ['codec/src', ['contract/src/(errors|recognize)\\.ts', 'contract/src/families']],
  ...layers(
    'codec/src',
    [
      'container',
      'recognition',
      'diagnosis',
      'checksum',
      'known-checksums',
      'protocols',
      'sample-images',
      'recoding',
      'preflight',
      'simulator',
      'families',
    ],
    ['contract/src', 'codec/src/[a-z-]+\\.ts'],
  ),
  ['server/src/config', ['contract/src']],
  ['server/src/postgres', ['contract/src', 'server/src/(config|metrics|traces)']],
  ['server/src/secrets', ['contract/src', 'server/src/(config|postgres/tables)']],
  ['server/src/engine-connections', ['contract/src', `server/src/(${base})`]],
  ['server/src/storage', ['contract/src', 'server/src/config']],
  ['server/src/(metrics|traces)', ['server/src/config']],
  // for the engine and for `recodery remote`, which is packed as one small file
  [
    'server/src/encoding-api-client',
    ['contract/src', 'server/src/config/(guids|bounded-json)\\.ts'],
  ],
  // what an engine works on names its organisation
  [
    'server/src/engine',
    [
      'codec/src',
      'contract/src',
      'server/src/(config|metrics|traces|encoding-api-client|organisations/caller\\.ts)',
    ],
  ],
  ['server/src/texts', ['contract/src']],
  // pair keys are derived where devices are stored
  [
    'server/src/organisations',
    ['codec/src', 'contract/src', `server/src/(${base}|engine-connections)`],
  ],
  ['server/src/audit', ['contract/src', `server/src/(${base}|organisations/caller\\.ts)`]],
  ['server/src/http', ['contract/src', `server/src/(${base}|audit|organisations/caller\\.ts)`]],
  ['server/src/queue', ['contract/src', `server/src/(${base})`]],
  [
    'server/src/(sign-in|clients|operations|preferences|service-status|messages|operations-log|guide)',
    ['contract/src', `server/src/(${base}|queue|engine|organisations|audit|http|texts)`],
  ],
  // writes decoded images as text
  [
    'server/src/slots',
    [
      'codec/src/diagnosis/text',
      'contract/src',
      `server/src/(${base}|queue|engine|organisations|audit|http|texts)`,
    ],
  ],
  [
    'server/src/webhooks',
    ['contract/src', `server/src/(${base}|queue|organisations|http|operations|clients)`],
  ],
  ['server/src/events', ['contract/src', `server/src/(${base}|organisations|http|operations)`]],
  [
    'server/src/recoding',
    [
      'codec/src',
      'contract/src',
      `server/src/(${base}|queue|engine|engine-connections|organisations|http|operations|slots|preferences|receipts|texts)`,
    ],
  ],
  // protocols know the areas of an image
  [
    'server/src/comparison',
    ['codec/src', 'contract/src', `server/src/(${base}|organisations|http|slots)`],
  ],
  // what the portal knows of a slot, from the use cases of other features
  [
    'server/src/jobs',
    [
      'contract/src',
      `server/src/(${base}|engine-connections|organisations|http|operations|slots|recoding)`,
    ],
  ],
  ['server/src/email', ['contract/src', `server/src/(${base}|queue|organisations|http|texts)`]],
  [
    'server/src/receipts',
    ['contract/src', `server/src/(${base}|audit|organisations|http|slots|texts|email)`],
  ],
  ['server/src/share-links', ['contract/src', `server/src/(${base}|audit|http|slots|texts|email)`]],
  [
    'server/src/notifications',
    ['contract/src', `server/src/(${base}|organisations|http|operations|slots|texts|email)`],
  ],
  // another interface to the use cases of other features
  [
    'server/src/encoding-api',
    ['contract/src', `server/src/(${base}|organisations|clients|http|operations|slots|recoding)`],
  ],
  // many files at once: the use cases of recoding for each of them
  [
    'server/src/trays',
    ['contract/src', `server/src/(${base}|organisations|http|operations|slots|recoding)`],
  ],
  // the client on another machine: imports nothing of a portal
  [
    'server/src/portal-client',
    [
      'contract/src',
      'server/src/encoding-api-client',
      'server/src/(queue/retry-rules|config/folders)\\.ts',
    ],
  ],
  // the use cases of operators and managers, called by pages and command line alike
  [
    'server/src/administration',
    [
      'contract/src',
      `server/src/(${base}|organisations|audit|http|sign-in|engine-connections|messages|service-status|email|texts)`,
      'server/src/recoding/engine-selection/test-connection\\.ts',
    ],
  ],
  // these connect the parts; only main and they themselves import them
  ['server/src/(cli|demo|backup|upkeep|[a-z-]+\\.ts)', ['codec/src', 'contract/src', 'server/src']],
  ['web/src/api', ['contract/src']],
  ['web/src/i18n', ['contract/src']],
  ['web/src/ui', ['contract/src', 'web/src/i18n']],
  [
    'web/src/features/last-operations',
    ['contract/src', 'web/src/(api|i18n|ui)', 'web/src/features/operations', pageRegistry],
  ],
  // the names of the parts
  [
    'web/src/features/misfit',
    ['contract/src', 'web/src/(api|i18n|ui)', 'web/src/features/recoding/families/part-look\\.ts'],
  ],
  [
    'web/src/features/(?!(?:recoding|trays|last-operations|misfit)/)[a-z-]+',
    [
      'contract/src',
      'web/src/(api|i18n|ui)',
      'web/src/features/(change-map|sending|recognized|image-texts|originals|misfit)',
      pageRegistry,
    ],
  ],
  [
    'web/src/features/recoding/[a-z-]+\\.ts',
    ['contract/src', 'web/src/(api|i18n)', 'web/src/features/recoding/[a-z-]+\\.ts'],
  ],
  ...layers(
    'web/src/features/recoding',
    ['families', 'flow', 'notices', 'decode', 'encode', 'page'],
    [
      'contract/src',
      'web/src/(api|i18n|ui)',
      'web/src/features/(operations|notifications|devices|service-status|session|change-map|sending|recognized|image-texts|originals|misfit)',
      'web/src/features/recoding/[a-z-]+\\.ts',
    ],
  ),
  // many files at once: the flow of recoding for each of them
  [
    'web/src/features/trays',
    [
      'contract/src',
      'web/src/(api|i18n|ui)',
      'web/src/features/(notifications|service-status|sending)',
      'web/src/features/recoding/(families|flow|encode)',
      'web/src/features/recoding/[a-z-]+\\.ts',
    ],
  ],
  ['web/src/pages', ['contract/src', 'web/src/(api|i18n|ui|features)']],
  ['web/src/(app|[a-z-]+\\.tsx?)', ['contract/src', 'web/src']],
  // the steps of the end-to-end tests, and the product that they start
  [
    'e2e/[a-z.-]+\\.ts',
    [
      'contract/src',
      'codec/src/simulator',
      'server/src/postgres',
      serverFixtures,
      'e2e/[a-z.-]+\\.ts',
      'e2e/(many-machines|secrets)',
    ],
  ],
  ['e2e/gallery', ['contract/src', 'e2e/[a-z.-]+\\.ts']],
  // what they do with the product, they do in the browser: no code of the server, but its services' doubles and texts
  [
    'e2e/journeys',
    [
      'contract/src',
      'codec/samples',
      'codec/src/(protocols|sample-images|diagnosis/transformations\\.ts)',
      'server/src/(demo/(doubles|demo-doubles\\.ts)|texts)',
      serverFixtures,
      'server/test/operations-log/read-csv\\.ts',
      'web/test/recoding/zip-of\\.ts',
      'e2e/[a-z.-]+\\.ts',
      'e2e/many-machines',
    ],
  ],
  ['e2e/many-machines', [serverFixtures]],
  // opens the data of the product
  [
    'e2e/secrets',
    [serverFixtures, 'e2e/processes\\.ts', 'server/src/(config|postgres|platform\\.ts)'],
  ],
  ['e2e/webkit', [serverFixtures, 'e2e/[a-z.-]+\\.ts']],
];

for (const folder of ['server/src', 'e2e']) {
  for (const name of readdirSync(folder)) {
    const hasLine = table.some(([from]) => new RegExp(`^(${from})$`).test(`${folder}/${name}`));
    if (!hasLine) throw new Error(`Add a line for ${folder}/${name} to imports.config.mjs.`);
  }
}

const ours = '^(?!.*node_modules/)(contract|codec|server|web|e2e|bench|tools)/';

/** One rule per line; `$1` is the match of the first path, a feature's own folder. */
const rooms = table.map(([from, to]) => ({
  name: `table: ${from}`,
  severity: 'error',
  comment: `${from} may import ${to.length === 0 ? 'nothing of ours' : to.join(', ')}.`,
  from: { path: `^(${from})(/|$)` },
  to: { path: ours, pathNot: ['^$1(/|$)', ...to.map((path) => `^${path}(/|$)`)] },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms,
    {
      name: 'no circular imports',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'the contract depends only on zod',
      severity: 'error',
      from: { path: '^contract/src' },
      to: {
        path: ['node_modules', '^[a-z_]+$'],
        pathNot: '^node_modules/zod/',
        dependencyTypesNot: ['local'],
      },
    },
    {
      name: 'the codec uses no system module and no package',
      severity: 'error',
      from: { path: '^codec/src' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        pathNot: '^(node:)?(crypto|zlib|buffer)$',
      },
    },
    {
      name: 'the remote client uses no package but zod',
      severity: 'error',
      from: { path: '^server/src/(portal-client|encoding-api-client)' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        pathNot: '^node_modules/zod/',
      },
    },
    {
      name: 'web/src/ui imports only types from the contract',
      severity: 'error',
      from: { path: '^web/src/ui' },
      to: { path: '^contract/src', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'browser code imports nothing from Node',
      severity: 'error',
      from: { path: '^(web|contract)/src' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'routes and rules contain no SQL',
      severity: 'error',
      from: { path: '^server/src/.*(routes|-rules)\\.ts$' },
      to: { path: '^node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rules are pure',
      severity: 'error',
      from: { path: '^server/src/.*-rules\\.ts$' },
      to: {
        path: '.',
        pathNot: [
          '^contract/src',
          '^codec/src',
          '^server/src/organisations/caller\\.ts$',
          '-rules\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no import of tests',
      severity: 'error',
      from: { pathNot: '(^|/)(test|e2e)/' },
      to: { path: '(^|/)(test|e2e)/|\\.test\\.ts$' },
    },
    {
      name: 'only main imports the command line',
      severity: 'error',
      from: { path: '^server/src', pathNot: '^server/src/(main\\.ts|cli/)' },
      to: { path: '^server/src/(cli/|main\\.ts)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no development package in production',
      severity: 'error',
      from: { path: '^(contract|codec|server|web)/src' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^web/dist/', '\\.css$'] },
    tsPreCompilationDeps: true,
    // Without these names, imports between packages do not resolve, and violations go unnoticed.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
    parser: 'tsc',
  },
};
