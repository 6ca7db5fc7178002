/** How files that the portal makes are called: the automatic name, the organisation's format, and what every file system takes. */
import { type Family, definitionOf } from '@recodery/contract/families/registry';
import { fillFileNameFormat } from '@recodery/contract/preferences';
import { cutToFit, makeFileNameSafe } from '../http/safe-file-name.ts';

/** A file name without its extension: what stands behind the last dot, when that is short and the name has more. */
export function stripExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.\s]{1,8}$/, '');
}

/** What the automatic name is made of. `time` is shown in UTC. */
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
 * The whole name of an encoded file by the organisation's format: `%d` becomes the automatic name, `%r` the read file's
 * name without extension; anything else stays as it stands. `extension` has its dot.
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
 * A name that none of `taken` has, in capital or small letters: the name itself, else with the first number that is free
 * behind its stem (`tune-2.moc`). `extension` is the end of the name, with its dot.
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
