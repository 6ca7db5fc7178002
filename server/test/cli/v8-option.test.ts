/** The option of V8 that `serve` sets, which a later Node could drop: it would only write an error. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { collectEarly } from '../../src/cli/installation/serve.ts';

test('the Node that runs the portal knows the option of V8 that collects new objects early', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const [name = ''] = collectEarly.split('=');
  // V8 lists an option by its name and its type
  expect(known).toMatch(new RegExp(`^ *${name} `, 'm'));
});
