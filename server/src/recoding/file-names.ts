/**
 * Names of the files that the portal creates: the automatic name, the organisation's format, and what every file system
 * accepts.
 */
import { type Family, definitionOf } from '@recodery/contract/families/registry';
import { fillFileNameFormat } from '@recodery/contract/preferences';
import { cutToFit, makeFileNameSafe } from '../http/safe-file-name.ts';

/** A file name without its extension: the part after the last dot, when it is short and not the whole name. */
export function stripExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.\s]{1,8}$/, '');
}

/** The parts of the automatic name. `time` is shown in UTC. */
export interface NameParts {
  readonly family: Family;
  readonly slaveSerialNumber: string;
  readonly protocolId: number;
  readonly time: Date;
}

/** The automatic name, without extension: `{family}_{slave serial}_{protocol}_{yyyyMMdd-HHmmss}`. */
export function automaticName(parts: NameParts): string {
  const [day = '', time = ''] = parts.time.toISOString().replace(/[-:]/g, '').split(/[T.]/);
  return makeFileNameSafe(
    `${definitionOf(parts.family).name}_${parts.slaveSerialNumber}_${parts.protocolId}_${day}-${time}`,
  );
}

/**
 * The full name of an encoded file in the organisation's format: `%d` becomes the automatic name, `%r` the read file's
 * name without extension; anything else stays unchanged. `extension` includes its dot.
 */
export function formatName(
  format: string,
  names: { readonly automatic: string; readonly readFile: string },
  extension: string,
): string {
  const readFile = stripExtension(names.readFile);
  const stem = fillFileNameFormat(format, { automatic: names.automatic, readFile });
  return makeFileNameSafe(`${makeFileNameSafe(stem, names.automatic)}${extension}`);
}

/**
 * A name that is not in `taken`, ignoring case: the name itself, or its stem with the first free number (`tune-2.moc`).
 * `extension` is the end of the name, with its dot.
 */
export function freeName(name: string, extension: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()));
  const stem = name.slice(0, -extension.length);
  let free = name;
  for (let count = 2; used.has(free.toLowerCase()); count += 1) {
    free = cutToFit(stem, `-${count}${extension}`);
  }
  return free;
}
