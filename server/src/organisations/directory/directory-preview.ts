/** What a plan changes, old and new value of each field, for operators to read before it is applied; pure. */
import { createHash } from 'node:crypto';
import type { DirectoryChange, DirectoryState } from './directory-state-rules.ts';

/** A change as operators see it. */
export interface DescribedChange {
  readonly kind: DirectoryChange['kind'];
  readonly key: string;
  readonly action: DirectoryChange['action'];
  readonly fields: {
    readonly name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly moves: string[];
}

const groups = {
  organisation: 'organisations',
  group: 'groups',
  master: 'masters',
  slave: 'slaves',
  user: 'users',
} as const;

/** A value as text. A picture is named by its size and its hash. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (!value.startsWith('data:')) return value;
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 8);
  const bytes = Math.floor(((value.length - value.indexOf(',')) * 3) / 4);
  return `${value.slice('data:'.length, value.indexOf(';'))}, ${bytes} bytes, ${hash}`;
}

function previewOf(change: DirectoryChange, present: DirectoryState): DescribedChange {
  const { kind, key, action } = change;
  const records: ReadonlyMap<string, object> = present[groups[kind]];
  const old = new Map<string, unknown>(Object.entries(records.get(key) ?? {}));
  const now = new Map<string, unknown>(
    Object.entries(change.action === 'remove' ? {} : change.record),
  );
  const names =
    change.action === 'change' ? change.fields : [...new Set([...old.keys(), ...now.keys()])];
  const fields = names
    .map((name) => ({ name, before: textOf(old.get(name)), after: textOf(now.get(name)) }))
    .filter(({ before, after }) => action === 'change' || before !== null || after !== null);
  const moves = change.action === 'change' ? (change.moves ?? []).map(({ text }) => text) : [];
  return { kind, key, action, fields, moves };
}

/** The changes of a plan. */
export function previewChanges(
  changes: readonly DirectoryChange[],
  present: DirectoryState,
): DescribedChange[] {
  return changes.map((change) => previewOf(change, present));
}

/** A name for exactly these changes, with their old values. */
export function nameChanges(changes: readonly DescribedChange[]): string {
  return createHash('sha256').update(JSON.stringify(changes)).digest('hex');
}
