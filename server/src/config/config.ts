/** The configuration: read once from the environment, validated, and passed to all other code as a plain value. */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';
import { describeTerms } from './own-terms-settings.ts';
import { ownLinks } from './own-links.ts';
import { readS3Address } from './s3-address.ts';
import { listOrigins, listUnknown } from './setting-origins.ts';
import { type SettingName, settings } from './settings.ts';
import { readVersion } from './version.ts';

/** The configuration of this process. Paths are absolute, URLs have no trailing slash. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** A setting has an invalid value: the message is the one line shown to the operator. */
export class WrongSetting extends Error {
  constructor(name: SettingName, value: string, rule: string) {
    // an address may contain a password even if none belongs there
    const shown = value.replace(/\/\/.*@/s, '//…@');
    super(`${name} ${rule}${shown === '' ? '' : `, not ${JSON.stringify(shown)}`}.`);
    this.name = 'WrongSetting';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The project's folder: the one of package.json. */
export const projectDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Whether a host name or address is a loopback one. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') {
    return true;
  }
  return isIP(name) === 4 && name.startsWith('127.');
}

const orNull = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null);
const text = z.string();

/**
 * A text of this form. `shown` is the part of an invalid value that the message repeats, because the value may contain
 * a password.
 */
const form = (pattern: RegExp, message: string, shown = (value: string) => value) =>
  text.check(({ value, issues }) => {
    if (!pattern.test(value)) issues.push({ code: 'custom', input: shown(value), message });
  });
const scheme = (value: string): string => `${value.split(':', 1)[0]}:…`;

