/** The processes that a product has started, as the system lists them. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The ids of all descendant processes. One file is open at a time: scans follow each other quickly. */
export function processesBelow(ancestor: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    // it may have exited in the meantime
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
      childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(name)]);
    } catch {}
  }
  const below = (parent: number): number[] =>
    (childrenOf.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(ancestor);
}

/** A file of a process in `/proc`; empty if the process has exited. */
export function readOfProcess(id: number, name: 'cmdline' | 'environ'): Promise<string> {
  return readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '');
}

/** Whether a process runs the program of an engine, or one of the programs around it that created its namespaces. */
export function isAroundEngine(command: string): boolean {
  return command.includes('dist/engine/entry.mjs');
}

/** Whether a process is an engine itself. */
export async function isEngine(id: number): Promise<boolean> {
  const [command, children] = await Promise.all([
    readOfProcess(id, 'cmdline'),
    readFile(`/proc/${id}/task/${id}/children`, 'utf8').catch(() => ''),
  ]);
  return isAroundEngine(command) && children === '';
}
