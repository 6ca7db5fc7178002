/** The checks of an encode that is started in a tray: what they let start, what must be confirmed, and what blocks it. */
import { Refusal } from '@recodery/contract/refusal';
import {
  type PreflightAnswer,
  type PreflightCheck,
} from '@recodery/contract/features/recoding/preflight';
import { getEncodeDraft, putEncodeDraft } from '@recodery/contract/features/slots';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { statusQuery } from '../../src/features/service-status/service-status.ts';
import { guid } from '../recoding/results.ts';
import {
  tab,
  trayOf,
  show,
  row,
  openDevicePage,
  encodeOf,
  preflightOf,
  preflightNow,
  isIdle,
  useNewTabs,
} from './live-tray-steps.ts';

useNewTabs();

const outside: PreflightCheck = {
  id: 'outside-calibration',
  part: 'modified',
  status: 'amber',
  error: null,
  reason: null,
  values: {
    bytes: 12,
    protectedBytes: 0,
    hasCalibration: true,
    identificationBytes: 0,
    checksumBytes: 0,
    spans: [],
  },
};
const identical: PreflightCheck = { ...outside, id: 'identical', values: { bytes: 0 } };
const missing: PreflightCheck = {
  ...outside,
  id: 'files',
  status: 'red',
  error: { errorName: 'WRONG_SIZE', detail: null, cause: 'WRONG_SIZE' },
  values: null,
};

const encodeState = () => {
  const { state } = row();
  if (state.at !== 'decoded') throw new Error(`it is ${state.at}`);
  return state.encode;
};

