/** Why a zip archive is not unpacked; apart from the program that unpacks it, which is loaded when it is needed. */

export type ZipReason = 'zipEncrypted' | 'zipFiles' | 'zipBytes' | 'zipBroken' | 'zipEmpty';

/** The archive is not unpacked. */
export class ZipRefused extends Error {
  readonly reason: ZipReason;
  constructor(reason: ZipReason, cause?: unknown) {
    super(`the archive is not unpacked: ${reason}`, { cause });
    this.name = 'ZipRefused';
    this.reason = reason;
  }
}
