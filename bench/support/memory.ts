/** Compares the memory and time of the product's code with those of a bare server, each in its own process. */
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { median } from './median.ts';

const mebi = 1024 * 1024;
const runs = 3;

/** The product's own code, or the baseline. */
export type ServerKind = 'ours' | 'bare';

interface Figures {
  /** MiB that the server grew at its peak. */
  readonly growth: number;
  readonly seconds: number;
}

/** Starts a bare HTTP server; returns its port. */
export function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Bytes from a line of /proc/…/status: VmRSS is the current resident memory, VmHWM its maximum since the reset. */
function memoryOf(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`^${line}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

/** Starts a benchmark's own file as a server, which sends its port; measures `work` after `warmUp`. */
export async function measureServer(
  file: string,
  args: readonly string[],
  warmUp: (port: number) => Promise<unknown>,
  work: (port: number) => Promise<unknown>,
): Promise<Figures> {
  const server = fork(file, args);
  try {
    const port = await new Promise<number>((resolve) => server.once('message', resolve));
    const pid = server.pid ?? 0;
    await warmUp(port);
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const before = memoryOf(pid, 'VmRSS');
    const start = performance.now();
    await work(port);
    const seconds = (performance.now() - start) / 1000;
    return { growth: (memoryOf(pid, 'VmHWM') - before) / mebi, seconds };
  } finally {
    server.kill();
  }
}

/** Prints and returns the medians of several runs, interleaved between both servers. */
export async function compareServers(
  name: string,
  measure: (kind: ServerKind) => Promise<Figures>,
): Promise<Record<ServerKind, Figures>> {
  const all: Record<ServerKind, Figures[]> = { bare: [], ours: [] };
  for (let run = 0; run < runs; run += 1) {
    for (const kind of ['bare', 'ours'] as const) all[kind].push(await measure(kind));
  }
  const middle = (kind: ServerKind): Figures => {
    const growth = median(all[kind].map((figures) => figures.growth));
    const seconds = median(all[kind].map((figures) => figures.seconds));
    console.log(`${name}, ${kind}: grew by ${growth.toFixed(1)} MiB, took ${seconds.toFixed(3)} s`);
    return { growth, seconds };
  };
  return { bare: middle('bare'), ours: middle('ours') };
}

/** Prints a value with its limit, and fails the benchmark if it is larger. */
export function checkLimit(what: string, value: number, limit: number, unit: string): void {
  const verdict = value <= limit ? 'kept' : 'BROKEN';
  console.log(`${what}: ${value.toFixed(2)}${unit} (at most ${limit}${unit}) ${verdict}`);
  if (value > limit) process.exitCode = 1;
}
