/** Every RECODERY_* name that the program knows, with its default and purpose, as in `.env.example`. */

/** A setting as operators see it. `shown` is the default as written in `.env.example`, empty when there is none. */
export interface Setting {
  readonly shown: string;
  readonly about: string;
}

const setting = (about: string, shown = ''): Setting => ({ shown, about });

/** All settings, in the order of `.env.example`. */
export const settings = {
  RECODERY_PORT: setting('Port of the portal.', '8080'),
  RECODERY_HOST: setting('Address that the portal listens on.', '127.0.0.1'),
  RECODERY_PUBLIC_URL: setting(
    'Address that browsers use, and that all links start with. Default: http://localhost:PORT. Must be https unless it is a loopback address.',
  ),
  RECODERY_DATA_DIR: setting(
    'Folder of the embedded database, stored files, secret and outbox. It must be on a local disk.',
    './data',
  ),
  RECODERY_DATABASE_URL: setting(
    'PostgreSQL 15 or later (postgresql://…). Default: the embedded server.',
  ),
  RECODERY_DATABASE_DIRECT_URL: setting(
    'The same database without a connection pooler, for LISTEN, migrations and commands. Required if RECODERY_DATABASE_URL points to a pooler in transaction mode.',
  ),
  RECODERY_STORAGE_URL: setting(
    'file:/folder or s3://bucket/prefix?endpoint=…&region=… (keys: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY). Default: the folder files/ in the data folder.',
  ),
  RECODERY_ROLES: setting('What this process runs: portal, worker.', 'portal,worker'),
  RECODERY_OIDC_ISSUER: setting('OpenID Connect provider. Default: the embedded one.'),
  RECODERY_OIDC_CLIENT_ID: setting('Client ID at that provider.'),
  RECODERY_OIDC_CLIENT_SECRET: setting('Client secret at that provider.'),
  RECODERY_SMTP_URL: setting(
    'Mail server, smtp:// or smtps://. Without one, emails are stored in outbox/ as .eml files.',
  ),
  RECODERY_MAIL_FROM: setting(
    'Sender of emails, such as Recodery <portal@example.org>. Required with a mail server.',
  ),
  RECODERY_SECRET: setting(
    'Secret that encrypts the keys in the database. At least 16 characters. With the embedded database, it is generated in the data folder.',
  ),
  RECODERY_SECRET_FILE: setting('File that contains the secret, instead of RECODERY_SECRET.'),
  RECODERY_TRUSTED_PROXIES: setting(
    'Addresses or networks of reverse proxies whose X-Forwarded-For header is trusted, separated by commas, such as 127.0.0.1, 10.1.0.0/16.',
  ),
  RECODERY_ENCODING_API_HOSTS: setting(
    'Hosts that serve the Encoding API at their root and nothing else, separated by commas, such as api.example.org. A proxy must pass on the Host header.',
  ),
  RECODERY_WEBHOOK_ALLOW: setting(
    'Private addresses or networks that webhooks may be sent to, separated by commas, such as 10.1.0.0/16. Default: none.',
  ),
  RECODERY_ENGINES: setting('Engine processes. Default: number of cores − 1, at least 1.'),
  RECODERY_ENGINE_ISOLATION: setting(
    'How well engine processes must be isolated: namespaces, or any. Below it, Recodery does not start.',
    'any',
  ),
  RECODERY_PARALLEL_OPERATIONS: setting(
    'Operations that an organisation can run at the same time.',
    '3',
  ),
  RECODERY_OPEN_SLOTS: setting(
    'Slots that a client application can have open at the same time.',
    '50',
  ),
  RECODERY_ORGANISATION_GIB: setting('Storage for each organisation, in GiB.', '20'),
  RECODERY_FREE_SPACE_GIB: setting(
    'Free space in GiB below which uploads and encodes are refused. Default: 5% of the disk, but at most 20.',
  ),
  RECODERY_MAX_FILE_MIB: setting('Largest upload, in MiB.', '64'),
  RECODERY_RETENTION_DAYS: setting(
    'Default number of days that slots and files are kept. At least 10. If not set: 365 days, and 30 in installations that existed before this default.',
    '365',
  ),
  RECODERY_RETENTION_LEAST_DAYS: setting(
    'Minimum number of days that an organisation can choose for its slots and files. At least 10.',
    '10',
  ),
  RECODERY_RETENTION_MOST_DAYS: setting(
    'Maximum number of days that an organisation can choose for its slots and files.',
    '3650',
  ),
  RECODERY_RESTORE_KITS: setting(
    'Whether a restore kit is prepared after each decode (on), or only on request (off).',
    'on',
  ),
  RECODERY_AUDIT_DAYS: setting('Days that the audit trail is kept. At least 30.', '400'),
  RECODERY_BACKUP_DIR: setting(
    'Existing folder for backups that are made in the browser or by its schedule, and for "recodery backup" without a folder. Best on another disk. All portals need the same folder.',
  ),
  RECODERY_LINKS: setting(
    'Your own addresses for the links on the pages, separated by spaces: dealer, dashboard, userGuide, privacy, cookies, terms, legal, support, such as terms=https://example.org/{language}/terms. By default, userGuide, privacy, cookies and legal link to the built-in guide, and the others are hidden. In demo mode, terms links to a sample text.',
  ),
  RECODERY_TERMS_DIR: setting(
    'Folder with the text of your terms of use, one Markdown file per language, such as en.md and it.md. The pages link to it.',
  ),
  RECODERY_TERMS_VERSION: setting(
    'Version of your terms of use, such as a date. If you change it, every user is asked to accept the terms again.',
    '2026-11',
  ),
  RECODERY_TERMS_ARTICLES: setting(
    'Articles of your terms of use that users accept expressly, separated by commas, or none.',
    '5, 6, 7, 8, 9, 10, 12, 14, 15',
  ),
  RECODERY_COMPANY: setting(
    'Company lines in the footer of the pages after sign-in, separated by |, such as Acme Ltd, 1 High Street, Leeds|VAT GB123456789. Default: the license of Recodery.',
  ),
  RECODERY_STOP_DELAY_SECONDS: setting(
    'Seconds that a portal continues to serve requests after it is told to stop, while /readyz returns 503, so that load balancers choose another one.',
    '0',
  ),
  RECODERY_STOP_PATIENCE_SECONDS: setting(
    'Seconds that requests in progress, such as uploads, may take after that.',
    '5',
  ),
  RECODERY_METRICS_PORT: setting(
    'Port of the metrics for Prometheus. Default: metrics are not served.',
  ),
  RECODERY_METRICS_HOST: setting(
    'Address that the metrics are served at. The metrics are not protected by a password: use an address inside your own network.',
    '127.0.0.1',
  ),
  RECODERY_UPDATES_URL: setting(
    'Address of a JSON document that names the newest version ("version" or "tag_name"), asked once a day. Default: none, so that nothing is asked.',
  ),
  RECODERY_OPERATOR_FACTOR: setting(
    'Whether operators need a passkey or an authenticator app for the administration: on, off, or auto (on, except on loopback and with an external sign-in provider, which decides this for its users). Demo accounts are exempt.',
    'auto',
  ),
  RECODERY_DEMO: setting(
    'Demo workspace with known passwords: on, off, or auto (only embedded, only on loopback).',
    'auto',
  ),
} satisfies Record<string, Setting>;

/** The name of a setting. */
export type SettingName = keyof typeof settings;

/** What to tell an operator about a name that is not a setting. */
export function describeUnknown(name: string): string {
  return `${name} is not a setting, and has no effect. Check its spelling: .env.example lists all settings.`;
}

/** The line about own terms whose articles are not named; null: they are, or there are no own terms. */
export function describeUnnamedArticles({
  folder,
  articles,
  areArticlesNamed,
}: {
  readonly folder: string | null;
  readonly articles: readonly string[];
  readonly areArticlesNamed: boolean;
}): string | null {
  if (folder === null || areArticlesNamed) return null;
  return `RECODERY_TERMS_DIR is set without RECODERY_TERMS_ARTICLES, so users are asked to accept articles ${articles.join(', ')} expressly. Set it to the articles of your text, or to none.`;
}
