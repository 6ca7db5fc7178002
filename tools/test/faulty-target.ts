/** A target with a bug, selected by the query of its address, which the fuzzer must find. */
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FuzzTarget } from '../fuzz/target.ts';

/** Fails for four bytes, which random bytes do not contain: only coverage leads there one by one. */
function failForMagic(input: Uint8Array): void {
  if (input[0] !== 0x52) return;
  if (input[1] !== 0x45) return;
  if (input[2] !== 0x43) return;
  if (input[3] === 0x4f) throw new TypeError(`at ${input.length}`);
}

function loop(input: Uint8Array): void {
  for (let count = 0; input.length > 0; count += 1) if (count < 0) return;
}

const kept: unknown[] = [];

function fillHeap(): void {
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
}

const faults: Readonly<Record<string, FuzzTarget['run']>> = {
  none: () => undefined,
  magic: failForMagic,
  loop,
  wait: () => new Promise(() => undefined),
  'wait, with a server that listens': () =>
    new Promise(() => {
      createServer().listen(0, '127.0.0.1');
    }),
  'fill the heap': fillHeap,
  'take memory': () => void kept.push(new Uint8Array(300 * 1024 * 1024)),
  'fail later': async () => {
    setTimeout(() => {
      throw new TypeError('in a timer');
    });
    await wait(5);
  },
};

const fault = new URL(import.meta.url).searchParams.get('fault') ?? '';

export const target: FuzzTarget = {
  longest: 8,
  seeds: () => [new TextEncoder().encode('12345678')],
  dictionary: [],
  run: (input) => faults[fault]?.(input),
};
