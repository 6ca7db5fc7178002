/** What others may know of an operation that has ended: what came of it to download, and whom it is to be sent to. */
import type { JsonObject, OperationRow } from '../operations/operation-rules.ts';
import { componentsFileName } from '../slots/send-components.ts';
import {
  type DecodeFacts,
  type NotificationInfo,
  readDecodeFacts,
  readEncodeFacts,
  readEncodeRequest,
} from './outcome.ts';

/** A file that an operation brought forth, or all components of its slot. */
export interface FinishedTarget {
  readonly kind: 'file' | 'components';
  /** null for the components, which are packed when they are asked for. */
  readonly fileGuid: string | null;
  readonly fileName: string;
}

export interface FinishedOperation {
  readonly isEncode: boolean;
  /** null where the operation failed, or the read held no image. */
  readonly target: FinishedTarget | null;
  readonly notificationInfo: NotificationInfo | null;
}

/** Describes an operation that has ended. */
export function describeFinished({ request, result }: OperationRow): FinishedOperation {
  if (request['kind'] !== 'encode') {
    const target = result === null ? null : decodedTarget(readDecodeFacts(result));
    return { isEncode: false, target, notificationInfo: null };
  }
  const { notificationInfo } = readEncodeRequest(request);
  return { isEncode: true, target: encodedTarget(result), notificationInfo };
}

/** The address that an encode's file is to be sent to; null of a decode, and of an encode that is sent to no one by email. */
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
