/** Names and the list of a tray's zip; pure. */
import { doubleName } from '@recodery/contract/features/demo-doubles';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { describeSealing } from '@recodery/contract/families/sealing';

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
  /** When its maker's service has sealed it; undefined: none has. */
  readonly sealedOn: string | undefined;
  /** Whether a double of the demo made it, in place of its maker's service. */
  readonly isDouble: boolean;
}

const columns = [
  'File',
  'Size',
  'SHA-256',
  'Read file',
  'Family',
  'Slot',
  'Sealed',
  'Write before',
  'Engine',
];

/** When the slave stops accepting a file; empty: never. */
function writeSeal({ family, sealedOn }: ManifestLine): readonly string[] {
  const { expiresOn } = describeSealing(family, sealedOn);
  return [sealedOn ?? '', expiresOn ?? ''];
}

/** The list: a header and a line for each file, with tabs between the columns. Safe names contain no tabs. */
export function writeManifest(lines: readonly ManifestLine[]): string {
  const rows = lines.map((line) => {
    const { name, size, sha256, readFileName, family, slotGuid, isDouble } = line;
    const engine = isDouble ? doubleName(definitionOf(family).name) : '';
    return [name, size, sha256, readFileName, family, slotGuid, ...writeSeal(line), engine];
  });
  return [columns, ...rows].map((cells) => `${cells.join('\t')}\r\n`).join('');
}
