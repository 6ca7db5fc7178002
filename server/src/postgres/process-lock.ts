/**
 * A lock between processes that is released when its holder dies, however that happens. Node has no flock, and a file
 * with a process id fails when ids are reused, as in containers. SQLite uses the operating system's file locks.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

export interface ProcessLock {
  release(): void;
}

const busyCode = 5;

/**
 * Takes the lock, or returns null when another process holds it for longer than `patience` (milliseconds, blocking).
 */
export function tryLock(file: string, patience = 0): ProcessLock | null {
  const database = new DatabaseSync(file, { timeout: patience });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => database.close() };
}

/** Waits for the lock, at most `patience` milliseconds; then null. */
export async function waitForLock(file: string, patience: number): Promise<ProcessLock | null> {
  const end = performance.now() + patience;
  for (;;) {
    const lock = tryLock(file);
    if (lock !== null || performance.now() > end) return lock;
    await wait(20);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busyCode;
}
