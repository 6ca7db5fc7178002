/** The processes of an installation as the system lists them. */
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** SIGKILLs a process; false if it has already exited. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** The command line of a process; empty if it has exited. */
function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The command lines of all processes that name a folder. */
export function listProcessesOf(folder: string): readonly string[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.map(readCommand).filter((command) => command.includes(folder));
}

/** The folders that engine pools of dead processes have left behind. */
export async function listDeadPools(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'scratch')).catch(() => []);
  return names.filter((name) => {
    const pid = Number(/^pool-(\d+)-/.exec(name)?.[1]);
    return !readCommand(pid).includes('recodery');
  });
}
