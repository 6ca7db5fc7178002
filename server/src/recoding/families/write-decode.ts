/** Writes the result of a decode in the names of its family. */
import { labelRead } from '@recodery/codec/families/registry';
import { writeResults } from '@recodery/contract/family-routes/registry';
import type { DecodedFileView } from '@recodery/contract/family-routes/calls';
import { componentTypeOf, type Family } from '@recodery/contract/families/registry';
import { componentsFileName } from '@recodery/contract/file-names';
import type { JsonObject } from '../../operations/operation-rules.ts';
import type { Addresses } from '../results/result-response.ts';
import type { DecodedFile, DecodeFacts } from '../results/stored-result.ts';

/** The fields that every family shows of a decode. */
function writeShared(family: Family, facts: DecodeFacts, addresses: Addresses) {
  return {
    name: facts.name,
    readFileName: facts.readFileName,
    readFileSize: facts.readFileSize ?? null,
    idFileURL: facts.idFile && addresses.file(facts.idFile.fileGuid),
    idFileName: facts.idFile?.name ?? null,
    information: labelRead(family, facts),
    checksumRules: facts.checksumRules,
    warnings: [...facts.warnings],
  };
}

/** What a family shows of a decode. */
export function writeDecode(
  family: Family,
  facts: DecodeFacts,
  slotGuid: string,
  addresses: Addresses,
): JsonObject {
  const view = (file: DecodedFile): DecodedFileView & { size: number } => ({
    url: addresses.file(file.fileGuid),
    name: file.name,
    size: file.size,
    recognition: file.recognition ?? null,
  });
  const [first] = facts.components;
  const components = facts.components.flatMap((decoded) => {
    const type = componentTypeOf(family, decoded.component);
    return type === null ? [] : [{ type, ...view(decoded) }];
  });
  return {
    ...writeShared(family, facts, addresses),
    ...writeResults[family]({
      slotGUID: slotGuid,
      isOneImage: facts.isOneImage,
      image: facts.isOneImage && first !== undefined ? view(first) : null,
      zip: { url: addresses.zip, name: componentsFileName },
      components,
      wasOriginalFileFoundThroughVirtualReading: facts.wasOriginalFileFound,
      isOriginalFileNeeded: facts.isOriginalFileNeeded,
      isChecksumCorrectionNeeded: facts.isChecksumCorrectionNeeded,
      isCVNCorrectionPossible: facts.isCVNCorrectionPossible,
    }),
  };
}
