/** Which line of its log explains why an embedded PostgreSQL did not start. */
import { expect, test } from 'vitest';
import { findCause } from '../../src/postgres/embedded/server-process.ts';

const stillInUse =
  '2026-11-29 10:00:01 UTC [200] FATAL:  pre-existing shared memory block is still in use';
const ofChild =
  '2026-11-29 10:00:02 UTC [117] FATAL:  postmaster exited during a parallel transaction';

test.each([
  [
    'its own line, although a child of the killed server wrote later',
    [stillInUse, ofChild],
    stillInUse,
  ],
  [
    'its own line, although a child of the killed server wrote before',
    [ofChild, stillInUse],
    stillInUse,
  ],
  [
    'the error, not the hint after it',
    [stillInUse, 'HINT:  Terminate any old server processes.'],
    stillInUse,
  ],
  [
    'the last line, if the program could not write with its process id',
    ['setpriv: execvp failed', 'no such file'],
    'no such file',
  ],
])('%s', (_which, lines, cause) => {
  expect(findCause(`${lines.join('\n')}\n`, 200)).toBe(cause);
});
