/**
 * Leaves out of the contract what only the server and the API document use: descriptions, refusals, what the audit trail
 * records, schemas of requests, and routes that no page calls. A module of the pages that reads such a part of a route
 * ends the build.
 */
import { join } from 'node:path';
import type { Plugin } from 'vite';

const contract = join(import.meta.dirname, '../contract/src').replaceAll('\\', '/');

/** The properties of `RouteParts` in `contract/src/api.ts` that no page reads. */
const ofServer: ReadonlySet<string> = new Set([
  'summary',
  'params',
  'query',
  'body',
  'fields',
  'secret',
  'role',
  'isLimited',
  'isRevised',
  'dialect',
  'audit',
  'auditOutcome',
  'deadEnds',
  'refusals',
  'errorNames',
]);
const names = [...ofServer].join('|');
const reads = new RegExp(
  `\\bparts\\??\\.(?:${names})\\b|\\b(?:${names})\\b[^{}]*\\} = \\w+\\.parts;`,
);

/** A node of the syntax tree, as far as it is read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly arguments?: readonly Node[];
  readonly properties?: readonly (Node & { readonly key?: Node })[];
}

/** Replaces a part of the code. */
type Edit = readonly [start: number, end: number, by: string];

const pure = '/* @__PURE__ */ ';
/** The functions of `contract/src/api.ts` that make a part of a route. */
const makers: ReadonlySet<string> = new Set(['route', 'json', 'accepted']);

/** The parts of a route to leave out, each with the comma after it. */
function editsOfRoute(parts: Node | undefined): Edit[] {
  const all = parts?.properties ?? [];
  return all.flatMap((one, index): Edit[] => {
    const end = all[index + 1]?.start ?? one.end;
    return ofServer.has(one.key?.name ?? '') ? [[one.start, end, '']] : [];
  });
}

/**
 * Marks a call that makes a schema or a route, so that the bundler leaves it out if no one uses it: the marks of zod's own
 * functions are lost on their way through its modules.
 */
function editsOfMark({ start, callee }: Node): Edit[] {
  const { name = '', object, property } = callee ?? {};
  if (object?.name === 'z' || makers.has(name)) return [[start, start, pure]];
  if (object?.type !== 'CallExpression' || property?.name !== 'check') return [];
  return [
    [start, start, `${pure}(`],
    [object.end, object.end, ')'],
  ];
}

/** What is to be changed in a tree, a call before the calls within it. */
function editsIn(value: unknown): Edit[] {
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Node;
  const below = Object.values(node).flatMap(editsIn);
  if (node.type !== 'CallExpression') return below;
  const ofRoute = node.callee?.name === 'route' ? editsOfRoute(node.arguments?.[2]) : [];
  return [...editsOfMark(node), ...ofRoute, ...below];
}

function edited(code: string, edits: readonly Edit[]): string {
  let at = 0;
  const left = edits
    .toSorted(([one], [other]) => one - other)
    .map(([start, end, by]) => {
      // within a part that is left out
      if (start < at) return '';
      const before = code.slice(at, start);
      at = end;
      return before + by;
    });
  return left.join('') + code.slice(at);
}

export function leaveOutOfServer(): Plugin {
  return {
    name: 'recodery-leave-out-of-server',
    apply: 'build',
    transform(code, id) {
      if (id.startsWith(contract)) return edited(code, editsIn(this.parse(code)));
      if (!id.includes('/node_modules/') && reads.test(code)) {
        this.error(`${id} reads a part of a route that web/browser-contract.ts leaves out`);
      }
      return null;
    },
  };
}
