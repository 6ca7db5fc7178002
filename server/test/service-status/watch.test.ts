/** The watch on the service status: an announcement triggers a check, and checks do not overtake each other. */
import type { ServiceStatus } from '@recodery/contract/service-status';
import { afterEach, expect, test } from 'vitest';
import type { Announcement, AnnouncementListener } from '../../src/postgres/announce.ts';
import { silentLog } from '../../src/config/log.ts';
import { type ServiceStatusWatch, watchServiceStatus } from '../../src/service-status/watch.ts';

const up: ServiceStatus = { statusCode: 200 };
const down: ServiceStatus = { statusCode: 503 };
const changed: Announcement = { kind: 'service-status', guid: null, organisation: null };

let watch: ServiceStatusWatch;
afterEach(() => watch.stop());

/** A watch whose announcements and check results come from the test. */
function open() {
  const looks: PromiseWithResolvers<ServiceStatus>[] = [];
  const told: number[] = [];
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
      looks.push(look);
      return look.promise;
    },
  });
  watch.subscribe(({ statusCode }) => told.push(statusCode));
  return { looks, told, announce: () => announce(changed) };
}

test('an announcement triggers a check, and a change is reported once', async () => {
  const { looks, told, announce } = open();
  looks[0]?.resolve(up);
  for (const [status, expected] of [
    [down, [503]],
    [down, [503]],
    [up, [503, 200]],
  ] as const) {
    const before = looks.length;
    await expect.poll(() => (announce(), looks.length)).toBeGreaterThan(before);
    looks.at(-1)?.resolve(status);
    await expect.poll(() => told).toEqual(expected);
  }
});

test('an announcement during a check triggers another one, whose result is final', async () => {
  const { looks, told, announce } = open();
  looks[0]?.resolve(up);
  await expect.poll(() => (announce(), looks.length)).toBe(2);
  announce();
  expect(looks).toHaveLength(2);
  looks[1]?.resolve(up);
  await expect.poll(() => looks.length).toBe(3);
  looks[2]?.resolve(down);
  await expect.poll(() => told).toEqual([503]);
});
