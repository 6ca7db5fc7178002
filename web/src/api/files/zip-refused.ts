/** Why a zip archive is not unpacked. Separate from the code that unpacks it, which is loaded on demand. */

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
