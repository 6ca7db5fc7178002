/** The matrix's rows for the administration: only operators can call it. */
import { adminRouteNames } from '@recodery/contract/admin/resource-routes';
import { foreign, type Own, type Row, same } from './rows.ts';

const unknown = '01900000-0000-7000-8000-00000000beef';

/** What a new record of each resource contains. */
const created: Readonly<Record<string, object>> = {
  adminOrganisations: { customerCode: 'CC-9009', name: 'New', culture: 'it-IT' },
  adminUsers: { email: 'new@demo.test', name: 'New' },
  adminMasters: {
    family: 'kess3',
    serial: 'KS3-M-9009',
    customerCode: 'CC-1001',
    groupCode: 'G-10',
    engine: 'built-in',
  },
  adminSlaves: { family: 'kess3', serial: 'KS3-009009', masterSerial: 'KS3-M-0001' },
  adminMessages: { language: 'en', text: 'Hello', shownTo: '2030-01-01T00:00:00.000Z' },
  adminEngines: { name: 'new', kind: 'bflash', secret: 'token' },
  adminTerms: { version: '2027-01', articles: [], asksAgain: true, en: '# Terms' },
};

/** The resources whose records are those of organisations. */
const ofOrganisations: ReadonlySet<string> = new Set(['adminOrganisations', 'adminStorage']);

/** The calls of a resource. Only the organisation's record exists; the others are not found. */
function rowsOf(resource: string): Readonly<Record<string, Row>> {
  const found = ofOrganisations.has(resource);
  const guidOf = (own: Own) => (found ? own.organisation : unknown);
  const ofRecord = (answer: string): Pick<Row, 'by' | 'granted' | 'accepts'> => ({
    by: 'operator',
    granted: found ? answer : '404 NOT_FOUND',
    // an invitation has the GUID of its user
    ...(resource === 'adminUsers' ? { accepts: ['invitation'] } : {}),
  });
  return {
    list: { ask: () => ({ query: { search: 'CC', count: '1' } }), by: 'operator' },
    create: { ask: () => ({ body: created[resource] }), by: 'operator' },
    read: { ask: (own) => ({ params: { guid: guidOf(own) } }), ...ofRecord('200') },
    update: {
      // of a revision that the record does not have: nothing is changed
      ask: (own) => ({ params: { guid: guidOf(own) }, headers: { 'if-match': '"0"' } }),
      ...ofRecord('412 RECORD_CHANGED'),
    },
    // an organisation in use
    remove: {
      ask: (own) => ({ params: { guid: guidOf(own) } }),
      ...ofRecord('400 FIELDS_NOT_ACCEPTED'),
    },
    // changes nothing: the organisation is not archived
    act: {
      ask: (own) => ({ params: { guid: guidOf(own), action: 'restore' } }),
      ...ofRecord('200'),
    },
    // no resource has this task
    perform: {
      ask: () => ({ params: { task: 'none' } }),
      by: 'operator',
      granted: '404 NOT_FOUND',
    },
    download: {
      ask: (own) => ({ params: { guid: guidOf(own) } }),
      by: 'operator',
      granted: '404 NOT_FOUND',
    },
    // without a protocol: nothing is added
    createFrom: {
      ask: () => ({ file: Buffer.from('image') }),
      by: 'operator',
      granted: '400 FIELDS_NOT_ACCEPTED',
    },
    replace: {
      ask: (own) => ({
        params: { guid: guidOf(own) },
        headers: { 'if-match': '"0"' },
        file: Buffer.from('image'),
      }),
      by: 'operator',
      granted: '404 NOT_FOUND',
    },
    exportCsv: { ask: () => ({ query: { search: 'nothing' } }), by: 'operator' },
    exportLines: { ask: () => ({ query: { search: 'nothing' } }), by: 'operator' },
  };
}

/** The calls for a person of the organisation, whom its managers administer: the invited one. */
const ofPerson = { accepts: ['invitation'] } as const;
const people: Readonly<Record<string, Row>> = {
  list: {
    ask: () => ({ query: { search: 'guest', count: '1' } }),
    answers: same([...foreign, 'otherParty'], '200'),
  },
  read: { ask: ({ invitation }) => ({ params: { guid: invitation } }), ...ofPerson },
  update: {
    ask: ({ invitation }) => ({ params: { guid: invitation }, headers: { 'if-match': '"0"' } }),
    ...ofPerson,
    granted: '412 RECORD_CHANGED',
  },
  remove: {
    ask: ({ invitation }) => ({ params: { guid: invitation } }),
    ...ofPerson,
    isLast: true,
  },
  act: {
    ask: ({ invitation }) => ({ params: { guid: invitation, action: 'signOut' } }),
    ...ofPerson,
  },
};

/** What operators see of the whole installation. */
const ofInstallation: Readonly<Record<string, Row>> = {
  'overview.getOverview': { ask: () => ({}), by: 'operator' },
  'overview.getChangelog': { ask: () => ({}), by: 'operator' },
  'overview.getHealth': { ask: () => ({}), by: 'operator' },
  'directory.downloadDirectory': { ask: () => ({}), by: 'operator' },
  'directory.previewDirectory': {
    ask: () => ({ file: Buffer.from('organisations: []\n') }),
    by: 'operator',
  },
  // of another preview: nothing is changed
  'directory.applyDirectoryFile': {
    ask: () => ({ query: { plan: '0' }, file: Buffer.from('organisations: []\n') }),
    by: 'operator',
    granted: '412 RECORD_CHANGED',
  },
  'manySlaves.addSlaves': {
    ask: () => ({
      body: {
        family: 'kess3',
        masterSerial: 'KS3-M-0001',
        owner: null,
        list: ['KS3-009010'],
        isTrial: true,
      },
    }),
    by: 'operator',
  },
  'termsPreview.previewTerms': {
    ask: () => ({ body: { language: 'en', text: '# Terms' } }),
    by: 'operator',
  },
};

export const adminRows: Readonly<Record<string, Row>> = {
  ...ofInstallation,
  ...resourceRows(),
};

function resourceRows(): Readonly<Record<string, Row>> {
  return Object.fromEntries(
    Object.entries(adminRouteNames).flatMap(([resource, routes]) =>
      Object.keys(routes).map((name) => {
        const row = (resource === 'adminPeople' ? people : rowsOf(resource))[name];
        if (row === undefined) throw new Error(`${resource}.${name} has no row`);
        return [`${resource}.${name}`, row] as const;
      }),
    ),
  );
}
