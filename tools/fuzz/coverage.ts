/** Which code has run, as V8 counts it: by blocks, in the scripts of this thread. */
import { type Profiler, Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

/** How many characters of the source have run, of how many. */
export interface Reached {
  readonly covered: number;
  readonly all: number;
}

/** Collects the coverage of some scripts. */
export interface Coverage {
  /** Whether code has run since the last call that had not run before. `isKept`: from now on it counts as run before. */
  take(isKept: boolean): boolean;
  reached(): Reached;
  stop(): void;
}

/** Starts to count. `parts`: the beginnings of the paths of the scripts, relative to the project's folder. */
export function startCoverage(projectDir: string, parts: readonly string[]): Coverage {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const root = pathToFileURL(`${projectDir}/`).href;
  const isCounted = (url: string): boolean =>
    url.startsWith(root) && parts.some((part) => url.startsWith(part, root.length));
  // For each script, 1 for each character that has run.
  const marks = new Map<string, Uint8Array>();
  return {
    take(isKept) {
      let isNew = false;
      for (const { url, functions } of takeScripts(session)) {
        if (!isCounted(url)) continue;
        // Functions are nested like blocks: code that an inner one has not run counts as not run in the outer one.
        const ranges = functions.flatMap((one) => one.ranges).toSorted(byNesting);
        if (mark(marksOf(marks, url, ranges), ranges, isKept)) isNew = true;
      }
      return isNew;
    },
    reached() {
      const all = [...marks.values()];
      return {
        covered: all.reduce((sum, one) => sum + one.reduce((count, ran) => count + ran, 0), 0),
        all: all.reduce((sum, { length }) => sum + length, 0),
      };
    },
    stop: () => session.disconnect(),
  };
}

function byNesting(one: Profiler.CoverageRange, other: Profiler.CoverageRange): number {
  return one.startOffset - other.startOffset || other.endOffset - one.endOffset;
}

/** The counts since the last call. The session responds in the same turn, because it belongs to this thread. */
function takeScripts(session: Session): readonly Profiler.ScriptCoverage[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (fault, answer) => {
    if (fault !== null) throw fault;
    scripts = answer.result;
  });
  return scripts;
}

function marksOf(
  marks: Map<string, Uint8Array>,
  url: string,
  ranges: readonly Profiler.CoverageRange[],
): Uint8Array {
  const end = ranges.reduce((most, { endOffset }) => Math.max(most, endOffset), 0);
  const known = marks.get(url) ?? new Uint8Array();
  if (known.length >= end) return known;
  const longer = new Uint8Array(end);
  longer.set(known);
  marks.set(url, longer);
  return longer;
}

/** Whether a piece that has run is not marked yet; marks all of them if `isKept`. */
function mark(
  marks: Uint8Array,
  ranges: readonly Profiler.CoverageRange[],
  isKept: boolean,
): boolean {
  let isNew = false;
  for (const [from, to] of findRun(ranges)) {
    const piece = marks.subarray(from, to);
    if (!piece.includes(0)) continue;
    if (!isKept) return true;
    isNew = true;
    piece.fill(1);
  }
  return isNew;
}

/** The pieces that have run; `ranges` are nested and sorted, and the innermost one counts. */
function findRun(ranges: readonly Profiler.CoverageRange[]): readonly [number, number][] {
  const pieces: [number, number][] = [];
  const open: Profiler.CoverageRange[] = [];
  let at = 0;
  const moveTo = (place: number): void => {
    if ((open.at(-1)?.count ?? 0) > 0 && place > at) pieces.push([at, place]);
    at = place;
  };
  const closeUntil = (place: number): void => {
    for (let top = open.at(-1); top && top.endOffset <= place; top = open.at(-1)) {
      moveTo(top.endOffset);
      open.pop();
    }
  };
  for (const range of ranges) {
    closeUntil(range.startOffset);
    moveTo(range.startOffset);
    open.push(range);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return pieces;
}
