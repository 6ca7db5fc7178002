/** Takes out of what an operation's row keeps whatever says something of the vehicle, or of whom the result was sent to. */
import type { JsonObject } from '../operations/operation-rules.ts';

/** Members whose values go; their names stay, so that what is left has its shape. */
const emptied: ReadonlySet<string> = new Set(['information']);
/** Members that bear a file's name, in which a vehicle's number may stand. Guids, codes and hashes stay as they are. */
const named: ReadonlySet<string> = new Set(['name', 'readFileName']);
/** Members that become null. */
const dropped: ReadonlySet<string> = new Set(['identification', 'notificationInfo']);

/** The value without them; `hide` changes the names that are left. */
export function forgetRead(json: JsonObject, hide: (text: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      if (dropped.has(name)) return [name, null];
      if (emptied.has(name)) return [name, empty(value)];
      if (named.has(name) && typeof value === 'string') return [name, hide(value)];
      return [name, forgetIn(value, hide)];
    }),
  );
}

function empty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.keys(value).map((name) => [name, null]));
}

function forgetIn(value: unknown, hide: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => forgetIn(one, hide));
  return typeof value === 'object' && value !== null
    ? forgetRead(value as JsonObject, hide)
    : value;
}
