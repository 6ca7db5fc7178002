/** Reads the list of promises, `docs/promises/*.md`: what the product promises, and the test that proves each line. */

/** One line of the list. */
export interface Promised {
  /** Stable, e.g. `2.bell.badge-99`: section, group, name. */
  readonly id: string;
  readonly says: string;
  /** The tests that prove it; none where the line is open. */
  readonly proofs: readonly Proof[];
  /** Why nothing proves it yet; null where something does. */
  readonly open: string | null;
}

export interface Proof {
  /** Path of the test file from the project's root. */
  readonly file: string;
  /** `describe › test`, as the runner prints it. */
  readonly title: string;
}

/** A table of the list, under a heading `## 2.bell · The bell`. */
export interface PromiseGroup {
  /** The first two parts of its lines' ids, e.g. `2.bell`. */
  readonly id: string;
  /** Whether all of it is promised: then no line of it may be open. */
  readonly isPromised: boolean;
  readonly lines: readonly Promised[];
}

/** The first two lines of each table. */
const heads = new Set(['| id | what holds | proof |', '|---|---|---|']);

/** Where a title's parts are parted, and the file from its title. */
const parting = ' › ';

/**
 * The groups of one file of the list.
 *
 * @throws Error that quotes the line where the text does not follow the form.
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
      throw new Error(`${fileName}: neither heading nor line of the list: ${line}`);
    }
  }
  return groups.map(({ id, isPromised, lines }) => {
    if (isPromised === null) throw new Error(`${fileName}: ${id} is neither promised nor not`);
    return { id, isPromised, lines };
  });
}

/** `| `id` | what it says | `file › title`<br>`file › title` |`, or `open: why` in the last column. */
function readLine(line: string, fileName: string): Promised {
  const cells = line.slice(2, -2).split(' | ');
  const [id, says, state] = cells.map((cell) => cell.trim());
  if (cells.length !== 3 || id === undefined || !says || !state || !line.endsWith(' |')) {
    throw new Error(`${fileName}: not three columns: ${line}`);
  }
  const why = /^open: (.+)$/.exec(state)?.[1];
  return {
    id: unquoted(id),
    says,
    proofs: why === undefined ? state.split('<br>').map((proof) => readProof(proof, line)) : [],
    open: why ?? null,
  };
}

function readProof(cell: string, line: string): Proof {
  const [file, ...title] = unquoted(cell).split(parting);
  if (file === undefined || title.length === 0) throw new Error(`no proof in: ${line}`);
  return { file, title: title.join(parting) };
}

/** Without the one or two backticks around it, as Markdown sets them around code. */
function unquoted(text: string): string {
  return /^(`+) ?(.*?) ?\1$/.exec(text.trim())?.[2] ?? text;
}
