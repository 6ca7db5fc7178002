/** Reads the list of promises, `docs/promises/*.md`: what the product promises, and what is still open. */

/** One line of the list. */
export interface Promised {
  /** Stable, e.g. `2.bell.badge-99`: section, group, name. */
  readonly id: string;
  readonly statement: string;
  /** Why no test proves it yet; null if a test must. */
  readonly open: string | null;
}

/** A table of the list, under a heading `## 2.bell · The bell`. */
export interface PromiseGroup {
  /** The first two parts of its lines' ids, e.g. `2.bell`. */
  readonly id: string;
  /** Whether all of it is promised: then none of its lines may be open. */
  readonly isPromised: boolean;
  readonly lines: readonly Promised[];
}

/** The first two lines of each table. */
const heads = new Set(['| id | statement |', '|---|---|']);

/**
 * The groups of one file of the list.
 *
 * @throws Error that quotes the line if the text does not match the format.
 */
export function readPromises(text: string, fileName: string): PromiseGroup[] {
  const groups: { id: string; isPromised: boolean | null; lines: Promised[] }[] = [];
  for (const line of text.split('\n')) {
    const group = groups.at(-1);
    const heading = /^## (\S+) · ./.exec(line)?.[1];
    if (heading !== undefined) {
      groups.push({ id: heading, isPromised: null, lines: [] });
    } else if (group !== undefined && /^(Promised\.|Not yet promised: .+\.)$/.test(line)) {
      group.isPromised = line === 'Promised.';
    } else if (group !== undefined && line.startsWith('| `')) {
      group.lines.push(readLine(line, fileName));
    } else if (line.startsWith('## ') || (line.startsWith('|') && !heads.has(line))) {
      throw new Error(`${fileName}: neither a heading nor a line of the list: ${line}`);
    }
  }
  return groups.map(({ id, isPromised, lines }) => {
    if (isPromised === null) throw new Error(`${fileName}: ${id} is neither promised nor not`);
    return { id, isPromised, lines };
  });
}

/** `| `id` | statement |`, or `| `id` | statement (open: why) |`. */
function readLine(line: string, fileName: string): Promised {
  const [, id, words] = /^\| `([^`]+)` \| (.+) \|$/.exec(line) ?? [];
  if (id === undefined || words === undefined || words.includes(' | ')) {
    throw new Error(`${fileName}: not two columns: ${line}`);
  }
  const [, statement, open] = /^(.+) \(open: (.+)\)$/.exec(words) ?? [];
  return { id, statement: statement ?? words, open: open ?? null };
}
