/** The log of the process: JSON lines on stderr, or short lines for a terminal. */
import { Writable } from 'node:stream';
import pino from 'pino';

/** The logger. Errors are passed as `{ error }`; secrets and file contents are never logged. */
export type Log = pino.Logger;

/** Opens the log. `isForPeople`: short lines instead of JSON. `lines` receives the JSON instead of stderr. */
export function openLog(
  isForPeople = process.stderr.isTTY === true,
  lines: pino.DestinationStream | null = null,
): Log {
  return pino(
    {
      base: { pid: process.pid },
      serializers: { error: describeError, first: describeError, err: describeError },
      errorKey: 'error',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    isForPeople ? peopleStream() : (lines ?? pino.destination({ dest: 2, sync: true })),
  );
}

/**
 * The logged fields of an error. Not all of its properties: drivers attach their connections, sign-in libraries the
 * requests that they received.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}

function peopleStream(): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      process.stderr.write(shortLine(chunk.toString()), () => done());
    },
  });
}

function shortLine(line: string): string {
  const { level, time, pid: _, msg, error, ...rest } = JSON.parse(line) as Entry;
  const label = level === 'info' ? '' : `${level}: `;
  const details = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const stack = error?.stack === undefined ? '' : `\n${error.stack}`;
  return `${time.slice(11, 19)} ${label}${msg}${details.join('')}${stack}\n`;
}

/** A line as {@link openLog} has pino write it; `error` is what {@link describeError} returns. */
interface Entry extends Readonly<Record<string, unknown>> {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly error?: { readonly stack?: string };
}
