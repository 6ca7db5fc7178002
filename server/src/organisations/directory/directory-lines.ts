/** The lines of a directory file on which the records of its mistakes are; pure. */
import { isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A mistake, and the line of the file on which its record begins; null: not known. */
export interface LocatedMistake {
  readonly line: number | null;
  readonly text: string;
}

/** The keys by whose values records are named. */
const naming: ReadonlySet<unknown> = new Set(['customerCode', 'serial', 'code', 'email']);

/** What a mistake is about. */
const subject =
  /^(?:[~+-] )?(?:organisation|group code|master|master device|slave|slave device|user) ([^:]+):/;

/** The lines of the records of a file by their names; null: several have that name. */
function findLines(text: string): ReadonlyMap<string, number | null> {
  const counter = new LineCounter();
  const found = new Map<string, number | null>();
  visit(parseDocument(text, { lineCounter: counter, prettyErrors: false }), {
    Map(_key, node) {
      for (const { key, value } of node.items) {
        if (!isMap(node) || !isScalar(key) || !isScalar(value) || !naming.has(key.value)) continue;
        const name = String(value.value).toLowerCase();
        const { line } = counter.linePos(key.range?.[0] ?? 0);
        found.set(name, found.has(name) ? null : line);
      }
    },
  });
  return found;
}

/** Adds the lines to mistakes that name a record. Those that already begin with a line keep it. */
export function locateMistakes(
  text: string,
  mistakes: readonly string[],
): readonly LocatedMistake[] {
  if (mistakes.length === 0) return [];
  const known = mistakes.map((mistake) => /^line (\d+): (.*)$/s.exec(mistake));
  const lines = known.every((one) => one !== null) ? new Map<string, number>() : findLines(text);
  return mistakes.map((mistake, at) => {
    const [, line, words] = known[at] ?? [];
    if (line !== undefined && words !== undefined) return { line: Number(line), text: words };
    const name = subject.exec(mistake)?.[1] ?? '';
    const last = name.slice(name.lastIndexOf(' ') + 1);
    const key = [name, last].map((one) => one.toLowerCase()).find((one) => lines.has(one));
    return { line: key === undefined ? null : (lines.get(key) ?? null), text: mistake };
  });
}

/** A mistake as the command line prints it. */
export const describeMistake = ({ line, text }: LocatedMistake): string =>
  line === null ? text : `line ${line}: ${text}`;