/** Whether the user name and the password of an address end where they seem to, and can be decoded. */
function isEncodedAddress(address: string): boolean {
  if (!/^\w+:\/\/([^@/?#\s]*@)?[^@/?#\s]*([/?][^@#\s]*)?$/.test(address)) return false;
  const url = URL.parse(address);
  try {
    return url !== null && decodeURIComponent(`${url.username}:${url.password}`) !== '';
  } catch {
    return false;
  }
}

/** The address of a server that Recodery signs in to. Messages repeat no part of it that may belong to a password. */
const serverAddress = (pattern: RegExp, message: string) =>
  form(pattern, message, scheme).check(({ value, issues }) => {
    if (!pattern.test(value) || isEncodedAddress(value)) return;
    const encoded = 'must have its special characters encoded in the user name and the password';
    issues.push({ code: 'custom', input: '', message: `${encoded}: / as %2F, @ as %40, % as %25` });
  });

function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number from ${least} to ${most}`;
  const number = z.coerce.number<string>().check(z.minimum(least, rule), z.maximum(most, rule));
  return z.pipe(form(/^\d+$/, rule), number);
}

/** The non-empty parts of a text, without surrounding spaces; none if there is no text. */
function parts(sign: string | RegExp, part = text) {
  const split = (whole: string): string[] => whole.split(sign).flatMap((one) => one.trim() || []);
  return z.pipe(z._default(text, ''), z.pipe(z.transform(split), z.array(part)));
}

const isWeb = (address: string): boolean => URL.canParse(address) && /^https?:\/\//.test(address);
const isOrigin = (address: string): boolean =>
  `${new URL(address).origin}/` === new URL(address).href;
const hasUser = (address: string): boolean =>
  `${new URL(address).username}${new URL(address).password}` !== '';
const isEncrypted = (address: string): boolean =>
  address.startsWith('https:') || isLoopback(new URL(address).hostname);

/** The URL of a web server; without a path if `isBare`. */
const webAddress = (rule: string, isBare = false) =>
  text.check(
    z.refine(isWeb, { error: rule, abort: true }),
    z.refine((address) => !hasUser(address), 'must not contain a user name or password'),
    z.refine((address) => !isBare || isOrigin(address), 'must contain only scheme, host and port'),
    z.refine(isEncrypted, 'must be https unless it is a loopback address'),
  );

/** A folder as a `file:` URL, or the URL of an object store, which may contain a key by mistake. */
const storageUrl = text.check(({ value, issues }) => {
  const isStore = value.startsWith('s3://');
  const message = isStore
    ? readS3Address(value)
    : /^file:(\/\/\/|(?!\/\/).)/.test(value) ||
      'must be file:/folder or s3://bucket/prefix?endpoint=…';
  if (typeof message === 'string')
    issues.push({ code: 'custom', input: isStore ? '' : value, message });
});

/** The roles of a process: `portal` serves HTTP, `worker` runs operations. */
const roles = ['portal', 'worker'] as const;
const mailAddress = /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/;
const isNetwork = (part: string): boolean =>
  isIP(part) > 0 || (isIP(part.replace(/\/.*/, '')) > 0 && ipaddr.isValidCIDR(part));

const isHost = (host: string): boolean =>
  /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
const network = text.check(
  z.refine(isNetwork, 'must be addresses or networks such as 10.0.0.0/8, separated by commas'),
);

const databaseAddress = serverAddress(
  /^postgres(ql)?:\/\//,
  'must start with postgresql:// or postgres://',
);

/** The valid values of each setting. A message follows the name of its setting. */
const shapes = {
  RECODERY_PORT: wholeNumber(1, 65_535),
  RECODERY_HOST: form(/^[^\s/]+$/, 'must be an address or a host name'),
  RECODERY_PUBLIC_URL: orNull(
    webAddress('must be an address such as https://portal.example.org', true),
  ),
  RECODERY_DATA_DIR: text,
  RECODERY_DATABASE_URL: orNull(databaseAddress),
  RECODERY_DATABASE_DIRECT_URL: orNull(databaseAddress),
  RECODERY_STORAGE_URL: orNull(storageUrl),
  RECODERY_ROLES: z.pipe(
    form(/^(portal|worker)(\s*,\s*(portal|worker))*$/, 'must be portal, worker or portal,worker'),
    z.transform((value: string) => roles.filter((role) => value.includes(role))),
  ),
  RECODERY_OIDC_ISSUER: orNull(webAddress('must be an https address')),
  RECODERY_OIDC_CLIENT_ID: orNull(text),
  RECODERY_OIDC_CLIENT_SECRET: orNull(text),
  RECODERY_SMTP_URL: orNull(serverAddress(/^smtps?:\/\//, 'must start with smtp:// or smtps://')),
  RECODERY_MAIL_FROM: orNull(
    form(mailAddress, 'must be an address such as Recodery <portal@example.org>'),
  ),
  RECODERY_SECRET: orNull(form(/.{16}/s, 'must have at least 16 characters', () => '…')),
  RECODERY_SECRET_FILE: orNull(text),
  RECODERY_ENCODING_API_HOSTS: parts(
    ',',
    text.check(
      z.refine(
        isHost,
        'must be host names such as api.example.org, optionally with a port, separated by commas',
      ),
      z.toLowerCase(),
    ),
  ),
  RECODERY_TRUSTED_PROXIES: parts(',', network),
  RECODERY_WEBHOOK_ALLOW: parts(',', network),
  RECODERY_ENGINES: z._default(wholeNumber(1, 256), Math.max(1, availableParallelism() - 1)),
  RECODERY_ENGINE_ISOLATION: z.enum(['any', 'namespaces'], 'must be any or namespaces'),
  RECODERY_PARALLEL_OPERATIONS: wholeNumber(1, 1000),
  RECODERY_OPEN_SLOTS: wholeNumber(1, 100_000),
  RECODERY_ORGANISATION_GIB: wholeNumber(1, 1_000_000),
  RECODERY_FREE_SPACE_GIB: orNull(wholeNumber(1, 1_000_000)),
  RECODERY_MAX_FILE_MIB: wholeNumber(1, 1024),
  RECODERY_RETENTION_DAYS: wholeNumber(10, 3650),
  RECODERY_RETENTION_LEAST_DAYS: wholeNumber(10, 36_500),
  RECODERY_RETENTION_MOST_DAYS: wholeNumber(10, 36_500),
  RECODERY_RESTORE_KITS: z.enum(['on', 'off'], 'must be on or off'),
  RECODERY_AUDIT_DAYS: wholeNumber(30, 36_500),
  RECODERY_BACKUP_DIR: orNull(text),
  RECODERY_LINKS: z.pipe(parts(/\s/), ownLinks),
  RECODERY_TERMS_DIR: orNull(text),
  RECODERY_TERMS_VERSION: form(/^[^\p{C}]{1,100}$/u, 'must have at most 100 characters'),
  RECODERY_TERMS_ARTICLES: parts(',').check(
    z.minLength(1, 'must name at least one article, or none'),
  ),
  RECODERY_COMPANY: parts('|'),
  RECODERY_STOP_DELAY_SECONDS: wholeNumber(0, 600),
  RECODERY_STOP_PATIENCE_SECONDS: wholeNumber(1, 3600),
  RECODERY_METRICS_PORT: orNull(wholeNumber(1, 65_535)),
  RECODERY_METRICS_HOST: form(/^[^\s/]+$/, 'must be an address or a host name'),
  RECODERY_UPDATES_URL: orNull(webAddress('must be an https address')),
  RECODERY_OPERATOR_FACTOR: z.enum(['auto', 'on', 'off'], 'must be auto, on or off'),
  RECODERY_DEMO: z.enum(['auto', 'on', 'off'], 'must be auto, on or off'),
} satisfies Record<SettingName, z.ZodMiniType>;

type Values = z.output<z.ZodMiniObject<typeof shapes>>;

/** The dependencies between settings, in the order of the checks. */
function findContradiction(values: Values): readonly [SettingName, string] | null {
  const has = (name: SettingName): boolean => values[name] !== null;
  if (!has('RECODERY_OIDC_ISSUER')) {
    if (has('RECODERY_OIDC_CLIENT_ID') || has('RECODERY_OIDC_CLIENT_SECRET'))
      return ['RECODERY_OIDC_ISSUER', 'must be set if a client ID or secret is set'];
  } else if (!has('RECODERY_OIDC_CLIENT_ID'))
    return ['RECODERY_OIDC_CLIENT_ID', 'must be set if an issuer is set'];
  else if (values.RECODERY_OPERATOR_FACTOR === 'on')
    return ['RECODERY_OPERATOR_FACTOR', 'must not be on if an issuer is set'];
  if (has('RECODERY_SMTP_URL') && !has('RECODERY_MAIL_FROM'))
    return ['RECODERY_MAIL_FROM', 'must be set if a mail server is set'];
  if (has('RECODERY_SECRET') && has('RECODERY_SECRET_FILE'))
    return ['RECODERY_SECRET_FILE', 'and RECODERY_SECRET must not both be set'];
  if (values.RECODERY_RETENTION_LEAST_DAYS > values.RECODERY_RETENTION_MOST_DAYS)
    return ['RECODERY_RETENTION_LEAST_DAYS', 'must not be more than RECODERY_RETENTION_MOST_DAYS'];
  // A secret generated here would be lost with this machine's data folder, and every master key with it.
  if (has('RECODERY_DATABASE_URL') && !has('RECODERY_SECRET') && !has('RECODERY_SECRET_FILE'))
    return ['RECODERY_SECRET', 'or RECODERY_SECRET_FILE must be set with RECODERY_DATABASE_URL'];
  if (has('RECODERY_DATABASE_DIRECT_URL') && !has('RECODERY_DATABASE_URL'))
    return ['RECODERY_DATABASE_DIRECT_URL', 'needs RECODERY_DATABASE_URL'];
  return null;
}

const valuesSchema = z.object(shapes).check(({ value: input, issues }) => {
  const [name, message] = findContradiction(input) ?? [];
  if (name !== undefined) issues.push({ code: 'custom', input, path: [name], message });
});

/** Validates the given values. @throws {WrongSetting} */
function readValues(given: Environment): Values {
  const { data, error } = valuesSchema.safeParse(given, { reportInput: true });
  if (data !== undefined) return data;
  const { path, message, input } = error.issues[0] as z.core.$ZodIssue;
  const name = path[0] as SettingName;
  const value = typeof input === 'string' ? input : (given[name] ?? '');
  throw new WrongSetting(name, value, message);
}

/** How much can be stored, in bytes. */
function describeSpace(values: Values) {
  const ownLeast = values.RECODERY_FREE_SPACE_GIB;
  return {
    /** What the files of an organisation may use. */
    organisationBytes: values.RECODERY_ORGANISATION_GIB * 2 ** 30,
    /** What must stay free of a disk: the operator's own size, or a share that is not much on a large disk. */
    leastFree:
      ownLeast === null
        ? { share: 0.05, bytes: 20 * 2 ** 30 }
        : { share: 1, bytes: ownLeast * 2 ** 30 },
    /** Where portals make backups; null: only the command makes them. */
    backupDir: values.RECODERY_BACKUP_DIR && resolve(values.RECODERY_BACKUP_DIR),
    /** Maximum of an upload. */
    maxFileBytes: values.RECODERY_MAX_FILE_MIB * 2 ** 20,
  };
}

/** Where metrics and traces go. `value` reads an environment variable. */
function describeObservability(values: Values, value: (name: string) => string | undefined) {
  return {
    /** Where metrics are served; null: nowhere. */
    metrics:
      values.RECODERY_METRICS_PORT === null
        ? null
        : { host: values.RECODERY_METRICS_HOST, port: values.RECODERY_METRICS_PORT },
    /** Whether traces are sent: true if OpenTelemetry's own environment variables name a collector. */
    hasCollector:
      value('OTEL_SDK_DISABLED')?.toLowerCase() !== 'true' &&
      [value('OTEL_EXPORTER_OTLP_ENDPOINT'), value('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')].some(
        Boolean,
      ),
  };
}

/** How long slots are kept, and what is prepared for them. */
function describeRetention(values: Values) {
  return {
    /** Days that slots and files are kept where the organisation has not chosen otherwise. */
    retentionDays: values.RECODERY_RETENTION_DAYS,
    /** Days that an organisation can choose. */
    retentionBounds: {
      least: values.RECODERY_RETENTION_LEAST_DAYS,
      most: values.RECODERY_RETENTION_MOST_DAYS,
    },
    /** Whether the encoded original is prepared after each decode. */
    preparesRestoreKits: values.RECODERY_RESTORE_KITS === 'on',
  };
}

/**
 * Reads the configuration from the environment.
 * @throws {WrongSetting} on the first invalid value
 */
export function readConfig(environment: Environment = process.env) {
  const value = (name: string) => environment[name]?.trim() || undefined;
  const given = Object.entries(settings).map(([name, { shown }]): [string, string | undefined] => [
    name,
    value(name) ?? (shown || undefined),
  ]);
  const values = readValues(Object.fromEntries(given));
  const publicUrl = new URL(
    values.RECODERY_PUBLIC_URL ?? `http://localhost:${values.RECODERY_PORT}`,
  );
  // The operator's paths are relative to the current folder; the default is relative to the project.
  const base = value('RECODERY_DATA_DIR') === undefined ? projectDir : '';
  const dataDir = resolve(base, values.RECODERY_DATA_DIR);
  const storage = values.RECODERY_STORAGE_URL ?? pathToFileURL(join(dataDir, 'files')).href;
  const { RECODERY_OIDC_ISSUER: issuer, RECODERY_OIDC_CLIENT_ID: clientId } = values;
  const isLocal = isLoopback(values.RECODERY_HOST) && isLoopback(publicUrl.hostname);
  const isEmbedded = issuer === null && values.RECODERY_DATABASE_URL === null;

  return {
    version: readVersion(projectDir),
    ...describeNames(environment, value),
    /** The project folder: the one of package.json. */
    projectDir,
    port: values.RECODERY_PORT,
    host: values.RECODERY_HOST,
    /** Origin that browsers use, such as `http://localhost:8080`; the only source of links. */
    publicUrl: publicUrl.origin,
    dataDir,
    /** null: the embedded PostgreSQL in the data folder. */
    databaseUrl: values.RECODERY_DATABASE_URL,
    /** The same database without a pooler in transaction mode; null: there is no such pooler. */
    directDatabaseUrl: values.RECODERY_DATABASE_DIRECT_URL,
    /** A `file:` or `s3:` URL. */
    storageUrl: /^file:(?!\/\/)/.test(storage)
      ? pathToFileURL(resolve(storage.slice('file:'.length))).href
      : storage,
    roles: values.RECODERY_ROLES,
    /** null: the embedded provider under `/idp`. */
    oidc:
      issuer === null || clientId === null
        ? null
        : { issuer, clientId, clientSecret: values.RECODERY_OIDC_CLIENT_SECRET },
    /** null: emails are kept in the outbox folder. */
    smtpUrl: values.RECODERY_SMTP_URL,
    mailFrom: values.RECODERY_MAIL_FROM ?? 'Recodery <recodery@localhost>',
    secret: values.RECODERY_SECRET,
    secretFile: values.RECODERY_SECRET_FILE && resolve(values.RECODERY_SECRET_FILE),
    /** IP addresses and CIDR networks. */
    trustedProxies: values.RECODERY_TRUSTED_PROXIES,
    /** Hosts, in lowercase, that serve the Encoding API at their root and nothing else. */
    encodingApiHosts: values.RECODERY_ENCODING_API_HOSTS,
    /** IP addresses and CIDR networks that webhooks may be sent to although they are private. */
    webhookAllow: values.RECODERY_WEBHOOK_ALLOW,
    /** Number of engine processes. */
    engines: values.RECODERY_ENGINES,
    /** Whether nothing starts where engine processes cannot have namespaces. */
    needsNamespaces: values.RECODERY_ENGINE_ISOLATION === 'namespaces',
    /** Running and waiting operations that an organisation may have at once. */
    parallelOperations: values.RECODERY_PARALLEL_OPERATIONS,
    /** Slots that a client application can have open at once. */
    openSlots: values.RECODERY_OPEN_SLOTS,
    ...describeSpace(values),
    ...describeRetention(values),
    /** Whether the operator chose `retentionDays`; otherwise the installation decides. */
    isRetentionChosen: value('RECODERY_RETENTION_DAYS') !== undefined,
    /** Days that entries of the audit trail are kept. */
    auditDays: values.RECODERY_AUDIT_DAYS,
    /** URLs that replace those of the built-in guide. */
    links: values.RECODERY_LINKS,
    terms: describeTerms(values, (name) => value(name) !== undefined),
    /** The company that runs the portal, line by line in the footer of the pages after sign-in; empty: not set. */
    companyLines: values.RECODERY_COMPANY,
    /** How long a portal takes to stop. */
    stopTimes: {
      delayMs: values.RECODERY_STOP_DELAY_SECONDS * 1000,
      patienceMs: values.RECODERY_STOP_PATIENCE_SECONDS * 1000,
    },
    ...describeObservability(values, value),
    ...describeUsers(values, publicUrl, isLocal && isEmbedded),
  };
}

/** The demo, and who needs a second factor. `isForTrying`: only this machine reaches the portal and all its parts. */
function describeUsers(values: Values, publicUrl: URL, isForTrying: boolean) {
  const isEmbedded = values.RECODERY_OIDC_ISSUER === null;
  return {
    isDemo: isSet(values.RECODERY_DEMO, isForTrying),
    /** A document that names the newest version; null: nothing is asked. */
    updatesUrl: values.RECODERY_UPDATES_URL,
    needsOperatorFactor:
      isEmbedded && isSet(values.RECODERY_OPERATOR_FACTOR, !isLoopback(publicUrl.hostname)),
  };
}

/** A setting that is on or off; `auto` means `usual`. */
const isSet = (value: 'auto' | 'on' | 'off', usual: boolean): boolean =>
  value === 'auto' ? usual : value === 'on';

/** What is set, and what only looks like a setting. */
function describeNames(environment: Environment, value: (name: string) => string | undefined) {
  return {
    /** Names in the environment that are not settings. */
    unknownSettings: listUnknown(environment),
    /** All settings with where they come from, without secrets. */
    origins: listOrigins(value),
  };
}
