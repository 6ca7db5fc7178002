/** The routes of the overview. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  getChangelog,
  getHealth,
  getOverview,
  type Health,
} from '@recodery/contract/admin/overview';
import type { Clock } from '../../config/clock.ts';
import { projectDir } from '../../config/config.ts';
import type { Router } from '../../http/serve.ts';
import { type OverviewDeps, readOverview } from './overview.ts';

/** Milliseconds for which the result of a check is used again: each check reaches engines and the mail server. */
const keptMs = 15_000;

export interface OverviewRouteDeps extends OverviewDeps {
  readonly clock: Clock;
  /** The checks of `recodery doctor`. */
  readonly examine: () => AsyncIterable<Health['findings'][number]>;
}

/** Runs the checks, once for all operators who ask at the same time. */
function createCheck({ clock, examine }: Pick<OverviewRouteDeps, 'clock' | 'examine'>) {
  let last: { readonly until: number; readonly health: Promise<Health> } | null = null;
  const check = async (): Promise<Health> => {
    const findings: Health['findings'][number][] = [];
    for await (const { what, state, text } of examine()) findings.push({ what, state, text });
    return { checkedOn: clock.now().toISOString(), findings };
  };
  return (): Promise<Health> => {
    const now = clock.now().getTime();
    if (last === null || last.until <= now) {
      const health = check();
      last = { until: now + keptMs, health };
      health.catch(() => {
        last = null;
      });
    }
    return last.health;
  };
}

/** Registers the routes of contract/admin/overview. */
export function serveOverview(router: Router, deps: OverviewRouteDeps): void {
  const check = createCheck(deps);
  router.serve(getOverview, () => readOverview(deps));
  router.serve(getHealth, check);
  router.serve(getChangelog, async () => ({
    // an image without it shows an empty one
    text: await readFile(join(projectDir, 'CHANGELOG.md'), 'utf8').catch(() => ''),
  }));
}
