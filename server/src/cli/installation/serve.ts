/**
 * `recodery serve`: opens everything in order, waits for the signal to stop, and closes everything in reverse order.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createSetupLink, setupHours } from '../../administration/setup/setup-links.ts';
import { CannotStart } from '../../config/cannot-start.ts';
import type { Config } from '../../config/config.ts';
import { type Log, openLog } from '../../config/log.ts';
import { describeUnknown, describeUnnamedArticles } from '../../config/settings.ts';
import {
  describeIsolation,
  describeMissingIsolation,
  describeWeakness,
  detectIsolation,
} from '../../engine/built-in/isolation.ts';
import { describeMeasured } from '../../scraped-metrics.ts';
import { openPlatform, type OpenPlatform, type Platform } from '../../platform.ts';
import { findWayIn, type WayIn } from '../../organisations/accounts.ts';
import { createDemoLink } from '../../sign-in/provider/demo-pass.ts';
import { hasStoredFiles } from '../../slots/files/stored-files.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { RunningRole } from '../../worker.ts';
import type { AddCommand, CommandTools } from '../support/command.ts';
import { onStop } from '../support/on-stop.ts';

/**
 * Milliseconds for each step of a shutdown: draining the roles (in addition to the portal's own times), sending the last
 * traces, and everything else. After that, the process exits.
 */
const stopTimes = { drain: 3000, traces: 500, rest: 1700 };

/** Starts a role on the platform. */
type StartRole = (platform: Platform) => Promise<RunningRole>;

export const addServe: AddCommand = (program, tools) => {
  program
    .command('serve')
    .description('run the portal, a worker, or both (RECODERY_ROLES)')
    .action(() => serve(tools));
};

/**
 * The option of V8 for the share of the memory for new objects, in percent, at which they are collected between two tasks. With
 * the default of 80, files that pass through a process fill its memory first, and each collection searches the whole heap. A
 * version of V8 without this option only writes an error: `v8-option.test.ts` then fails.
 */
export const collectEarly = '--minor-gc-task-trigger=20';

/**
 * Loads the roles of this process in the order of their start, while the database starts: other commands load none of them,
 * and a worker needs half of the modules of a portal.
 */
function loadRoles({ roles }: Config): readonly Promise<StartRole>[] {
  const loading = [
    ...(roles.includes('worker')
      ? [import('../../worker.ts').then((role) => role.startWorker)]
      : []),
    ...(roles.includes('portal')
      ? [import('../../portal.ts').then((role) => role.startPortal)]
      : []),
  ];
  // the first that fails is reported once the platform is open
  for (const one of loading) one.catch(() => undefined);
  return loading;
}

async function serve(tools: CommandTools): Promise<void> {
  setFlagsFromString(collectEarly);
  const { promise: stopAsked, resolve: stop } = Promise.withResolvers<string>();
  onStop(stop);
  const config = tools.config();
  const log = openLog();
  const lost = Promise.withResolvers<never>();
  // The wait for the stop reports a lost database; if it is lost earlier, the start itself fails.
  lost.promise.catch(() => undefined);
  const starts = loadRoles(config);
  const stopTraces = await startTraces(log, config);
  const stopping = new AbortController();
  void stopAsked.then((signal) => stopping.abort(signal));
  const { signal: abort } = stopping;
  const use = { as: 'serve', onLost: lost.reject, signal: abort } as const;
  const open = await openPlatform(config, log, use).catch((error: unknown) => {
    if (!abort.aborted) throw error;
    log.info({ signal: abort.reason }, 'shut down before the start was complete');
    return null;
  });
  if (open === null) return;
  const roles: RunningRole[] = [];
  let stopBegan = 0;
  try {
    for (const notice of open.notices) tools.say(notice);
    for (const name of config.unknownSettings) tools.say(describeUnknown(name));
    const unnamed = describeUnnamedArticles(config.terms);
    if (unnamed !== null) tools.say(unnamed);
    await checkIsolation(config, log);
    if (config.metrics !== null) roles.push(await startMetrics(open.platform, config.metrics));
    // a worker must not send anything to the port of a previous start
    if (config.roles.includes('portal')) {
      const { parkDoubles } = await import('../../demo/demo-doubles.ts');
      await parkDoubles(open.platform.db, open.platform.secrets);
    }
    // The portal starts last: its open port shows that everything is ready.
    for (const start of starts) roles.push(await (await start)(open.platform));
    tools.answer(await welcome(open.platform));
    // if the database is lost from now on, it may come back: the roles wait for it
    const hint = await findSignInHint(open.platform).catch((error: unknown) => {
      log.warn({ error }, 'could not check whether anyone can sign in');
      return null;
    });
    if (hint !== null) tools.say(hint);
    const signal = await Promise.race([stopAsked, lost.promise]);
    stopBegan = performance.now();
    log.info({ signal }, 'shutting down');
  } finally {
    await closeAll(open, roles, log);
    // a collector that does not respond must not delay the exit
    await Promise.race([stopTraces(), wait(stopTimes.traces, undefined, { ref: false })]);
  }
  log.info({ milliseconds: Math.round(performance.now() - stopBegan) }, 'shut down');
}

