/** The configuration: read once from the environment, checked, and given to everybody else as a plain value. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readS3Address } from './s3-address.ts';
import { linkNames, type OwnLinks, parseLinks } from './own-links.ts';
import { type SettingName, settings } from './settings.ts';

/** What a process of ours can be: `portal` answers HTTP, `worker` runs operations. */
export type Role = 'portal' | 'worker';

/** The external OpenID Connect provider. `clientSecret` is null for a public client. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** The configuration of this process. Paths are absolute, addresses bear no slash at their end. */
export interface Config {
  readonly version: string;
  /** The project folder: the one of package.json. */
  readonly projectDir: string;
  readonly port: number;
  readonly host: string;
  /** Origin that browsers use, such as `http://localhost:8080`; the only source of links. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null;
  /** A `file:` or `s3:` URL. */
  readonly storageUrl: string;
  readonly roles: readonly Role[];
  /** null: the embedded provider under `/idp`. */
  readonly oidc: OidcConfig | null;
  /** null: mails are kept in the outbox folder. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly secret: string | null;
  readonly secretFile: string | null;
  /** IP addresses and CIDR networks. */
  readonly trustedProxies: readonly string[];
  /** Number of engine processes. */
  readonly engines: number;
  /** Running and waiting operations that an organisation may have at once. */
  readonly parallelOperations: number;
  /** Bytes that an organisation's files may take. */
  readonly organisationBytes: number;
  /** Bytes of the largest upload. */
  readonly maxFileBytes: number;
  readonly retentionDays: number;
  /** Addresses that stand in place of the built-in guide's. */
  readonly links: OwnLinks;
  /** Who runs the portal, line by line at the foot of the pages behind the sign-in; empty: nobody said. */
  readonly companyLines: readonly string[];
  /** Whether the demo workspace is made and its accounts may sign in. */
  readonly isDemo: boolean;
}

