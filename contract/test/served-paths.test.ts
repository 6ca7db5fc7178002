/** The paths of the server, among the paths of the app's pages. */
import { expect, test } from 'vitest';
import { empty, route } from '../src/api.ts';
import { workflows } from '../src/families/registry.ts';
import { routes } from '../src/routes.ts';
import { matchPaths, servedPaths } from '../src/served-paths.ts';

test('the server serves exactly these paths', () => {
  expect(servedPaths()).toEqual([
    '/.well-known',
    '/api',
    '/autoflasher/slots',
    '/encoding-api',
    '/flex/slots',
    '/guide',
    '/healthz',
    '/idp',
    '/kess3/slots',
    '/ktag/slots',
    '/r',
    '/readyz',
    '/receipt-keys.json',
    '/receipts',
    '/sample-terms',
    '/sso',
    '/terms',
  ]);
});

test('every route is below a served path', () => {
  const served = matchPaths(servedPaths());
  expect([...routes.values()].filter(({ path }) => !served.test(path))).toEqual([]);
});

test('a new route adds its path: its first segment, or the part below a page', () => {
  const parts = { summary: '', access: 'public', answer: empty, refusals: [] } as const;
  const added = [
    route('GET', '/exports/{guid}/all', parts),
    route('GET', '/kessv2/slots/{id}/files/', parts),
    route('GET', '/kess3-utility/backups', parts),
  ];
  const known = servedPaths([]);
  expect(servedPaths(added).filter((path) => !known.includes(path))).toEqual([
    '/exports',
    '/kess3-utility/backups',
    '/kessv2/slots',
  ]);
});

test.each([
  ['/api', true],
  ['/api/files/x?ticket=y', true],
  ['/api?x', true],
  ['/ktag/slots/x/files/', true],
  ['/r/token', true],
  ['/guide#ktag', true],
  ['/.well-known/change-password', true],
  ['/', false],
  ['/-well-known/security', false],
  ['/apis', false],
  ['/read', false],
  ['/settings', false],
  ['/operations-log/api/', false],
  ...workflows.map((workflow): [string, boolean] => [`/${workflow}`, false]),
])('the server handles %s: %s', (path, expected) => {
  expect(matchPaths(servedPaths()).test(path)).toBe(expected);
});
