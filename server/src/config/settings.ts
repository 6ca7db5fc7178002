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
    'Address that browsers use, and the only source of links. None: http://localhost:PORT. Must be https unless it is loopback.',
  ),
  RECODERY_DATA_DIR: setting(
    'Folder of the embedded database, stored files, secret and outbox.',
    './data',
  ),
  RECODERY_DATABASE_URL: setting(
    'PostgreSQL 15 or later (postgresql://…), in session mode: LISTEN must work. None: the embedded server.',
  ),
  RECODERY_STORAGE_URL: setting(
    'file:/folder or s3://bucket/prefix?endpoint=…&region=… (keys: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY). None: the folder files/ in the data folder.',
  ),
  RECODERY_ROLES: setting('What this process does: portal, worker.', 'portal,worker'),
  RECODERY_OIDC_ISSUER: setting('OpenID Connect provider. None: the embedded one.'),
  RECODERY_OIDC_CLIENT_ID: setting('Our name at that provider.'),
  RECODERY_OIDC_CLIENT_SECRET: setting('Our secret at that provider.'),
  RECODERY_SMTP_URL: setting(
    'Mail server, smtp:// or smtps://. None: every mail is kept in outbox/ as .eml.',
  ),
  RECODERY_MAIL_FROM: setting(
    'Sender of mails, such as Recodery <portal@example.org>. Needed with a mail server.',
  ),
  RECODERY_SECRET: setting(
    'Wraps the keys kept in the database; at least 16 characters. The embedded database makes one, in the data folder.',
  ),
  RECODERY_SECRET_FILE: setting('File that holds the secret, instead.'),
  RECODERY_TRUSTED_PROXIES: setting(
    'Addresses or networks of reverse proxies, by comma, such as 127.0.0.1, 10.1.0.0/16: their X-Forwarded-For is believed.',
  ),
  RECODERY_ENGINES: setting('Engine processes. None: cores − 1, at least 1.'),
  RECODERY_PARALLEL_OPERATIONS: setting('Operations of an organisation at the same time.', '3'),
  RECODERY_ORGANISATION_GIB: setting('Storage of an organisation, in GiB.', '20'),
  RECODERY_MAX_FILE_MIB: setting('Largest upload, in MiB.', '64'),
  RECODERY_RETENTION_DAYS: setting('Days that slots and files are kept; at least 10.', '30'),
  RECODERY_LINKS: setting(
    'Own addresses for the links of the pages, parted by spaces: dealer, dashboard, userGuide, privacy, cookies, terms, legal, support, such as terms=https://example.org/{language}/terms. Without one, userGuide, privacy, cookies and legal lead to the built-in guide; the others are not shown.',
  ),
  RECODERY_COMPANY: setting(
    'Company lines at the foot of the pages behind the sign-in, parted by |, such as Acme Ltd, 1 High Street, Leeds|VAT GB123456789. None: the licence of Recodery.',
  ),
  RECODERY_DEMO: setting(
    'Demo workspace with known passwords: on, off, or auto (only embedded, only on loopback).',
    'auto',
  ),
} satisfies Record<string, Setting>;

/** The name of a setting. */
export type SettingName = keyof typeof settings;