/** A setting has a value that cannot be: the message is the one line that the operator is shown. */
export class WrongSetting extends Error {
  constructor(name: SettingName, value: string, rule: string) {
    super(`${name} ${rule}${value === '' ? '' : `, not ${JSON.stringify(value)}`}.`);
    this.name = 'WrongSetting';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const projectDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/**
 * Reads the configuration from the environment.
 * @throws {WrongSetting} on the first value that cannot be.
 */
export function readConfig(environment: Environment = process.env): Config {
  const value = (name: SettingName): string | null => environment[name]?.trim() || null;
  const text = (name: SettingName): string => value(name) ?? settings[name].shown;

  const port = readNumber('RECODERY_PORT', text('RECODERY_PORT'), 1, 65_535);
  const host = text('RECODERY_HOST');
  if (/[\s/]/.test(host)) {
    throw new WrongSetting('RECODERY_HOST', host, 'must be an address or a host name');
  }
  const publicUrl = readPublicUrl(value('RECODERY_PUBLIC_URL')) ?? `http://localhost:${port}`;
  // What the operator writes is meant from where he stands; the default belongs to the project.
  const dataDir = resolve(value('RECODERY_DATA_DIR') ?? join(projectDir, 'data'));
  const databaseUrl = readUrl('RECODERY_DATABASE_URL', value('RECODERY_DATABASE_URL'), [
    'postgresql:',
    'postgres:',
  ]);
  const oidc = readOidc(value);
  const secrets = readSecretSource(value, databaseUrl !== null);
  const isLocal = isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  const isEmbedded = oidc === null && databaseUrl === null;

  return {
    version: readVersion(),
    projectDir,
    port,
    host,
    publicUrl,
    dataDir,
    databaseUrl,
    storageUrl: readStorageUrl(value('RECODERY_STORAGE_URL'), dataDir),
    roles: readRoles(text('RECODERY_ROLES')),
    oidc,
    ...readMail(value),
    ...secrets,
    trustedProxies: readProxies(text('RECODERY_TRUSTED_PROXIES')),
    engines: readNumber(
      'RECODERY_ENGINES',
      value('RECODERY_ENGINES') ?? String(Math.max(1, availableParallelism() - 1)),
      1,
      256,
    ),
    parallelOperations: readNumber(
      'RECODERY_PARALLEL_OPERATIONS',
      text('RECODERY_PARALLEL_OPERATIONS'),
      1,
      1000,
    ),
    organisationBytes:
      readNumber('RECODERY_ORGANISATION_GIB', text('RECODERY_ORGANISATION_GIB'), 1, 1_000_000) *
      2 ** 30,
    maxFileBytes:
      readNumber('RECODERY_MAX_FILE_MIB', text('RECODERY_MAX_FILE_MIB'), 1, 1024) * 2 ** 20,
    retentionDays: readNumber('RECODERY_RETENTION_DAYS', text('RECODERY_RETENTION_DAYS'), 10, 3650),
    links: readLinks(value('RECODERY_LINKS') ?? ''),
    companyLines: readLines(value('RECODERY_COMPANY') ?? ''),
    isDemo: readDemo(text('RECODERY_DEMO'), isLocal && isEmbedded),
  };
}

/** Whether a host name or address is this machine's own, whatever the network. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') {
    return true;
  }
  return isIP(name) === 4 && name.startsWith('127.');
}

function readNumber(name: SettingName, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new WrongSetting(name, value, `must be a whole number from ${least} to ${most}`);
  }
  return number;
}

function readUrl(name: SettingName, value: string | null, protocols: readonly string[]) {
  if (value === null) {
    return null;
  }
  // The value may hold a password: it is not repeated in the message.
  if (!protocols.some((protocol) => value.startsWith(`${protocol}//`))) {
    const shown = `${value.split(':', 1)[0]}:…`;
    throw new WrongSetting(name, shown, `must begin with ${protocols.join('// or ')}//`);
  }
  return value;
}

function readPublicUrl(value: string | null): string | null {
  if (value === null) {
    return null;
  }
  const name = 'RECODERY_PUBLIC_URL';
  if (!URL.canParse(value) || !/^https?:\/\//.test(value)) {
    throw new WrongSetting(name, value, 'must be an address such as https://portal.example.org');
  }
  const url = new URL(value);
  if (`${url.origin}/` !== url.href) {
    throw new WrongSetting(name, value, 'must be scheme, host and port only');
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new WrongSetting(name, value, 'must be https unless it is loopback');
  }
  return url.origin;
}

function readStorageUrl(value: string | null, dataDir: string): string {
  if (value === null) {
    return pathToFileURL(join(dataDir, 'files')).href;
  }
  const name = 'RECODERY_STORAGE_URL';
  if (value.startsWith('s3://')) {
    const address = readS3Address(value);
    // The value may hold a key by mistake: it is not repeated in the message.
    if (typeof address === 'string') throw new WrongSetting(name, '', address);
    return value;
  }
  if (value.startsWith('file:///')) {
    return new URL(value).href;
  }
  if (value.startsWith('file:') && !value.startsWith('file://') && value.length > 5) {
    return pathToFileURL(resolve(value.slice(5))).href;
  }
  throw new WrongSetting(name, value, 'must be file:/folder or s3://bucket/prefix?endpoint=…');
}

function readRoles(value: string): readonly Role[] {
  const roles = value.split(',').map((word) => word.trim());
  const known = (['portal', 'worker'] as const).filter((role) => roles.includes(role));
  if (known.length === 0 || roles.some((role) => role !== 'portal' && role !== 'worker')) {
    throw new WrongSetting('RECODERY_ROLES', value, 'must be portal, worker or both, by comma');
  }
  return known;
}

function readOidc(value: (name: SettingName) => string | null): OidcConfig | null {
  const issuer = value('RECODERY_OIDC_ISSUER');
  const clientId = value('RECODERY_OIDC_CLIENT_ID');
  const clientSecret = value('RECODERY_OIDC_CLIENT_SECRET');
  if (issuer === null) {
    if (clientId !== null || clientSecret !== null) {
      throw new WrongSetting('RECODERY_OIDC_ISSUER', '', 'must be set when a client is');
    }
    return null;
  }
  if (!URL.canParse(issuer) || !/^https?:\/\//.test(issuer)) {
    throw new WrongSetting('RECODERY_OIDC_ISSUER', issuer, 'must be an https address');
  }
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new WrongSetting('RECODERY_OIDC_ISSUER', issuer, 'must be https unless it is loopback');
  }
  if (clientId === null) {
    throw new WrongSetting('RECODERY_OIDC_CLIENT_ID', '', 'must be set with an issuer');
  }
  return { issuer, clientId, clientSecret };
}

function readMail(value: (name: SettingName) => string | null): {
  smtpUrl: string | null;
  mailFrom: string;
} {
  const smtpUrl = readUrl('RECODERY_SMTP_URL', value('RECODERY_SMTP_URL'), ['smtp:', 'smtps:']);
  const from = value('RECODERY_MAIL_FROM');
  if (from === null && smtpUrl !== null) {
    throw new WrongSetting('RECODERY_MAIL_FROM', '', 'must be set with a mail server');
  }
  if (from !== null && !/^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(from)) {
    throw new WrongSetting(
      'RECODERY_MAIL_FROM',
      from,
      'must be an address such as Recodery <portal@example.org>',
    );
  }
  return { smtpUrl, mailFrom: from ?? 'Recodery <recodery@localhost>' };
}

function readSecretSource(
  value: (name: SettingName) => string | null,
  isDatabaseElsewhere: boolean,
) {
  const secret = value('RECODERY_SECRET');
  const file = value('RECODERY_SECRET_FILE');
  if (secret !== null && file !== null) {
    throw new WrongSetting('RECODERY_SECRET_FILE', file, 'and RECODERY_SECRET exclude each other');
  }
  if (secret !== null && secret.length < 16) {
    throw new WrongSetting('RECODERY_SECRET', '…', 'must have at least 16 characters');
  }
  // A secret made here would die with this machine's data folder, and every master key with it.
  if (secret === null && file === null && isDatabaseElsewhere) {
    throw new WrongSetting(
      'RECODERY_SECRET',
      '',
      'or RECODERY_SECRET_FILE must be set with RECODERY_DATABASE_URL',
    );
  }
  return { secret, secretFile: file === null ? null : resolve(file) };
}

function readProxies(value: string): readonly string[] {
  const proxies = value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  for (const proxy of proxies) {
    const [address = '', bits, ...rest] = proxy.split('/');
    const version = isIP(address);
    const isNetwork =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
    if (version === 0 || !isNetwork || rest.length > 0) {
      throw new WrongSetting(
        'RECODERY_TRUSTED_PROXIES',
        proxy,
        'must be addresses or networks such as 10.0.0.0/8, by comma',
      );
    }
  }
  return proxies;
}

function readLinks(value: string): OwnLinks {
  const links = parseLinks(value);
  if ('wrong' in links) {
    const rule = `must be pairs such as terms=https://example.org/terms, parted by spaces, of ${linkNames.join(', ')}`;
    throw new WrongSetting('RECODERY_LINKS', links.wrong, rule);
  }
  return links;
}

/** The lines between the bars; what is empty between them is no line. */
function readLines(value: string): readonly string[] {
  const lines = value.split('|').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

function readDemo(value: string, isDemoByItself: boolean): boolean {
  if (value !== 'auto' && value !== 'on' && value !== 'off') {
    throw new WrongSetting('RECODERY_DEMO', value, 'must be auto, on or off');
  }
  return value === 'auto' ? isDemoByItself : value === 'on';
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    return String(manifest.version);
  }
  return '0.0.0';
}
