/** Names and the list of a tray's zip; pure. */
import type { Family } from '@recodery/contract/families/registry';

/** The name of the list in the zip. */
export const manifestName = 'manifest.txt';

/** A file of the zip, as the list describes it. */
export interface ManifestLine {
  readonly name: string;
  readonly readFileName: string;
  readonly family: Family;
  readonly slotGuid: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

const columns = ['File', 'Size', 'SHA-256', 'Read file', 'Family', 'Slot'];

/** The list: a header and a line for each file, with tabs between the columns. Safe names contain no tabs. */
export function writeManifest(lines: readonly ManifestLine[]): string {
  const rows = lines.map(({ name, size, sha256, readFileName, family, slotGuid }) => [
    name,
    size,
    sha256,
    readFileName,
    family,
    slotGuid,
  ]);
  return [columns, ...rows].map((cells) => `${cells.join('\t')}\r\n`).join('');
}
