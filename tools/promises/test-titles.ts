/** Reads out of a test file which tests it holds, without running it: titles as `describe › test`. */
import ts from 'typescript';

/** A test as it is written: its title may stand for many, when it takes its words from a table. */
export interface WrittenTest {
  /** The titles from the outermost `describe` on; each word of a table is written as `%s`. */
  readonly path: readonly string[];
  /** Marked `skip`, `todo`, `fixme` or `fails` for good: it proves nothing. */
  readonly isSkipped: boolean;
}

/** What stands for a word that is only known when the test runs. */
export const unknownWord = '%s';

const groups = new Set(['describe', 'suite']);
const tests = new Set(['test', 'it']);
const skips = new Set(['skip', 'todo', 'fixme', 'fails', 'fail']);
/** vitest's words of a table: `%s`, `%d`, `%i`, `%j`, `%o`, `%#`, `%$`, and `$name` or `$a.b`. */
const tableWords = /%[sdifjoOc#$]|\$[a-zA-Z_][\w.]*/g;

/** All tests of a file's text, in their order. */
export function testsOf(text: string, fileName: string): WrittenTest[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.ESNext, false);
  const found: WrittenTest[] = [];

  const visit = (node: ts.Node, path: readonly string[], isSkipped: boolean): void => {
    const call = ts.isCallExpression(node) ? readCall(node) : null;
    if (call === null) {
      ts.forEachChild(node, (child) => visit(child, path, isSkipped));
      return;
    }
    const inner = [...path, call.title];
    const isOut = isSkipped || call.isSkipped;
    if (call.isGroup) {
      for (const body of call.bodies) visit(body, inner, isOut);
    } else {
      found.push({ path: inner, isSkipped: isOut });
    }
  };
  visit(source, [], false);
  return found;
}

interface Call {
  readonly isGroup: boolean;
  readonly title: string;
  readonly bodies: readonly ts.Node[];
  readonly isSkipped: boolean;
}

/** `test('…', …)`, `describe.each(table)('…', …)` and their like; null for every other call. */
function readCall(node: ts.CallExpression): Call | null {
  const [first, ...bodies] = node.arguments;
  const words = wordsOf(node.expression);
  const [head, ...rest] = words;
  if (first === undefined || head === undefined) return null;
  const isGroup = groups.has(head) || (tests.has(head) && rest.includes('describe'));
  if (!isGroup && !tests.has(head)) return null;
  const isWithTable = rest.includes('each') || rest.includes('for');
  // `test.each(table)` itself, which is only about to be called, and Playwright's `test.beforeEach`, `test.use` …
  if (isWithTable && !ts.isCallExpression(node.expression)) return null;
  const title = titleOf(first);
  if (title === null || (bodies.length === 0 && !rest.includes('todo'))) return null;
  return {
    isGroup,
    title: isWithTable ? title.replaceAll(tableWords, unknownWord) : title,
    bodies,
    isSkipped: rest.some((word) => skips.has(word)),
  };
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

/** A title as far as it can be read: what is computed becomes `%s`. */
function titleOf(argument: ts.Expression): string | null {
  if (ts.isStringLiteralLike(argument)) return argument.text;
  if (ts.isTemplateExpression(argument)) {
    const spans = argument.templateSpans.map(({ literal }) => unknownWord + literal.text);
    return argument.head.text + spans.join('');
  }
  if (ts.isBinaryExpression(argument)) {
    const left = titleOf(argument.left);
    const right = titleOf(argument.right);
    return left === null || right === null ? null : left + right;
  }
  if (ts.isIdentifier(argument) || ts.isPropertyAccessExpression(argument)) return unknownWord;
  return null;
}

/**
 * Whether the list's words name this test: either to the letter, or, where the test takes words from a table, with words
 * in their place that stand in the file.
 */
export function isNamedBy(test: WrittenTest, named: string, fileText: string): boolean {
  const written = test.path.join(' › ');
  if (written === named) return true;
  if (!written.includes(unknownWord)) return false;
  const pattern = written.split(unknownWord).map(escaped).join('(.+?)');
  const words = new RegExp(`^${pattern}$`, 's').exec(named)?.slice(1);
  return words?.every((word) => fileText.includes(word)) ?? false;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
