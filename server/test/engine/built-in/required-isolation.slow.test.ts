/** The isolation that an operator requires of engine processes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { describeMissingIsolation, noIsolation } from '../../../src/engine/built-in/isolation.ts';
import { findProgram } from '../../../src/engine/built-in/sandbox-command.ts';
import { quickStart } from '../../fixtures/recodery-process.ts';

const namespaces = { ...noIsolation, namespaces: 'bwrap' } as const;

// promise d8.engine.required
test('is enough if the machine offers it, or if nothing is required', () => {
  expect(describeMissingIsolation(namespaces, { needsNamespaces: true })).toBe(null);
  expect(describeMissingIsolation(noIsolation, { needsNamespaces: false })).toBe(null);
});

// promise d8.engine.required
test('is named in one line, with what is in force and what to do, if it cannot be had', () => {
  const missing = describeMissingIsolation(noIsolation, { needsNamespaces: true });
  expect(missing).toMatch(
    /^RECODERY_ENGINE_ISOLATION requires namespaces.*Node permissions\. .*any\.$/,
  );
});

const isRoot = process.getuid?.() === 0;
test.runIf(isRoot && findProgram('setpriv') !== null)(
  'stops the start where root cannot create namespaces',
  () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'recodery-required-'));
    const without = ['--bounding-set', '-sys_admin', '--inh-caps', '-sys_admin'];
    const main = pathToFileURL(join(import.meta.dirname, '../../../src/main.ts')).href;
    const serve = ['--eval', `import('${main}').then(({ main }) => main(['serve']))`];
    const { status, stderr } = spawnSync('setpriv', [...without, process.execPath, ...serve], {
      env: {
        ...quickStart,
        RECODERY_DATA_DIR: dataDir,
        RECODERY_ENGINE_ISOLATION: 'namespaces',
      },
      encoding: 'utf8',
    });
    rmSync(dataDir, { recursive: true });
    expect(stderr).toContain('RECODERY_ENGINE_ISOLATION requires namespaces');
    expect(status).toBe(1);
  },
);
