/** Reads the list of promises, `docs/promises/*.md`: what the product promises. */

/** One line of the list. */
export interface Promised {
  /** Stable, e.g. `2.bell.badge-99`: section, group, name. */
  readonly id: string;
  readonly statement: string;
}

/** The lines under a heading `## 2.bell · The bell`. */
export interface PromiseGroup {
  /** The first two parts of its lines' ids, e.g. `2.bell`. */
  readonly id: string;
  readonly lines: readonly Promised[];
}

/**
 * The groups of one file of the list.
 *
 * @throws Error that quotes the line if the text does not match the format.
 */
export function readPromises(text: string, fileName: string): PromiseGroup[] {
  const groups: { id: string; lines: Promised[] }[] = [];
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('# '))) {
    const heading = /^## (\S+) · ./.exec(line)?.[1];
    const [, id, statement] = /^- `([^`]+)`: (.+)$/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ id: heading, lines: [] });
    else if (id !== undefined && statement !== undefined)
      groups.at(-1)?.lines.push({ id, statement });
    else throw new Error(`${fileName}: neither a heading nor a line of the list: ${line}`);
  }
  return groups;
}
