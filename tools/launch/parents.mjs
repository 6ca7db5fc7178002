/** Notices the end of the npm script that started us: npm passes signals to its shell alone, and a shell takes them with it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './project.mjs';

/** Milliseconds between two looks. */
const interval = 300;

/**
 * Calls back once when npm, or the shell between, is gone. Does nothing where npm did not start us: whoever starts the
 * program by himself may well go before it.
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

/** Our parent and, where /proc tells, its parent: another word as soon as one of them has gone. */
function ancestors() {
  const file = `/proc/${process.ppid}/stat`;
  if (!existsSync(file)) return `${process.ppid}`;
  try {
    // pid (name) state ppid …; the name may hold anything, so count from its end
    const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ');
    return `${process.ppid} ${fields?.[1]}`;
  } catch {
    return `${process.ppid}`;
  }
}
