/** The processes that a product has started, as the system lists them. */
import { readdirSync, readFileSync } from 'node:fs';

/** The processes that are not below an ancestor, as the last scan found them: they cannot get there later. */
const strangers = new Map<number, ReadonlySet<number>>();

/** The ids of all descendant processes. One file is open at a time: scans follow each other quickly. */
export function processesBelow(ancestor: number): number[] {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
  const known = strangers.get(ancestor);
  const childrenOf = new Map<number, number[]>();
  for (const id of all.filter((one) => known?.has(one) !== true)) {
    // it may have exited in the meantime
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
      childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), id]);
    } catch {}
  }
  const below = (parent: number): number[] =>
    (childrenOf.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  const found = below(ancestor);
  const ours = new Set(found);
  strangers.set(ancestor, new Set(all.filter((id) => !ours.has(id))));
  return found;
}

/** A file of a process in `/proc`; empty if the process has exited. */
export function readOfProcess(id: number, name: 'cmdline' | 'environ' | `task/${number}/children`) {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Whether a process runs the program of an engine, or one of the programs around it that created its namespaces. */
export function isAroundEngine(command: string): boolean {
  return command.includes('dist/engine/entry.mjs');
}

/** Whether a process is an engine itself. */
export function isEngine(id: number): boolean {
  return (
    isAroundEngine(readOfProcess(id, 'cmdline')) && readOfProcess(id, `task/${id}/children`) === ''
  );
}
