/** Routes for the operations log: one CSV per family, streamed. */
import { Readable } from 'node:stream';
import { type Family, families } from '@recodery/contract/families/registry';
import { logRoutes } from '@recodery/contract/features/operations-log';
import { create as contentDisposition } from 'content-disposition';
import type { Router } from '../http/serve.ts';
import type { Clock } from '../config/clock.ts';
import type { Caller } from '../organisations/caller.ts';
import { type LogSource, writeLog } from './write-log.ts';

export interface LogDependencies extends LogSource {
  readonly clock: Clock;
  /** The time zone of an organisation, or of the user's browser; null: unknown. */
  getTimeZone(caller: Caller): Promise<string | null>;
}

/** Registers the operations log. */
export function serveOperationsLog(router: Router, deps: LogDependencies): void {
  for (const family of families) {
    const route = logRoutes[family];
    router.serve(route, async ({ caller, request, reply }) => {
      const timeZone = (await deps.getTimeZone(caller)) ?? 'UTC';
      const pieces = writeLog(deps, { organisationId: caller.organisationId, family, timeZone });
      // an immediate error still gets an error response; later the stream can only be cut
      const first = await pieces.next();
      const isHead = request.method === 'HEAD';
      reply
        .type(route.parts.answer.mediaType)
        .header('content-disposition', contentDisposition(fileName(family, deps.clock.now())))
        .send(Readable.from(isHead ? [] : resume(first, pieces), { objectMode: false }));
      return undefined;
    });
  }
}

function fileName(family: Family, now: Date): string {
  return `operations-log_${family}_${now.toISOString().slice(0, 10)}.csv`;
}

/** The pieces of a stream whose first one has already been read. */
async function* resume<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
