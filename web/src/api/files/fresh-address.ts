/** Fresh download addresses: each is valid for an hour, and a page may be open for longer. */
import { refreshFileURL } from '@recodery/contract/features/slots';
import { call } from '../call.ts';

/** An address, and why the slave may refuse its file: a later one was encoded, it has a new key, or its time is over. */
export interface FreshAddress {
  readonly url: string;
  readonly isOutdated?: boolean | undefined;
  readonly hasFormerKey?: boolean | undefined;
  readonly isExpired?: boolean | undefined;
  /** Whether its maker's service seals the file again before it is downloaded. */
  readonly canSealAgain?: boolean | undefined;
}

const filePath = /^\/api\/files\/([^/?]+)/;

/** The GUID of the file behind an address, if it has its own ticket route; otherwise null. */
export function fileGUIDOf(url: string): string | null {
  return filePath.exec(new URL(url, location.origin).pathname)?.[1] ?? null;
}

/** A fresh address of a file. Rejects with a `Refusal` when the file is no longer available. */
export function fetchAddress(fileGUID: string): Promise<FreshAddress> {
  return call(refreshFileURL, { params: { fileGUID } });
}

/** Whether the user is asked before the download. */
export function isDoubtful(address: FreshAddress): boolean {
  const { isOutdated, hasFormerKey, isExpired, canSealAgain } = address;
  return [isOutdated, hasFormerKey, isExpired, canSealAgain].includes(true);
}
