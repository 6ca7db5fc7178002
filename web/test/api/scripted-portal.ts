/**
 * A portal that a test controls: it records every request with its time, responds as the test specifies, and controls
 * the stream.
 */
import { environmentManager } from '@tanstack/react-query';
import { vi } from 'vitest';
import { startEvents } from '../../src/api/events/events.ts';
import { keepSessionId } from '../../src/api/session-id.ts';
import { beBrowser } from './browser.ts';

export interface ScriptedPortal {
  /** The seconds since the start at which a path was requested, in order. */
  readonly askedAt: (path: string) => number[];
  /** The requested addresses below a path, with their query. */
  readonly addresses: (path: string) => string[];
  /**
   * Sets the response of a path from now on: JSON, a status without a body, a response, the error of a failed network, or
   * a promise of one of these.
   */
  readonly answer: (path: string, json: unknown) => void;
  /** Lets the stream open, or closes it and refuses it from then on. */
  readonly turnStream: (isUp: boolean) => Promise<void>;
  /** Lets every stream open and closes it immediately. */
  readonly cutAtOnce: () => void;
  /** Sends an event on the open stream. */
  readonly say: (event: string, record: unknown) => Promise<void>;
  readonly stop: () => void;
}

/** Waits for everything that does not depend on timers. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/**
 * Starts with the stream up or down, with fake timers and without Node's locks, which resolve too late for them: the tab
 * is alone, unless a test passes locks.
 */
export async function scriptedPortal(
  isStreamUp: boolean,
  locks?: Pick<LockManager, 'request'>,
): Promise<ScriptedPortal> {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T08:00:00Z') });
  vi.stubGlobal('navigator', { onLine: true, ...(locks && { locks }) });
  environmentManager.setIsServer(() => false);
  beBrowser('http://portal.test');
  keepSessionId('session-1');
  const begun = Date.now();
  const asked: { address: string; path: string; at: number }[] = [];
  const answers = new Map<string, unknown>();
  let isUp = isStreamUp;
  let isCut = false;
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null;

  function openStream(signal: AbortSignal | null | undefined): Response {
    if (!isUp) return new Response(null, { status: 503 });
    if (isCut) return new Response('', { status: 200 });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller;
        signal?.addEventListener('abort', () => {
          if (stream === controller) controller.error(signal.reason);
          stream = null;
        });
      },
    });
    return new Response(body, { status: 200 });
  }

  vi.stubGlobal('fetch', async (address: string, init?: RequestInit): Promise<Response> => {
    const path = address.split('?', 1)[0] ?? address;
    asked.push({ address, path, at: (Date.now() - begun) / 1000 });
    if (path === '/api/events') return openStream(init?.signal);
    const answer = await answers.get(path);
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer.clone();
    return typeof answer === 'number'
      ? new Response(null, { status: answer })
      : Response.json(answer);
  });
  const stopEvents = startEvents();
  await settle();

  return {
    askedAt: (path) => asked.filter((one) => one.path === path).map(({ at }) => at),
    addresses: (path) => asked.filter((one) => one.path === path).map(({ address }) => address),
    answer: (path, json) => void answers.set(path, json),
    async turnStream(next) {
      isUp = next;
      stream?.close();
      stream = null;
      // as long as the longest pause before a retry
      await vi.advanceTimersByTimeAsync(30_000);
    },
    cutAtOnce() {
      isCut = true;
      stream?.close();
      stream = null;
    },
    async say(event, record) {
      const text = `event: ${event}\ndata: ${JSON.stringify(record)}\n\n`;
      stream?.enqueue(new TextEncoder().encode(text));
      await settle();
    },
    stop() {
      stopEvents();
      environmentManager.setIsServer(() => true);
      vi.unstubAllGlobals();
      vi.useRealTimers();
    },
  };
}
