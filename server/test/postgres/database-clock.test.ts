/** The clock of a process follows the database's, whatever the machine's clock shows. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { newGuid } from '../../src/config/guids.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { bearerOf } from '../fixtures/sign-in/bearer.ts';
import { openPlatform } from '../../src/platform.ts';
import { openDatabaseClock } from '../../src/postgres/database-clock.ts';
import { createTickets } from '../../src/slots/sending/tickets.ts';
import { meanwhile } from '../fixtures/database/meanwhile.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

const hour = 3_600_000;
let platform: TestPlatform;
beforeAll(async () => {
  platform = await createTestPlatform();
});
afterEach(() => vi.useRealTimers());
afterAll(() => platform.stop());

async function readDatabaseTime(): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(platform.db);
  return rows[0]?.now.getTime() ?? 0;
}

/** Sets this machine's clock; timers and the database run on. */
function shiftClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
}

/** Opens the platform as a command does, on a machine whose clock is wrong by `ms`. */
async function openShifted(ms: number) {
  shiftClock(ms);
  const { dataDir } = platform.config;
  const config = readConfig({
    RECODERY_DATA_DIR: dataDir,
    RECODERY_DATABASE_URL: platform.databaseUrl,
    RECODERY_SECRET_FILE: `${dataDir}/secret`,
  });
  return openPlatform(config, platform.log, { as: 'command' });
}

test.each([25 * hour, -25 * hour])(
  'a process on a machine whose clock is wrong by %i ms has the time of the database',
  async (ms) => {
    const opened = await openShifted(ms);
    const [own, database] = [opened.platform.clock.now().getTime(), await readDatabaseTime()];
    await opened.close();
    expect(Math.abs(own - database)).toBeLessThan(hour);
    const skew = [...platform.logLines.join('').matchAll(/"skewSeconds":(-?\d+)/g)].at(-1)?.[1];
    // the machine's clock stands still until the database has answered
    expect(Math.abs(Number(skew) - ms / 1000)).toBeLessThan(3600);
  },
);

test('a clock that jumps later changes nothing', async () => {
  const clock = await openDatabaseClock(platform.db, silentLog);
  shiftClock(25 * hour);
  const [own, database] = [clock.now().getTime(), await readDatabaseTime()];
  clock.stop();
  expect(Math.abs(own - database)).toBeLessThan(hour);
});

test('portals whose clocks differ by hours accept the tickets of each other, and only for an hour', async () => {
  const opened = await openShifted(-3 * hour);
  const behind = createTickets(opened.platform);
  const [bearer, file] = [bearerOf(newGuid()), newGuid()];
  const ticketIn = async (url: Promise<string>) =>
    new URL(await url, 'http://localhost').searchParams.get('ticket') ?? '';
  const ticket = await ticketIn(behind.mintFileURL(bearer, file));
  vi.useRealTimers();
  const clock = await openDatabaseClock(platform.db, silentLog);
  const inTime = createTickets({ ...platform, clock });
  const later = createTickets({
    ...platform,
    clock: { now: () => new Date(clock.now().getTime() + 2 * hour) },
  });
  expect(await inTime.verify(ticket, 'file', file, null)).toEqual(bearer);
  expect(await later.verify(ticket, 'file', file, null)).toBeNull();
  expect(
    await behind.verify(await ticketIn(inTime.mintFileURL(bearer, file)), 'file', file, null),
  ).toEqual(bearer);
  clock.stop();
  await opened.close();
});

test('a slow first reading is repeated', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  // the response to the first query takes 200 seconds
  const slow = meanwhile(platform.db, async () => void vi.advanceTimersByTime(200_000));
  const clock = await openDatabaseClock(slow, silentLog);
  const [own, database] = [clock.now().getTime(), await readDatabaseTime()];
  clock.stop();
  expect(Math.abs(own - database)).toBeLessThan(50_000);
});
