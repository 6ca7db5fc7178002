/**
 * Runs after all journeys: searches the logs, the error responses and the process lists of the run for every secret
 * that it used.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Secret } from './find-secrets.ts';
import { searchedFiles } from './recorder.ts';
import { createSearch } from './search.ts';

const folder = process.env.E2E_RECORDINGS ?? '';

async function readSecrets(recording: string): Promise<readonly Secret[]> {
  const text = await readFile(join(folder, recording, 'secrets'), 'utf8');
  const secrets = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Secret);
  // Where a connection is cut within a value, its beginning was recorded first, and the whole value with the next part.
  // Such a beginning can be an organisation's guid.
  const sorted = secrets.toSorted((a, b) => (a.value < b.value ? -1 : 1));
  return sorted.filter(({ kind, value }, index) => {
    const next = sorted[index + 1];
    return next?.kind !== kind || !next.value.startsWith(value);
  });
}

// promise d3.settings.not-logged
test('no log, error response or process list of the journeys contains a secret', async () => {
  const leaks = new Map<string, string>();
  const found = new Set<string>();
  const recordings = await readdir(folder);
  for (const recording of recordings) {
    const secrets = await readSecrets(recording);
    const search = createSearch(secrets);
    for (const file of searchedFiles) {
      // not every run has errors
      const text = await readFile(join(folder, recording, file), 'utf8').catch(() => '');
      for (const { kind, line } of search(text)) leaks.set(`${kind} in ${file}`, line);
    }
    // tests the search itself: each secret is found where it is listed
    const listed = secrets.map(({ value }) => value).join('\n');
    expect(search(listed).length).toBeGreaterThanOrEqual(secrets.length);
    const kinds = secrets.map(({ kind }) => kind);
    expect(kinds).toContain('installation secret');
    for (const kind of kinds) found.add(kind);
  }
  // of masters, and written by the slaves of the demo and by exports: an installation that is only set up has none
  expect([...found]).toEqual(expect.arrayContaining(['key of master', 'pairkey']));
  expect(Object.fromEntries(leaks), 'the last line of each').toEqual({});
  expect(recordings).not.toEqual([]);
  await rm(folder, { recursive: true });
});
