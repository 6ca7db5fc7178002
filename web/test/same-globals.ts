/**
 * A setup file of the tests of the web that share a process: a file fails if it has changed a global, which later files
 * would find.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll } from 'vitest';

/** Every global. Those of vitest are its own. */
const readGlobals = () =>
  Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(
    ([name]) => !name.startsWith('__'),
  );

const before = new Map(readGlobals());

afterAll(() => {
  const changed = readGlobals()
    .filter(([name, descriptor]) => !isSame(before.get(name), descriptor))
    .map(([name]) => name);
  if (changed.length > 0)
    throw new Error(
      `changed globals: ${changed.join(', ')}. See \`ofBrowser\` in vitest.config.ts.`,
    );
});

function isSame(one: PropertyDescriptor | undefined, other: PropertyDescriptor): boolean {
  // lazy globals of Node are replaced by their values when they are read
  if (one?.get !== undefined && one.configurable === true && 'value' in other) return true;
  return isDeepStrictEqual(Object.values(one ?? {}), Object.values(other));
}
