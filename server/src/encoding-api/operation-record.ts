/** Describes an operation as the Encoding API shows it. */
import type { ApiDecode, EncodingApiFamily } from '@recodery/contract/families/encoding-api-family';
import {
  type OperationRecord,
  recommendedPollingInterval,
  statusNumbers,
} from '@recodery/contract/encoding-api/operations';
import { encodingApiCallsOf } from '@recodery/contract/encoding-api/routes';
import { pathOf } from '@recodery/contract/api';
import { modes } from '@recodery/contract/families/family';
import { type Family, typesOf } from '@recodery/contract/families/registry';
import { findSealEnd } from '@recodery/contract/families/sealing';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { operationErrorOf, type OperationRow } from '../operations/operation-rules.ts';
import { markOf, readDecodeFacts, readEncodeFacts } from '../recoding/results/stored-result.ts';

/** A time as the Encoding API writes it: UTC without a zone, seven digits of the second. */
export function writeTime(time: Date): string {
  return time.toISOString().replace(/Z$/, '0000');
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Milliseconds as `hh:mm:ss.fffffff`. */
export function writeDuration(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds));
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const rest = String(total % second).padStart(3, '0');
  return `${two(total / hour)}:${two((total % hour) / minute)}:${two((total % minute) / second)}.${rest}0000`;
}

/**
 * The record of an operation. `base` is the base address under which the client calls, without a slash at its end; the
 * addresses in the result begin with it.
 */
export function describeRecord(row: OperationRow, base: string): OperationRecord {
  const isSuccessful = row.status === 'succeeded';
  const hasFailed = row.status === 'failed';
  const error = operationErrorOf(row);
  const { createdOn, completedOn } = row;
  return {
    guid: row.guid,
    clientApplicationGUID: row.clientGuid,
    asyncOperationType: numberOf(row),
    slotGUID: row.slotGuid,
    status: statusNumbers[row.status],
    isCompleted: isSuccessful || hasFailed,
    recommendedPollingInterval,
    startedOn: writeTime(createdOn),
    completedOn: completedOn && writeTime(completedOn),
    duration: completedOn && writeDuration(completedOn.getTime() - createdOn.getTime()),
    isSuccessful,
    hasFailed,
    result: isSuccessful ? describeResult(row, base) : null,
    error: error && { errorName: error.errorName, detail: error.detail },
    additionalInfo: null,
    userInfo: row.userInfo,
    callbackURL: row.callbackUrl,
  };
}

/** The number of an operation's type. */
function numberOf({ family, type, request }: OperationRow): number {
  const { decodeNumber, encodes } = encodingApiOf(family);
  if (type === typesOf(family).decode) return decodeNumber;
  const mode = modes.find((one) => one === request['mode']);
  const declared = mode === undefined ? undefined : encodes[mode];
  if (declared === undefined) throw new Error(`${family} has no encode of ${String(mode)}`);
  return declared.operationNumber;
}

function describeResult(row: OperationRow, base: string): Readonly<Record<string, unknown>> {
  const { family, slotGuid, result } = row;
  const api = encodingApiOf(family);
  const addressOf = (fileGUID: string): string =>
    base + pathOf(encodingApiCallsOf(family).getFile, { slot: slotGuid, fileGUID });
  return {
    ...(result?.['kind'] === 'encode'
      ? describeEncode(api, row, addressOf)
      : api.describeDecode(readDecode(row, addressOf))),
    ...markOf(result ?? {}),
  };
}

function describeEncode(
  { slotField, encodedFileField }: EncodingApiFamily,
  { family, slotGuid, result }: OperationRow,
  addressOf: (fileGuid: string) => string,
): Readonly<Record<string, unknown>> {
  const { name, fileGuid, sealedOn } = readEncodeFacts(result);
  return {
    [slotField]: slotGuid,
    [encodedFileField]: fileGuid,
    name,
    encodedFileURL: addressOf(fileGuid),
    ...(sealedOn === undefined ? {} : describeSeal(family, new Date(sealedOn))),
  };
}

function describeSeal(family: Family, sealedOn: Date) {
  const end = findSealEnd(family, sealedOn);
  return { sealedOn: writeTime(sealedOn), expiresOn: end && writeTime(end) };
}

function readDecode(
  { slotGuid, result }: OperationRow,
  addressOf: (fileGuid: string) => string,
): ApiDecode {
  const facts = readDecodeFacts(result);
  const { name, mode, isCVNCorrectionPossible, components } = facts;
  return {
    slotGUID: slotGuid,
    name,
    mode,
    isCVNCorrectionPossible,
    isChecksumCorrectionNeeded: facts.isOneImage && facts.isChecksumCorrectionNeeded,
    components: components.map(({ component, fileGuid }) => ({
      component,
      url: addressOf(fileGuid),
    })),
  };
}
