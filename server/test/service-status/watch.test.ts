/** The watch on the service status: an announcement triggers a check, and checks do not overtake each other. */
import type { ServiceStatus } from '@recodery/contract/features/service-status';
import { afterEach, expect, test } from 'vitest';
import type { Announcement, AnnouncementListener } from '../../src/postgres/announce.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { type ServiceStatusWatch, watchServiceStatus } from '../../src/service-status/watch.ts';

const up: ServiceStatus = { statusCode: 200 };
const down: ServiceStatus = { statusCode: 503 };
const changed: Announcement = { kind: 'service-status', guid: null, organisation: null };

let watch: ServiceStatusWatch;
afterEach(() => watch.stop());

/** A watch whose announcements and check results come from the test. */
function open() {
  const checks: PromiseWithResolvers<ServiceStatus>[] = [];
  const reported: number[] = [];
  let announce: AnnouncementListener = () => undefined;
  watch = watchServiceStatus({
    announce: {
      subscribe: (listener) => {
        announce = listener;
        return () => undefined;
      },
    },
    log: silentLog,
    read() {
      const look = Promise.withResolvers<ServiceStatus>();
      checks.push(look);
      return look.promise;
    },
  });
  watch.subscribe(({ statusCode }) => reported.push(statusCode));
  return { checks, reported, announce: () => announce(changed) };
}

test('an announcement triggers a check, and a change is reported once', async () => {
  const { checks, reported, announce } = open();
  checks[0]?.resolve(up);
  for (const [status, expected] of [
    [down, [503]],
    [down, [503]],
    [up, [503, 200]],
  ] as const) {
    const before = checks.length;
    await expect.poll(() => (announce(), checks.length)).toBeGreaterThan(before);
    checks.at(-1)?.resolve(status);
    await expect.poll(() => reported).toEqual(expected);
  }
});

test('an announcement during a check triggers another one, whose result is final', async () => {
  const { checks, reported, announce } = open();
  checks[0]?.resolve(up);
  await expect.poll(() => (announce(), checks.length)).toBe(2);
  announce();
  expect(checks).toHaveLength(2);
  checks[1]?.resolve(up);
  await expect.poll(() => checks.length).toBe(3);
  checks[2]?.resolve(down);
  await expect.poll(() => reported).toEqual([503]);
});
