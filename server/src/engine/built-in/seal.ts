/** Forbids a started engine to start any other process or thread. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type EngineAccount, makeSeal } from './sandbox-command.ts';

/** Milliseconds that it may take. */
const patience = 30_000;

/** Seals a process; returns why this was refused, as one line, or null. */
export async function sealProcess(
  pid: number,
  account: EngineAccount | null,
): Promise<string | null> {
  const [first, ...words] = makeSeal(pid, account) ?? [];
  if (first === undefined) return 'this account cannot forbid engines to start other processes';
  return promisify(execFile)(first, words, { env: {}, timeout: patience }).then(
    () => null,
    (error: Error & { readonly stderr?: string }) =>
      (error.stderr ?? '').trim().split('\n', 1)[0] || error.message,
  );
}
