/** The input and output files of an operation, for the operations log. */
import type { JsonObject } from '../../operations/operation-rules.ts';
import {
  readDecodeFacts,
  readDecodeRequest,
  readEncodeFacts,
  readEncodeRequest,
} from './stored-result.ts';

/** The guids of an operation's files, without the sealed read of an encode, which the line of its decode lists. */
export interface LogFiles {
  readonly given: readonly string[];
  readonly made: readonly string[];
}

/** The files of an operation, from its row; `result` is null until it has succeeded. */
export function listLogFiles(request: JsonObject, result: JsonObject | null): LogFiles {
  if (request['kind'] !== 'encode') {
    const { readFileGuid } = readDecodeRequest(request);
    const components = result === null ? [] : readDecodeFacts(result).components;
    return { given: [readFileGuid], made: components.map(({ fileGuid }) => fileGuid) };
  }
  const { modified, originalFileGuid } = readEncodeRequest(request);
  return {
    given: [
      ...modified.map(({ fileGuid }) => fileGuid),
      ...(originalFileGuid === null ? [] : [originalFileGuid]),
    ],
    made: result === null ? [] : [readEncodeFacts(result).fileGuid],
  };
}
