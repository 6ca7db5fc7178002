/** The configuration: defaults, invalid values, the conditions of demo mode, and `.env.example`. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, WrongSetting } from '../../src/config/config.ts';
import { settings } from '../../src/config/settings.ts';

const projectDir = resolve(import.meta.dirname, '../../..');
const elsewhere = {
  RECODERY_DATABASE_URL: 'postgresql://user:word@db.example.org/recodery',
  RECODERY_SECRET: 'a-secret-of-this-test',
};

describe('the configuration', () => {
  // promise d3.settings.defaults
  it('has a default for everything', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      dataDir: join(projectDir, 'data'),
      databaseUrl: null,
      storageUrl: `file://${join(projectDir, 'data/files')}`,
      roles: ['portal', 'worker'],
      oidc: null,
      smtpUrl: null,
      secret: null,
      trustedProxies: [],
      parallelOperations: 3,
      organisationBytes: 20 * 2 ** 30,
      maxFileBytes: 64 * 2 ** 20,
      retentionDays: 365,
      isRetentionChosen: false,
      isDemo: true,
    });
    expect(config.engines).toBeGreaterThanOrEqual(1);
  });

  it('treats an empty value as not set', () => {
    expect(readConfig({ RECODERY_PORT: '', RECODERY_PUBLIC_URL: ' ' }).port).toBe(8080);
  });

  // promise d3.settings.wrong
  it.each([
    ['RECODERY_PORT', '80a'],
    ['RECODERY_PORT', '0'],
    ['RECODERY_PORT', '65536'],
    ['RECODERY_HOST', 'a b'],
    ['RECODERY_PUBLIC_URL', 'portal.example.org'],
    ['RECODERY_PUBLIC_URL', 'http://portal.example.org'],
    ['RECODERY_PUBLIC_URL', 'https://portal.example.org/path'],
    ['RECODERY_DATABASE_URL', 'mysql://db'],
    ['RECODERY_STORAGE_URL', '/var/files'],
    ['RECODERY_STORAGE_URL', 's3://'],
    ['RECODERY_ROLES', 'portal,cook'],
    ['RECODERY_ROLES', ','],
    ['RECODERY_OIDC_ISSUER', 'http://idp.example.org'],
    ['RECODERY_SMTP_URL', 'http://mail.example.org'],
    ['RECODERY_MAIL_FROM', 'nobody'],
    ['RECODERY_SECRET', 'short'],
    ['RECODERY_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['RECODERY_LINKS', 'terms'],
    ['RECODERY_LINKS', 'termz=https://example.org'],
    ['RECODERY_LINKS', 'terms=javascript:alert(1)'],
    ['RECODERY_LINKS', 'terms=/terms privacy=https://example.org/privacy'],
    ['RECODERY_ENGINES', '0'],
    ['RECODERY_ENGINE_ISOLATION', 'accounts'],
    ['RECODERY_PARALLEL_OPERATIONS', '-1'],
    ['RECODERY_ORGANISATION_GIB', '1.5'],
    ['RECODERY_MAX_FILE_MIB', 'many'],
    ['RECODERY_RETENTION_DAYS', '9'],
    ['RECODERY_DEMO', 'yes'],
  ])('refuses %s=%s in one line that names the setting', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(WrongSetting);
    expect(read).toThrow(new RegExp(`^${name} .+\\.$`));
  });

  it.each([
    ['RECODERY_SECRET', { RECODERY_DATABASE_URL: 'postgresql://db/recodery' }],
    ['RECODERY_SECRET_FILE', { RECODERY_SECRET: 'x'.repeat(16), RECODERY_SECRET_FILE: '/secret' }],
    ['RECODERY_OIDC_ISSUER', { RECODERY_OIDC_CLIENT_ID: 'recodery' }],
    ['RECODERY_OIDC_CLIENT_ID', { RECODERY_OIDC_ISSUER: 'https://idp.example.org' }],
    ['RECODERY_MAIL_FROM', { RECODERY_SMTP_URL: 'smtp://mail.example.org' }],
  ])('refuses contradicting settings and names %s', (name, environment) => {
    expect(() => readConfig(environment)).toThrow(new RegExp(`^${name} `));
  });

  it.each([
    ['RECODERY_SMTP_URL', 'http://user:hidden-word@mail'],
    ['RECODERY_DATABASE_URL', 'mysql://user:hidden-word@db'],
    ['RECODERY_STORAGE_URL', 's3://key:hidden-word@bucket'],
    ['RECODERY_SECRET', 'hidden-word'],
    ['RECODERY_SMTP_URL', 'smtp://user:hidden-word/2@mail.example.org'],
    ['RECODERY_SMTP_URL', 'smtp://user:1/hidden-word@mail.example.org'],
    ['RECODERY_SMTP_URL', 'smtp://user:hidden-word%@mail.example.org'],
    ['RECODERY_DATABASE_URL', 'postgresql://user:1@hidden-word@db/recodery'],
    ['RECODERY_DATABASE_URL', 'postgresql://user:1?hidden-word@db/recodery'],
    ['RECODERY_DATABASE_URL', 'postgresql://user:1#hidden-word@db/recodery'],
    ['RECODERY_DATABASE_DIRECT_URL', 'postgresql://user:hidden word@db/recodery'],
  ])('does not repeat the password in an invalid %s', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(WrongSetting);
    expect(read).toThrow(/^((?!hidden-word).)*$/);
  });

  it.each([
    'postgresql:///recodery?host=/var/run/postgresql',
    'postgres://user:a%2Fb%40c%25@[::1]:5432/recodery?sslmode=require',
    'postgresql://db',
  ])('accepts the database %s', (url) => {
    const read = readConfig({ ...elsewhere, RECODERY_DATABASE_URL: url });
    expect(read.databaseUrl).toBe(url);
  });

  // promise d3.settings.unknown
  it('lists names that are not settings', () => {
    const given = { RECODERY_SMPT_URL: 'x', RECODERY_PORT: '8081', PATH: '/bin' };
    expect(readConfig(given).unknownSettings).toEqual(['RECODERY_SMPT_URL']);
  });

  // promise d3.settings.demo-auto
  it.each([
    [true, {}],
    [true, { RECODERY_HOST: '::1', RECODERY_PUBLIC_URL: 'http://localhost:9000' }],
    [false, { RECODERY_HOST: '0.0.0.0' }],
    [false, { RECODERY_PUBLIC_URL: 'https://portal.example.org' }],
    [false, elsewhere],
    [
      false,
      { RECODERY_OIDC_ISSUER: 'https://idp.example.org', RECODERY_OIDC_CLIENT_ID: 'recodery' },
    ],
    [true, { ...elsewhere, RECODERY_DEMO: 'on' }],
    [false, { RECODERY_DEMO: 'off' }],
  ])('sets demo to %s for %j', (isDemo, environment) => {
    expect(readConfig(environment).isDemo).toBe(isDemo);
  });

  it('reads the operator’s own links', () => {
    const text =
      ' terms=https://example.org/{language}/terms?a=b \n support=mailto:help@example.org';
    expect(readConfig({ RECODERY_LINKS: text }).links).toEqual({
      terms: 'https://example.org/{language}/terms?a=b',
      support: 'mailto:help@example.org',
    });
  });

  it("reads the operator's company lines", () => {
    const text = ' Officina Rossi S.r.l., Modena | | P. IVA 01234567890 |';
    const lines = ['Officina Rossi S.r.l., Modena', 'P. IVA 01234567890'];
    expect(readConfig({ RECODERY_COMPANY: text }).companyLines).toEqual(lines);
    expect(readConfig({}).companyLines).toEqual([]);
  });

  it('reads proxies, roles and a storage folder', () => {
    const config = readConfig({
      RECODERY_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      RECODERY_ROLES: 'worker',
      RECODERY_STORAGE_URL: 'file:/srv/files',
    });
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
    expect(config.roles).toEqual(['worker']);
    expect(config.storageUrl).toBe('file:///srv/files');
  });
});

describe('.env.example', () => {
  // promise d3.settings.names
  it('lists every setting with its default and purpose', () => {
    const expected = Object.entries(settings).map(
      ([name, { shown, about }]) => `# ${about}\n#${name}=${shown}`,
    );
    const file = readFileSync(join(projectDir, '.env.example'), 'utf8');
    expect(file.trim().split('\n\n').slice(1)).toEqual(expected);
  });
});
