/**
 * The engine's ends of the pipes to its pool. It reads and writes them with plain system calls: without an event loop
 * and without the sockets of Node, of which code in the engine could make others.
 */
import { readSync, writeSync } from 'node:fs';
import { lengthBytes, packMessage, unpackTask } from './frames.ts';
import type { EngineMessage, EngineTask } from './task.ts';

const input = 0;
const output = 1;

/** The next bytes from the pool; null when it has exited. */
function readBytes(count: number): Buffer | null {
  const bytes = Buffer.alloc(count);
  let at = 0;
  while (at < count) {
    const read = readSync(input, bytes, at, count - at, null);
    if (read === 0) return null;
    at += read;
  }
  return bytes;
}

/** Waits for the next task; null when the pool has exited, and would not receive a result. */
export function readTask(): EngineTask | null {
  const length = readBytes(lengthBytes);
  const text = length === null ? null : readBytes(length.readUInt32BE(0));
  return text === null ? null : (unpackTask(text) as EngineTask);
}

/** Sends a message to the pool. */
export function say(message: EngineMessage): void {
  const bytes = packMessage(message);
  for (let at = 0; at < bytes.length; ) at += writeSync(output, bytes, at);
}
