/** The settings and commands that operators use in their own files: names, defaults and options. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { settings } from '../../src/config/settings.ts';

describe('the setting', () => {
  // promise d3.settings.public-names
  test.each([
    ['RECODERY_PORT', '8080'],
    ['RECODERY_HOST', '127.0.0.1'],
    ['RECODERY_PUBLIC_URL', ''],
    ['RECODERY_DATA_DIR', './data'],
    ['RECODERY_DATABASE_URL', ''],
    ['RECODERY_STORAGE_URL', ''],
    ['RECODERY_ROLES', 'portal,worker'],
    ['RECODERY_OIDC_ISSUER', ''],
    ['RECODERY_OIDC_CLIENT_ID', ''],
    ['RECODERY_OIDC_CLIENT_SECRET', ''],
    ['RECODERY_SMTP_URL', ''],
    ['RECODERY_MAIL_FROM', ''],
    ['RECODERY_SECRET', ''],
    ['RECODERY_SECRET_FILE', ''],
    ['RECODERY_TRUSTED_PROXIES', ''],
    ['RECODERY_WEBHOOK_ALLOW', ''],
    ['RECODERY_ENGINES', ''],
    ['RECODERY_ENGINE_ISOLATION', 'any'],
    ['RECODERY_PARALLEL_OPERATIONS', '3'],
    ['RECODERY_ORGANISATION_GIB', '20'],
    ['RECODERY_MAX_FILE_MIB', '64'],
    ['RECODERY_RETENTION_DAYS', '365'],
    ['RECODERY_OPERATOR_FACTOR', 'auto'],
    ['RECODERY_DEMO', 'auto'],
  ])('%s exists and defaults to "%s"', (name, shown) => {
    const known: Readonly<Record<string, { readonly shown: string }>> = settings;
    expect(known[name]?.shown).toBe(shown);
  });
});

describe('the command', () => {
  let printed = '';
  beforeEach(() => {
    printed = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  // promise d3.commands.help
  test.each([
    'serve',
    'migrate',
    'directory apply',
    'directory export',
    'user invite',
    'message add',
    'message list',
    'message remove',
    'maintenance on',
    'maintenance off',
    'originals add',
    'device key',
    'device read',
    'device write',
    'device inspect',
    'secret rotate',
    'backup',
    'restore',
    'doctor',
  ])('recodery %s exists and has help', async (words) => {
    expect(await runProgram([...words.split(' '), '--help'])).toBe(0);
    // `on` and `off` are arguments of the command, not subcommands
    const command = words.replace(/ (on|off)$/, '');
    expect(printed).toContain(`Usage: recodery ${command}`);
  });

  // promise d3.commands.options
  test.each([
    ['directory apply', '--dry-run'],
    ['message add', '--language --text --from --to'],
    ['originals add', '--protocol --hw --sw'],
    ['device key', '--family --serial --out'],
    [
      'device read',
      '--key --protocol --mode --component --id --identification-only --utility --out',
    ],
    ['device write', '--key --in --out-dir --state --json'],
    ['device inspect', '--pair-key --json'],
  ])('recodery %s accepts %s', async (words, options) => {
    await runProgram([...words.split(' '), '--help']);
    for (const option of options.split(' ')) expect(printed).toContain(option);
  });
});
