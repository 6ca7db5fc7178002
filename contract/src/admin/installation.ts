/** The resources that set up the installation itself, rather than what it works with. */
import { resource } from './resource.ts';

/** The text in one language; readers of a language without a text get the English one, or another. */
const termsText = { kind: 'markdown', edit: 'always', most: 60_000 } as const;

/** The versions of the terms of use: what is published stays as it was accepted. */
export const terms = resource({
  name: 'terms',
  path: '/api/admin/terms',
  role: 'operator',
  title: 'version',
  fields: {
    version: { kind: 'text', edit: 'always', required: true, isUnique: true, most: 100 },
    state: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['draft', 'current', 'former'],
    },
    /** Where the version comes from; `environment`: the settings of the portal, which then decide. */
    source: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['page', 'environment', 'default'],
    },
    /** The names of the settings that decide. */
    variables: { kind: 'list', edit: 'never' },
    publishedOn: { kind: 'time', edit: 'never' },
    acceptances: { kind: 'number', edit: 'never', required: true },
    /** Off: users who have accepted the version before are not asked. */
    asksAgain: { kind: 'switch', edit: 'always' },
    /** The articles that users accept expressly. */
    articles: { kind: 'list', edit: 'always', isOrdered: true, most: 50 },
    en: termsText,
    it: termsText,
    de: termsText,
    fr: termsText,
    es: termsText,
    pt: termsText,
    pl: termsText,
    ru: termsText,
    zh: termsText,
  },
  columns: ['version', 'state', 'publishedOn', 'acceptances', 'source'],
  search: ['version'],
  sort: '-publishedOn',
  can: { create: true, update: true, remove: true },
  /** `publish` puts a draft in force; `copy` adds a draft with the same content. */
  actions: ['publish', 'copy'],
  offered: {
    publish: { field: 'state', is: ['draft'] },
    copy: { field: 'state', is: ['current', 'former'] },
  },
  fixed: { field: 'state', is: ['current', 'former'] },
});

/** Who has accepted which version of the terms of use, and when. */
export const acceptances = resource({
  name: 'acceptances',
  path: '/api/admin/acceptances',
  role: 'operator',
  title: 'email',
  fields: {
    email: { kind: 'email', edit: 'never', required: true },
    name: { kind: 'text', edit: 'never', required: true },
    version: { kind: 'text', edit: 'never', required: true },
    acceptedOn: { kind: 'time', edit: 'never', required: true },
  },
  columns: ['email', 'name', 'version', 'acceptedOn'],
  search: ['email', 'name', 'version'],
  sort: '-acceptedOn',
  sortable: ['acceptedOn'],
  isEndless: true,
  can: {},
  actions: [],
});

/** The settings of the installation, each with its value and where that comes from. */
export const installationSettings = resource({
  name: 'settings',
  path: '/api/admin/settings',
  role: 'operator',
  title: 'name',
  fields: {
    /** Of the environment variable, or of a setting that is changed here. */
    name: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: [
        'productName',
        'logo',
        'companyLines',
        'link.dealer',
        'link.dashboard',
        'link.userGuide',
        'link.privacy',
        'link.cookies',
        'link.legal',
        'link.support',
      ],
    },
    /** Of secrets, only dots. */
    value: {
      kind: 'text',
      edit: 'always',
      most: 500,
      when: { field: 'type', is: ['text', 'link', 'fixed', 'secret'] },
    },
    lines: {
      kind: 'list',
      edit: 'always',
      isOrdered: true,
      when: { field: 'type', is: ['lines'] },
    },
    image: {
      kind: 'image',
      edit: 'always',
      most: 131_072,
      when: { field: 'type', is: ['image'] },
    },
    source: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['page', 'environment', 'default'],
    },
    variable: { kind: 'text', edit: 'never' },
    /** In English. */
    about: { kind: 'text', edit: 'never' },
    type: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['text', 'link', 'lines', 'image', 'fixed', 'secret'],
      isHidden: true,
    },
    isEditable: { kind: 'switch', edit: 'never', isHidden: true },
  },
  columns: ['name', 'value', 'source', 'variable'],
  search: ['name', 'value', 'variable', 'about'],
  isSearchedAsShown: true,
  sort: 'name',
  can: { update: true },
  actions: [],
  fixed: { field: 'isEditable', is: ['false'] },
});

/** The keys of the installation by their purpose, without their values. */
export const keys = resource({
  name: 'keys',
  path: '/api/admin/keys',
  role: 'operator',
  title: 'purpose',
  fields: {
    purpose: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: [
        'session',
        'ticket',
        'invitation',
        'share',
        'receipt',
        'cookie',
        'provider',
        'proof',
        'master',
      ],
    },
    /** Of the newest key. */
    createdOn: { kind: 'time', edit: 'never', required: true },
    /** A year later, if the keys can be renewed. */
    renewOn: { kind: 'time', edit: 'never' },
    valid: { kind: 'number', edit: 'never', required: true },
    retired: { kind: 'number', edit: 'never', required: true },
    care: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['renew', 'replace', 'stay'],
      isHidden: true,
    },
  },
  columns: ['purpose', 'createdOn', 'renewOn', 'valid', 'retired'],
  search: ['purpose'],
  isSearchedAsShown: true,
  sort: 'purpose',
  can: {},
  /** `replace` also retires the present keys. */
  actions: ['renew', 'replace'],
  offered: {
    renew: { field: 'care', is: ['renew'] },
    replace: { field: 'care', is: ['renew', 'replace'] },
  },
  /** `rotate` replaces the secret that encrypts all keys. */
  tasks: ['renewAll', 'rotate'],
  confirmedActions: ['renew', 'replace', 'renewAll', 'rotate'],
});
