/**
 * How the user gets files: automatically, once, when the operation they waited for finishes; otherwise by a click, with
 * a fresh address.
 */
import { getOperation } from '@recodery/contract/features/operations';
import { call } from '../../../api/call.ts';
import { fetchAddress, fileGUIDOf, type FreshAddress } from '../../../api/files/fresh-address.ts';
import type { FileLink } from '../decoded-read.ts';

const pathOf = (url: string): string => new URL(url, location.origin).pathname;

/**
 * A fresh address for a file without its own ticket route, such as the zip: each GET of the operation creates one.
 */
async function addressFromOperation(link: FileLink, operationGUID: string): Promise<string> {
  const { result } = await call(getOperation, { params: { guid: operationGUID } });
  const path = pathOf(link.url);
  const same = Object.values(result ?? {}).find(
    (value) => typeof value === 'string' && value.startsWith('/') && pathOf(value) === path,
  );
  return typeof same === 'string' ? same : link.url;
}

/** A fresh address of a file. Rejects with a `Refusal` when the file is no longer available. */
export async function freshAddress(link: FileLink, operationGUID: string): Promise<FreshAddress> {
  const fileGUID = fileGUIDOf(link.url);
  return fileGUID === null
    ? { url: await addressFromOperation(link, operationGUID) }
    : fetchAddress(fileGUID);
}

/**
 * The operations whose file is still to be downloaded automatically. Only operations that this tab has waited for are
 * included: files of older operations, or files downloaded before a reload, are not downloaded twice.
 */
const expectedKey = 'recodery.owed-downloads';

function expected(): string[] {
  return (sessionStorage.getItem(expectedKey) ?? '').split(' ').filter(Boolean);
}

/** Records that this tab waits for an operation's file. */
export function expectDownload(operationGUID: string): void {
  const others = expected().filter((guid) => guid !== operationGUID);
  // A few are enough: one tab never waits for more.
  sessionStorage.setItem(expectedKey, [...others.slice(-9), operationGUID].join(' '));
}

/** Whether the operation's file is still to be downloaded automatically; returns true only once. */
export function takeExpectedDownload(operationGUID: string): boolean {
  const all = expected();
  if (!all.includes(operationGUID)) return false;
  sessionStorage.setItem(expectedKey, all.filter((guid) => guid !== operationGUID).join(' '));
  return true;
}