/** Logs how engines are isolated. @throws {CannotStart} if the operator requires more */
async function checkIsolation(config: Config, log: Log): Promise<void> {
  const isolation = await detectIsolation(join(config.dataDir, 'scratch'));
  const missing = describeMissingIsolation(isolation, config);
  if (missing !== null) throw new CannotStart(missing);
  const { namespaces, isSealed, obstacles } = isolation;
  const weakness = describeWeakness({ hasNamespaces: namespaces !== null, isSealed }, obstacles);
  log.info(
    { isolation: describeIsolation(isolation), ...(weakness === null ? {} : { weakness }) },
    'engine isolation',
  );
}

/** Loaded only here: most portals send no traces. */
async function startTraces(
  log: Log,
  { version, hasCollector }: Config,
): Promise<() => Promise<void>> {
  if (!hasCollector) return async () => undefined;
  const { sendTraces } = await import('../../traces/send-traces.ts');
  log.info('sending traces');
  return sendTraces(log, version);
}

/** Loaded only here: most portals serve no metrics. */
async function startMetrics(
  platform: OpenPlatform['platform'],
  address: NonNullable<Config['metrics']>,
): Promise<RunningRole> {
  const { config, log } = platform;
  const { serveMetrics } = await import('../../metrics/serve-metrics.ts');
  const measured = describeMeasured(
    platform,
    await openStorage(config, () => hasStoredFiles(platform.db)),
  );
  const server = await serveMetrics({ ...address, log, version: config.version, measured });
  log.info(address, 'serving metrics');
  return server;
}

async function closeAll(
  open: OpenPlatform,
  roles: readonly RunningRole[],
  log: Log,
): Promise<void> {
  const { delayMs, patienceMs } = open.platform.config.stopTimes;
  const drainMs = delayMs + patienceMs + stopTimes.drain;
  const milliseconds = drainMs + stopTimes.rest;
  const deadline = setTimeout(() => {
    log.error({ milliseconds }, 'could not shut down in time');
    process.exit(1);
  }, milliseconds);
  deadline.unref();
  await open.announceStop();
  const drained = Promise.allSettled(roles.map((role) => role.stop()));
  await Promise.race([drained, wait(drainMs, undefined, { ref: false })]);
  await open.close();
}

/** The output of `npm start`: where to sign in, and with which account. */
async function welcome({ config, secrets, db }: OpenPlatform['platform']): Promise<string> {
  const { publicUrl, isDemo, oidc, roles } = config;
  // scripts wait for this line: without the commit
  const version = config.version.replace(/\+.*/, '');
  if (!roles.includes('portal')) return `Recodery ${version} worker is ready.`;
  const lines = [`Recodery ${version} is ready: ${publicUrl}`];
  if (isDemo && oidc === null) {
    const link = await createDemoLink({ config, secrets });
    lines.push('Sign in as anna@demo.test with the password demo.');
    const { doubleMakers, hasDoubles } = await import('../../demo/demo-doubles.ts');
    if (await hasDoubles(db))
      lines.push(
        `To try ${doubleMakers} with doubles of their services, sign in as emma@demo.test.`,
      );
    lines.push(`From a container or through an SSH tunnel, first open ${link}`);
  }
  return lines.join('\n');
}

const command = 'npx --no-install recodery';
/** The advice when no one can sign in. */
const hints: Readonly<Record<Exclude<WayIn, 'open'>, string>> = {
  'no-user': `No user can sign in yet. List your organisation, its devices and users in a file (docs/directory.md), then run: ${command} directory apply FILE`,
  'no-password': `No user can sign in yet, because no user has a password. Invite one: ${command} user invite EMAIL`,
};

async function findSignInHint({ config, db }: OpenPlatform['platform']): Promise<string | null> {
  if (!config.roles.includes('portal')) return null;
  const passwords = config.oidc === null;
  const readiness = await findWayIn(db, { demo: config.isDemo, passwords });
  if (readiness === 'open') return null;
  // demo users do not count, but their installation is set up
  const link = readiness === 'no-user' ? await createSetupLink(db, config.publicUrl) : null;
  if (link === null) return hints[readiness];
  return `To set up this installation in a browser, open this link within ${setupHours} hours:\n${link}\n${hints[readiness]}`;
}
