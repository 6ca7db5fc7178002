/** User actions without a network fail immediately, and do not run later without confirmation. */
import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '../src/app/query-client.ts';

afterEach(() => onlineManager.setOnline(true));

test('an action without a network fails immediately, and does not run when the network is back', async () => {
  onlineManager.setOnline(false);
  let runs = 0;
  const action = new MutationObserver(queryClient, {
    mutationFn: async () => {
      runs += 1;
      throw new TypeError('Failed to fetch');
    },
  });
  const outcome = action.mutate().then(
    () => 'done',
    () => 'failed',
  );
  const { promise: later, resolve } = Promise.withResolvers<string>();
  setTimeout(resolve, 0, 'paused');
  expect(await Promise.race([outcome, later])).toBe('failed');
  onlineManager.setOnline(true);
  await queryClient.resumePausedMutations();
  expect(runs).toBe(1);
});
