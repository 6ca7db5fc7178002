/** Reads from a finished operation what other features need: the download, and the recipient of the email. */
import type {
  FinishedOperation,
  FinishedTarget,
  JsonObject,
  OperationRow,
} from '../../operations/operation-rules.ts';
import { componentsFileName } from '@recodery/contract/file-names';
import {
  type DecodeFacts,
  readDecodeFacts,
  readEncodeFacts,
  readEncodeRequest,
} from './stored-result.ts';

/** Describes a finished operation. */
export function describeFinished({ request, result }: OperationRow): FinishedOperation {
  if (request['kind'] !== 'encode') {
    const target = result === null ? null : decodedTarget(readDecodeFacts(result));
    return { isEncode: false, target, notificationInfo: null };
  }
  const { notificationInfo } = readEncodeRequest(request);
  return { isEncode: true, target: encodedTarget(result), notificationInfo };
}

/**
 * The email address that an encode's file is to be sent to; null for a decode, and for an encode without an email
 * recipient.
 */
export function findRecipient({ request }: Pick<OperationRow, 'request'>): string | null {
  if (request['kind'] !== 'encode') return null;
  return readEncodeRequest(request).notificationInfo?.email ?? null;
}

function encodedTarget(result: JsonObject | null): FinishedTarget | null {
  if (result === null) return null;
  const { fileGuid, name } = readEncodeFacts(result);
  return { kind: 'file', fileGuid, fileName: name };
}

function decodedTarget({ isOneImage, components }: DecodeFacts): FinishedTarget | null {
  const [first] = components;
  if (first === undefined) return null;
  return isOneImage
    ? { kind: 'file', fileGuid: first.fileGuid, fileName: first.name }
    : { kind: 'components', fileGuid: null, fileName: componentsFileName };
}
