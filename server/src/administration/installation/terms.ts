/** The versions of the terms of use, and who has accepted them, as resources of the administration. */
import type { AnyValues } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { zeroGuid } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import type { Config } from '../../config/config.ts';
import { lockDirectory } from '../../organisations/directory/directory.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { type Acceptance, countAcceptances, listAcceptances } from '../../sign-in/terms.ts';
import {
  addTermsDraft,
  changeTermsDraft,
  listTermsVersions,
  publishTermsDraft,
  removeTermsDraft,
  type TermsDraft,
  type TermsTexts,
} from '../../sign-in/terms-versions.ts';
import type { KeptStore } from '../records/kept-records.ts';
import { readKept } from '../records/kept-records.ts';
import type { PagedStore } from '../records/paged-records.ts';
import type { ActionOutcome } from '../records/records.ts';
import { refuseFields, textIn, textsIn, type Values } from '../records/resource-store.ts';

/** The terms of the environment, and their texts. */
export interface TermsDeps {
  readonly terms: Pick<Config['terms'], 'version' | 'articles' | 'variables'>;
  readonly ownTexts: TermsTexts;
}

const languages = Object.entries(resources.terms.fields).flatMap(([name, { kind }]) =>
  kind === 'markdown' ? [name] : [],
);

const textFields = (texts: TermsTexts): Values =>
  Object.fromEntries(languages.map((language) => [language, texts[language] ?? null]));

/** The terms that apply unless operators have published others, as the record that no one can change. */
function configuredValues({ terms, ownTexts }: TermsDeps, isCurrent: boolean): Values {
  const { version, articles, variables } = terms;
  return {
    version,
    state: isCurrent ? 'current' : 'former',
    source: variables.length > 0 ? 'environment' : 'default',
    variables,
    publishedOn: null,
    asksAgain: true,
    articles: [...articles],
    ...textFields(ownTexts),
  };
}

async function readTerms(db: Db, deps: TermsDeps): Promise<ReadonlyMap<string, Values>> {
  const versions = await listTermsVersions(db);
  const counts = await countAcceptances(db);
  const isFromEnvironment = deps.terms.variables.length > 0;
  const current = isFromEnvironment
    ? undefined
    : versions.find(({ publishedOn }) => publishedOn !== null)?.guid;
  const records = versions.map(
    ({ guid, version, articles, texts, asksAgain, publishedOn }): readonly [string, Values] => [
      guid,
      {
        version,
        state: publishedOn === null ? 'draft' : guid === current ? 'current' : 'former',
        source: 'page',
        variables: [],
        publishedOn: publishedOn?.toISOString() ?? null,
        asksAgain,
        articles,
        ...textFields(texts),
      },
    ],
  );
  const configured = [zeroGuid, configuredValues(deps, current === undefined)] as const;
  return new Map(
    [configured, ...records].map(([guid, values]) => [
      guid,
      { ...values, acceptances: counts.get(String(values['version'])) ?? 0 },
    ]),
  );
}

/** The draft of a form without errors. */
function draftOf(values: AnyValues): TermsDraft {
  const texts = languages.flatMap((language) => {
    const text = textIn(values, language).replaceAll('\r\n', '\n');
    return text === '' ? [] : [[language, text] as const];
  });
  return {
    version: textIn(values, 'version'),
    articles: textsIn(values, 'articles'),
    texts: Object.fromEntries(texts),
    asksAgain: values['asksAgain'] === true,
  };
}

/** Refuses the name of a version that users have accepted: their acceptance would count for another text. */
async function requireUnused(trx: Db, { version }: TermsDraft): Promise<void> {
  if ((await countAcceptances(trx)).has(version)) refuseFields({ version: 'TAKEN' });
}

export function openTerms(deps: TermsDeps): KeptStore {
  return {
    declared: resources.terms,
    read: (db) => readTerms(db, deps),
    async create(trx, values) {
      const draft = draftOf(values);
      await requireUnused(trx, draft);
      return addTermsDraft(trx, draft);
    },
    async update(trx, guid, values) {
      const draft = draftOf(values);
      await requireUnused(trx, draft);
      await changeTermsDraft(trx, guid, draft);
    },
    async remove(trx, guid) {
      await removeTermsDraft(trx, guid);
      return {};
    },
  };
}

/** A name that no version has: the present one with a number. */
function nextVersion(version: string, taken: ReadonlySet<string>): string {
  const base = version.slice(0, 90);
  let number = 2;
  while (taken.has(`${base} (${number})`)) number += 1;
  return `${base} (${number})`;
}

async function copy(trx: Db, deps: TermsDeps, values: Values): Promise<string> {
  const versions = await readTerms(trx, deps);
  const taken = new Set([...versions.values()].map(({ version }) => String(version)));
  for (const version of (await countAcceptances(trx)).keys()) taken.add(version);
  const version = nextVersion(String(values['version']), taken);
  return addTermsDraft(trx, { ...draftOf(values), version, asksAgain: true });
}

/** Why a draft cannot be published. @throws {Refusal} FIELDS_NOT_ACCEPTED */
function requirePublishable({ terms }: TermsDeps, values: Values): void {
  if (values['state'] !== 'draft') refuseFields({ version: 'FIXED' });
  if (terms.variables.length > 0) refuseFields({ version: 'FROM_ENVIRONMENT' });
  if (languages.every((language) => values[language] === null)) refuseFields({ en: 'NO_TEXT' });
}

/** Publishes a draft, or copies a version. @throws {Refusal} NOT_FOUND, FIELDS_NOT_ACCEPTED */
export function actOnTerms(
  db: Db,
  deps: TermsDeps,
  action: string,
  guid: string,
): Promise<ActionOutcome> {
  const store = openTerms(deps);
  return db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    const values = (await store.read(trx)).get(guid);
    if (values === undefined) throw new Refusal('NOT_FOUND');
    if (action === 'copy') {
      const item = await readKept(trx, store, await copy(trx, deps, values));
      return { item, link: null, changes: { copied: [values['version'], item['version']] } };
    }
    if (action !== 'publish') throw new Refusal('NOT_FOUND');
    requirePublishable(deps, values);
    await requireUnused(trx, draftOf(values));
    await publishTermsDraft(trx, guid);
    const item = await readKept(trx, store, guid);
    const { version, asksAgain } = values;
    return { item, link: null, changes: { version, asksAgain, state: ['draft', item['state']] } };
  });
}

const acceptanceValues = ({ guid: _guid, acceptedOn, ...rest }: Acceptance): Values => ({
  ...rest,
  acceptedOn: acceptedOn.toISOString(),
});

export const acceptanceStore: PagedStore = {
  declared: resources.acceptances,
  async list(db, { words, ...page }) {
    const found = await listAcceptances(db, { words }, page);
    const records = found.map((one) => [one.guid, acceptanceValues(one)] as const);
    return { records, searchedTo: null };
  },
  async find(db, guid) {
    const [found] = await listAcceptances(db, { guid }, { isDescending: true, count: 1 });
    return found === undefined ? null : acceptanceValues(found);
  },
};
