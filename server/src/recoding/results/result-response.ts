/** Converts the result of an operation to the family's wire shape, with file URLs created for this response. */
import type { Family } from '@recodery/contract/families/registry';
import { describeSealing } from '@recodery/contract/families/sealing';
import type { EncodeResult } from '@recodery/contract/results';
import type { JsonObject, OperationRow } from '../../operations/operation-rules.ts';
import type { Doer } from '../../organisations/caller.ts';
import {
  type DecodeFacts,
  type EncodeFacts,
  markOf,
  readDecodeFacts,
  readEncodeFacts,
} from './stored-result.ts';

/** The URLs that a decode result can show. */
export interface Addresses {
  /** Of a file of the slot. */
  file(fileGuid: string): string;
  /** Of all components of the slot as a zip. */
  readonly zip: string;
}

export interface PresentDependencies {
  /** A download URL for a file, valid for an hour. */
  mintFileURL(bearer: Doer, fileGuid: string): Promise<string>;
  /** A download URL for all components of a slot, valid for an hour. */
  mintZipURL(bearer: Doer, family: Family, slotGuid: string): Promise<string>;
  /** What a family shows of a decode. */
  writeDecode(
    family: Family,
    facts: DecodeFacts,
    slotGuid: string,
    addresses: Addresses,
  ): JsonObject;
}

/** The wire shape of a succeeded operation's result, with addresses for a user or program of its organisation. */
export async function shapeResult(
  deps: PresentDependencies,
  operation: OperationRow,
  bearer: Doer,
): Promise<JsonObject> {
  const { result } = operation;
  if (result?.['kind'] === 'encode') {
    const facts = readEncodeFacts(result);
    const url = await deps.mintFileURL(bearer, facts.fileGuid);
    const seal = describeSealing(operation.family, facts.sealedOn);
    return { ...shapeEncode(facts, url), ...seal, ...markOf(facts) };
  }
  const facts = readDecodeFacts(result);
  return { ...(await shapeDecode(deps, operation, bearer, facts)), ...markOf(facts) };
}

function shapeEncode(facts: EncodeFacts, encodedFileURL: string): EncodeResult & JsonObject {
  const { name, fileGuid, size, sha256, receiptCode, correctedChecksums, corrections, warnings } =
    facts;
  return {
    name,
    encodedFileURL,
    fileGUID: fileGuid,
    size,
    sha256,
    receiptCode: receiptCode ?? null,
    correctedChecksums,
    ...(corrections === undefined
      ? {}
      : { corrections: corrections.map((one) => ({ ...one, parts: [...one.parts] })) }),
    warnings: [...warnings],
  };
}

async function shapeDecode(
  deps: PresentDependencies,
  { family, slotGuid }: OperationRow,
  bearer: Doer,
  facts: DecodeFacts,
): Promise<JsonObject> {
  const guids = [...(facts.idFile === null ? [] : [facts.idFile]), ...facts.components].map(
    ({ fileGuid }) => fileGuid,
  );
  const [zip, ...urls] = await Promise.all([
    deps.mintZipURL(bearer, family, slotGuid),
    ...guids.map((guid) => deps.mintFileURL(bearer, guid)),
  ]);
  const byGuid = new Map(guids.map((guid, index) => [guid, urls[index] ?? '']));
  const addresses = { zip, file: (guid: string) => byGuid.get(guid) ?? '' };
  return deps.writeDecode(family, facts, slotGuid, addresses);
}
