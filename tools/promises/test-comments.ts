/** Reads the comments of a test file that link its tests to promises: `// promise 2.bell.badge-99, 2.bell.opens`. */
import ts from 'typescript';

/** A promise that a comment names. */
export interface NamedPromise {
  readonly id: string;
  /** Counted from 1. */
  readonly line: number;
  /** What follows the comment: a test that runs each time, only skipped tests or journeys before a release, or no test. */
  readonly above: 'test' | 'skipped' | 'nothing';
}

const groups = new Set(['describe', 'suite']);
const tests = new Set(['test', 'it']);
const skips = new Set(['skip', 'todo', 'fixme', 'fails', 'fail']);
/** Playwright's `test.describe` is a group; its hooks and settings are not tests. */
const variants = new Set([...skips, 'each', 'for', 'only', 'concurrent', 'skipIf', 'runIf']);
const mark = /^[ \t]*\/\/ promise (.*)$/gm;

/** All promises that a file's comments name, in their order. */
export function promisesNamedIn(text: string, fileName: string): NamedPromise[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.ESNext, false);
  const lineOf = (position: number): number =>
    source.getLineAndCharacterOfPosition(position).line + 1;
  const pending = new Map<number, NamedPromise['above']>();

  /** Records what follows each comment; returns whether any test within runs. */
  const visit = (node: ts.Node, isSkipped: boolean): boolean => {
    const call = ts.isCallExpression(node) ? readCall(node) : null;
    const isOut = isSkipped || (call?.isSkipped ?? false);
    let runs = call !== null && !call.isGroup && !isOut;
    const inner = call === null ? null : call.bodies;
    const visitInner = (child: ts.Node): void => {
      runs = visit(child, isOut) || runs;
    };
    if (inner === null) ts.forEachChild(node, visitInner);
    else if (call?.isGroup) inner.forEach(visitInner);
    if (call !== null) {
      for (const { pos } of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
        pending.set(lineOf(pos), runs ? 'test' : 'skipped');
      }
    }
    return runs;
  };
  visit(source, false);

  return [...text.matchAll(mark)].flatMap(({ index, 1: ids = '' }) => {
    const line = lineOf(index);
    const above = pending.get(line) ?? 'nothing';
    return ids.split(',').map((id) => ({ id: id.trim(), line, above }));
  });
}

interface Call {
  readonly isGroup: boolean;
  readonly bodies: readonly ts.Node[];
  readonly isSkipped: boolean;
}

/** `test('…', …)`, `describe.each(table)('…', …)` and similar calls; null for every other call. */
function readCall(node: ts.CallExpression): Call | null {
  const [head, ...rest] = wordsOf(node.expression);
  if (head === undefined || node.arguments.length === 0) return null;
  const isGroup = groups.has(head) || (tests.has(head) && rest.includes('describe'));
  const isTest = tests.has(head) && rest.every((word) => variants.has(word));
  if (!isGroup && !isTest) return null;
  const isWithTable = rest.includes('each') || rest.includes('for');
  // `test.each(table)` itself, before it is called
  if (isWithTable && !ts.isCallExpression(node.expression)) return null;
  const bodies = node.arguments.slice(1);
  if (bodies.length === 0 && !rest.includes('todo')) return null;
  const isSkipped = rest.some((word) => skips.has(word)) || bodies.some(isForRelease);
  return { isGroup, bodies, isSkipped };
}

/**
 * Whether this is `{ tag: '@release' }` or `{ tags: 'release' }`, alone or in a list: `npm test` leaves the journey or test
 * out.
 */
function isForRelease(details: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(details) &&
    details.properties.some((one) => {
      if (!ts.isPropertyAssignment(one)) return false;
      const { initializer } = one;
      const values = ts.isArrayLiteralExpression(initializer)
        ? initializer.elements
        : [initializer];
      return values.some((value) => ts.isStringLiteral(value) && /^@?release$/.test(value.text));
    })
  );
}

/** `describe.skip.each(table)` as its words. */
function wordsOf(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isCallExpression(expression)) return wordsOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return wordsOf(expression.tag);
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const before = wordsOf(expression.expression);
  return before.length === 0 ? [] : [...before, expression.name.text];
}