describe('the checks of an encode', () => {
  const at = () => encodeState().at;

  // promise 4.tray.checks
  test('let it start if nothing is amber or red', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.resolve(preflightNow({ ...identical, status: 'green' }));
    tab.live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect([tab.preflights, tab.encodes.length]).toEqual([1, 1]);
  });

  // promise 4.tray.checks
  test('stop it if something is amber, until the user confirms exactly this', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.resolve(preflightNow(outside));
    tab.live.encode(row());
    await expect.poll(at).toBe('asked');
    expect(encodeState()).toMatchObject({ answer: { checks: [outside] } });
    expect([tab.live.queue.unfinished(), tab.live.queue.state().pausedFor]).toEqual([[], null]);
    tab.live.encode(row());
    await expect.poll(() => tab.preflights).toBe(2);
    await expect.poll(at).toBe('asked');

    // the findings have changed in the meantime
    tab.check = () => Promise.resolve(preflightNow(outside, identical));
    tab.live.confirm(row());
    await expect.poll(() => tab.preflights).toBe(3);
    await expect.poll(at).toBe('asked');
    expect(tab.encodes).toEqual([]);
    tab.live.confirm(row());
    await expect.poll(isIdle).toBe(true);
    expect(tab.encodes).toEqual([expect.stringContaining(guid(80))]);
  });

  // promise 4.tray.checks
  test('are not asked about again when the encode is repeated', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.resolve(preflightNow(outside));
    tab.live.encode(row());
    await expect.poll(at).toBe('asked');
    tab.respond = (context) =>
      tab.encodes.length === 1
        ? Promise.reject(new Refusal('USER_NO_RIGHTS'))
        : Promise.resolve(encodeOf(context));
    tab.live.confirm(row());
    await expect.poll(at).toBe('failed');
    tab.live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect(tab.encodes).toHaveLength(2);
  });

  // promise 4.tray.checks
  test('are not asked about again after the page was left', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.resolve(preflightNow(outside));
    const leave = tab.live.hold();
    tab.live.encode(row());
    await expect.poll(at).toBe('asked');
    tab.respond = () => Promise.reject(new Refusal('USER_NO_RIGHTS'));
    tab.live.confirm(row());
    await expect.poll(at).toBe('failed');
    for (const key of tab.live.queue.state().jobs.keys()) tab.live.queue.forget(key);
    leave();
    tab.live = tab.trays.open(guid(9));
    tab.respond = (context) => Promise.resolve(encodeOf(context));
    tab.live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect(tab.encodes).toHaveLength(2);
  });

  // promise 4.tray.checks
  test('are asked about again for another file', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.resolve(preflightNow(outside));
    tab.live.encode(row());
    await expect.poll(at).toBe('asked');
    tab.live.confirm(row());
    await expect.poll(isIdle).toBe(true);
    await show(trayOf(guid(81)));
    tab.live.encode(row());
    await expect.poll(at).toBe('asked');
    expect(tab.encodes).toHaveLength(1);
  });

  // promise 4.tray.checks
  test('block it if something is red, and cannot be confirmed', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.resolve(preflightNow(missing, outside));
    tab.live.encode(row());
    await expect.poll(at).toBe('blocked');
    tab.live.confirm(row());
    expect([at(), tab.preflights, tab.encodes]).toEqual(['blocked', 1, []]);
    // the file was replaced on the device page
    await show(trayOf(guid(81)));
    expect(at()).toBe('ready');
  });

  // promise 4.tray.unchecked
  test('wait until the device page has saved its draft', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await show(trayOf(guid(80)));
    const { store, slotGUID } = openDevicePage();
    const { promise, reject } = Promise.withResolvers<void>();
    const before = tab.answer;
    tab.answer = (route, ...given) =>
      route === putEncodeDraft ? promise : before(route, ...given);
    store.dispatch({ type: 'checksum-switched', skips: true });
    tab.live.encode(row());
    await expect.poll(at).toBe('queued');
    reject(new TypeError('Failed to fetch'));
    await expect.poll(() => tab.live.queue.state().pausedFor).toBe('network');
    expect(tab.preflights).toBe(0);
    tab.answer = before;
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(isIdle).toBe(true);
    expect([tab.preflights, tab.encodes.length]).toEqual([1, 1]);
    await tab.pages.forget(slotGUID);
  });

  // promise 4.tray.unchecked
  test('ignore a removed component that the read does not have', async () => {
    await show(trayOf(guid(80)));
    const answer = preflightNow();
    tab.check = () => Promise.resolve({ ...answer, draft: { ...answer.draft, removed: ['obd'] } });
    tab.live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect(tab.encodes).toHaveLength(1);
  });

  // promise 4.tray.unchecked
  test.each([
    ['SERVICE_UNAVAILABLE', new Refusal('SERVICE_UNAVAILABLE'), 'service'],
    ['a lost connection', new TypeError('Failed to fetch'), 'network'],
    ['an internal error', new Refusal('GENERIC_ERROR'), 'service'],
  ] as const)('pause it after %s', async (_, thrown, reason) => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.reject(thrown);
    tab.live.encode(row());
    await expect.poll(() => tab.live.queue.state().pausedFor).toBe(reason);
    expect(at()).toBe('queued');
    tab.check = () => Promise.resolve(preflightNow(outside));
    tab.live.queue.resume();
    await expect.poll(at).toBe('asked');
    expect(tab.encodes).toEqual([]);
  });

  // promise 4.tray.unchecked
  test('fail after some attempts if only this file cannot be checked', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE'));
    tab.live.encode(row());
    for (const attempt of [1, 2]) {
      await expect.poll(() => tab.preflights).toBe(attempt);
      await expect.poll(() => tab.live.queue.state().pausedFor).toBe('service');
      tab.live.queue.resume();
    }
    await expect.poll(at).toBe('failed');
    expect([tab.preflights, tab.live.queue.state().pausedFor, tab.encodes]).toEqual([3, null, []]);
  });

  // promise 4.tray.unchecked
  test('wait forever while the service is down', async () => {
    await show(trayOf(guid(80)));
    tab.statusCode = 503;
    tab.check = () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE'));
    tab.live.encode(row());
    for (const attempt of [1, 2, 3, 4]) {
      await expect.poll(() => tab.preflights).toBe(attempt);
      await expect.poll(() => tab.live.queue.state().pausedFor).toBe('service');
      expect(at()).toBe('queued');
      if (attempt === 4) tab.check = () => Promise.resolve(preflightNow());
      tab.queries.setQueryData(statusQuery.queryKey, { statusCode: 200 });
    }
    await expect.poll(isIdle).toBe(true);
    expect(tab.encodes).toHaveLength(1);
  });

  // promise 4.tray.unchecked
  test('are those of the draft that the server has now', async () => {
    await show(trayOf(guid(80)));
    tab.server = trayOf(guid(81));
    tab.live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect([tab.preflights, tab.encodes]).toEqual([2, [expect.stringContaining(guid(81))]]);
  });

  // promise 4.tray.unchecked
  test('never let an encode start while they are about other files', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => Promise.resolve(preflightOf(guid(82)));
    tab.live.encode(row());
    for (const attempt of [1, 2]) {
      await expect.poll(() => tab.preflights).toBe(2 * attempt);
      await expect.poll(() => tab.live.queue.state().pausedFor).toBe('service');
      tab.live.queue.resume();
    }
    await expect.poll(at).toBe('failed');
    expect(tab.encodes).toEqual([]);
  });

  // promise 4.tray.unchecked
  test('do not start it if its file was removed on its page in the meantime', async () => {
    await show(trayOf(guid(80)));
    tab.check = () => {
      const answer = preflightNow();
      tab.server = trayOf(null);
      return Promise.resolve(answer);
    };
    tab.live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect([tab.preflights, tab.encodes]).toEqual([1, []]);
  });

  test.each(['removed', 'replaced'])('do not start it if its file was %s', async (what) => {
    await show(trayOf(guid(80)));
    const { promise, resolve } = Promise.withResolvers<PreflightAnswer>();
    tab.check = () => promise;
    tab.live.encode(row());
    await expect.poll(() => tab.preflights).toBe(1);
    if (what === 'removed') await tab.live.removeImage(row(), 'modified');
    else {
      tab.uploaded = () => Promise.resolve();
      tab.live.modify(row(), 'modified', new File(['x'], 'other.bin'));
    }
    resolve(preflightNow());
    await expect.poll(() => tab.live.queue.unfinished()).toEqual([]);
    expect(tab.encodes).toEqual([]);
  });

  test('do not start it if its file was removed while the draft was read for the last time', async () => {
    await show(trayOf(guid(80)));
    const { promise, resolve } = Promise.withResolvers<void>();
    let isAsked = false;
    const before = tab.answer;
    tab.answer = async (route, ...given) => {
      const response = await before(route, ...given);
      if (route === getEncodeDraft && !isAsked) {
        isAsked = true;
        // the server read the draft before the file was removed
        await promise;
      }
      return response;
    };
    tab.live.encode(row());
    await expect.poll(() => isAsked).toBe(true);
    await tab.live.removeImage(row(), 'modified');
    resolve();
    await expect.poll(() => tab.live.queue.unfinished()).toEqual([]);
    expect([tab.preflights, tab.encodes]).toEqual([1, []]);
  });
});
