/** Every RECODERY_* name that the program knows, with its default and purpose, as in `.env.example`. */

/** A setting as operators see it. `shown` is the default as written in `.env.example`, empty when there is none. */
export interface Setting {
  readonly shown: string;
  readonly about: string;
}

/** All settings, in the order of `.env.example`. */
export const settings = {
  RECODERY_PORT: { shown: '8080', about: 'Port of the portal.' },
  RECODERY_HOST: { shown: '127.0.0.1', about: 'Address that the portal listens on.' },
  RECODERY_PUBLIC_URL: {
    shown: '',
    about:
      'Address that browsers use, and the only source of links. None: http://localhost:PORT. Must be https unless it is loopback.',
  },
  RECODERY_DATA_DIR: {
    shown: './data',
    about: 'Folder of the embedded database, stored files, secret and outbox.',
  },
  RECODERY_DATABASE_URL: {
    shown: '',
    about:
      'PostgreSQL 15 or later (postgresql://…), in session mode: LISTEN must work. None: the embedded server.',
  },
  RECODERY_STORAGE_URL: {
    shown: '',
    about:
      'file:/folder or s3://bucket/prefix?endpoint=…&region=… (keys: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY). None: the folder files/ in the data folder.',
  },
  RECODERY_ROLES: { shown: 'portal,worker', about: 'What this process does: portal, worker.' },
  RECODERY_OIDC_ISSUER: {
    shown: '',
    about: 'OpenID Connect provider. None: the embedded one.',
  },
  RECODERY_OIDC_CLIENT_ID: { shown: '', about: 'Our name at that provider.' },
  RECODERY_OIDC_CLIENT_SECRET: { shown: '', about: 'Our secret at that provider.' },
  RECODERY_SMTP_URL: {
    shown: '',
    about: 'Mail server, smtp:// or smtps://. None: every mail is kept in outbox/ as .eml.',
  },
  RECODERY_MAIL_FROM: {
    shown: '',
    about: 'Sender of mails, such as Recodery <portal@example.org>. Needed with a mail server.',
  },
  RECODERY_SECRET: {
    shown: '',
    about:
      'Wraps the keys kept in the database; at least 16 characters. The embedded database makes one, in the data folder.',
  },
  RECODERY_SECRET_FILE: { shown: '', about: 'File that holds the secret, instead.' },
  RECODERY_TRUSTED_PROXIES: {
    shown: '',
    about:
      'Addresses or networks of reverse proxies, by comma, such as 127.0.0.1, 10.1.0.0/16: their X-Forwarded-For is believed.',
  },
  RECODERY_ENGINES: { shown: '', about: 'Engine processes. None: cores − 1, at least 1.' },
  RECODERY_PARALLEL_OPERATIONS: {
    shown: '3',
    about: 'Operations of an organisation at the same time.',
  },
  RECODERY_ORGANISATION_GIB: { shown: '20', about: 'Storage of an organisation, in GiB.' },
  RECODERY_MAX_FILE_MIB: { shown: '64', about: 'Largest upload, in MiB.' },
  RECODERY_RETENTION_DAYS: {
    shown: '30',
    about: 'Days that slots and files are kept; at least 10.',
  },
  RECODERY_LINKS: {
    shown: '',
    about:
      'Own addresses for the links of the pages, parted by spaces: dealer, dashboard, userGuide, privacy, cookies, terms, legal, support, such as terms=https://example.org/{language}/terms. Without one, userGuide, privacy, cookies and legal lead to the built-in guide; the others are not shown.',
  },
  RECODERY_COMPANY: {
    shown: '',
    about:
      'Company lines at the foot of the pages behind the sign-in, parted by |, such as Acme Ltd, 1 High Street, Leeds|VAT GB123456789. None: the licence of Recodery.',
  },
  RECODERY_DEMO: {
    shown: 'auto',
    about:
      'Demo workspace with known passwords: on, off, or auto (only embedded, only on loopback).',
  },
} as const satisfies Record<string, Setting>;

/** The name of a setting. */
export type SettingName = keyof typeof settings;
