/**
 * Detects the end of the npm script that started us: npm forwards signals only to its shell, which exits without
 * forwarding them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './project.mjs';

/** Milliseconds between two checks. */
const interval = 300;

/**
 * Calls back once when npm, or the shell between, has exited. Does nothing if npm did not start us: a user who starts
 * the program directly may exit before it.
 * @param {() => void} onGone
 */
export function watchNpm(onGone) {
  const { npm_package_json: manifest } = process.env;
  if (manifest !== join(projectDir, 'package.json')) return;
  const first = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === first) return;
    clearInterval(timer);
    onGone();
  }, interval);
  timer.unref();
}

/**
 * Identifies our parent and, if /proc is available, its parent: the value changes as soon as one of them has exited.
 */
function ancestors() {
  const file = `/proc/${process.ppid}/stat`;
  if (!existsSync(file)) return `${process.ppid}`;
  try {
    // pid (name) state ppid …; the name can contain anything, so count from its end
    const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ');
    return `${process.ppid} ${fields?.[1]}`;
  } catch {
    return `${process.ppid}`;
  }
}
