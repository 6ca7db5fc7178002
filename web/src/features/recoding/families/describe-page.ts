/** Describes a family's page: what the contract declares, the requests, and what only this page shows. */
import type { InformationWord } from '@recodery/contract/families/information';
import {
  definitionOf,
  type Family,
  findWorkflow,
  typesOf,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { FamilyCalls } from '@recodery/contract/family-routes/calls';
import { describePageCalls } from '@recodery/contract/family-routes/page-calls';
import type { PortalCalls } from '@recodery/contract/family-routes/portal-routes';
import { describeRequests } from './family-calls.ts';
import type { FamilyPage, InformationField, OwnPage, PageLook, ShownFacts } from './family-page.ts';
import { readDecode } from './read-result.ts';

/** The texts of a page without its own. */
const plainWords = {
  lead: 'recoding.lead',
  drop: 'recoding.drop',
  downloadDecoded: 'recoding.downloadDecoded',
  encode: 'recoding.encode',
  encodeAndSend: 'recoding.encodeAndSend',
} as const satisfies OwnPage['words'];

/** The page of a workflow without its own options. */
const plainPage = {
  refuses: {
    families: { kessv2: 'FILE_IS_KESSV2', ktag: 'FILE_IS_KTAG_BACKUP', kess3: 'FILE_IS_KESS3' },
    kind: 'INVALID_FILE',
    archive: 'FILE_IS_ZIP_ARCHIVE',
  },
  named: ['protocolName', 'protocol'],
  hasComponentsPopup: false,
  startsRemoved: [],
  offersDecodeSkip: () => false,
  offersEncodeSkip: () => false,
} as const satisfies Partial<OwnPage>;

/** How facts are displayed that are not a number or code. */
const displays: Readonly<Partial<Record<InformationWord, InformationField['as'] | null>>> = {
  mode: null,
  system: null,
  engine: null,
  checksum: 'check',
  serialNumber: 'slave',
  softwareDate: 'date',
};

/** What a page shows of a read: the family's fields, and those that identify it in a list. */
function describeFacts(family: Family, { panel, named }: OwnPage): ShownFacts {
  const fields = definitionOf(family).information;
  const namesOf = (...words: readonly InformationWord[]): string[] =>
    words.flatMap((word) => Object.keys(fields).filter((name) => fields[name] === word));
  const information = (panel ?? Object.keys(fields)).flatMap((name): InformationField[] => {
    const word = fields[name];
    if (word === undefined) return [];
    const as = displays[word] === undefined ? 'code' : displays[word];
    return [{ name, label: `recoding.information.${word}`, ...(as === null ? {} : { as }) }];
  });
  const identifying: (readonly InformationWord[])[] = [
    named,
    ['engine'],
    ['software'],
    ['vin'],
    ['serialNumber'],
  ];
  return { information, identifiedBy: identifying.map((words) => namesOf(...words)) };
}

/** The page of a workflow, with what it shows differently from others. */
export function describePage(id: Workflow, own: FamilyCalls, look: PageLook = {}): FamilyPage {
  const { family, readKind } = workflowOf(id);
  const { decode, encode } = typesOf(family);
  const utility = findWorkflow(family, { isUtility: true });
  // with the types of the server's routes, so that requests are typed; a page does not load their schemas
  const calls = describePageCalls(family, own) as unknown as PortalCalls;
  const page = { ...plainPage, ...look, words: { ...plainWords, ...look.words } };
  return {
    ...page,
    ...describeFacts(family, page),
    ...describeRequests(id, calls),
    readOf: (operation) => readDecode({ family, calls }, operation, page),
    id,
    family,
    decodes: decode,
    encodes: encode,
    utility: utility === id ? null : utility,
    encodedExtension: definitionOf(family).encodedFileExtension,
    opens: readKind,
  };
}
