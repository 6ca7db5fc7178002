/** The role `portal`: all routes of the contract, the sign-in, and engines that check uploads. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sealDependencies, serveDeliveries } from './deliver-files.ts';
import { openDoubles, parkDoubles } from './demo/demo-doubles.ts';
import { createDemoWorkspace } from './demo/demo-workspace.ts';
import { createRewriteUrl } from './encoding-api/base-address.ts';
import { openEncodingApi } from './encoding-api/open-encoding-api.ts';
import { createEnginePool, type EnginePool } from './engine/built-in/pool.ts';
import { createEntrance } from './entrance.ts';
import { createApp } from './http/app.ts';
import { drain } from './http/drain.ts';
import { createCountStore } from './http/requests/request-counts.ts';
import { createRouter } from './http/serve.ts';
import { servePageFrame, servePublicTexts } from './serve-pages.ts';
import type { Platform } from './platform.ts';
import { servePreferences } from './preferences/routes.ts';
import { serveReceipts } from './receipts/routes.ts';
import { openAccounts } from './serve-accounts.ts';
import { serveInstallation, startMakingBackups } from './serve-installation.ts';
import { serveNews } from './serve-news.ts';
import { openWork, serveWork } from './serve-work.ts';
import { startReporting } from './service-status/portals.ts';
import { readServiceStatus } from './service-status/service-status.ts';
import { type ServiceStatusWatch, watchServiceStatus } from './service-status/watch.ts';
import { openStoredFiles } from './slots/files/open-stored-files.ts';
import type { OpenStorage } from './storage/open-storage.ts';
import { createAddressCheck } from './webhooks/addresses.ts';
import { createResolve } from './webhooks/resolve.ts';
import { serveWebhooks } from './webhooks/routes.ts';
import type { RunningRole } from './worker.ts';

/** A running portal. */
export interface RunningPortal extends RunningRole {
  /** The port that the portal listens on. */
  readonly port: number;
}

/** The opened resources that routes use. */
interface Opened {
  readonly platform: Platform;
  readonly store: OpenStorage;
  readonly engines: EnginePool;
  readonly watch: ServiceStatusWatch;
}

/** Starts the portal; resolves when it listens. `port` 0 takes any free port. Tests share engine processes by `openPool`. */
export async function startPortal(
  platform: Platform,
  port: number = platform.config.port,
  openPool = createEnginePool,
): Promise<RunningPortal> {
  const { config, db, announce, secrets } = platform;
  const log = platform.log.child({ role: 'portal' });
  if (config.isDemo) await createDemoWorkspace({ db, secrets, dataDir: config.dataDir, log });
  const store = await openStoredFiles(config, { db, log });
  // if the start fails, everything that was opened is closed
  await using opening = new AsyncDisposableStack();
  if (config.isDemo) opening.adopt(await openDoubles(db, secrets), ({ stop }) => stop());
  else await parkDoubles(db, secrets);
  const pool = openPool({
    // checks of uploads are short; decoding and encoding use the worker's engines
    engines: 1,
    scratch: join(config.dataDir, 'scratch'),
    // a user waits for the check
    timeMs: 20_000,
  });
  const engines = opening.adopt(await pool, ({ close }) => close());
  // everyone can read it: unlike other GUIDs, it does not contain the time of the start
  const self = { portalGuid: randomUUID(), isolation: engines.isolation };
  const reports = opening.adopt(await startReporting({ db, log }, self), ({ stop }) => stop());
  const read = () => readServiceStatus(db);
  const watch = opening.adopt(watchServiceStatus({ announce, log, read }), ({ stop }) => stop());
  const created = createApp({
    log,
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    webDir: join(config.projectDir, 'web/dist'),
    rewriteUrl: createRewriteUrl(config.encodingApiHosts),
    countStore: createCountStore(db, log),
    portalGuid: self.portalGuid,
    noticeProxy: reports.noticeProxy,
    isReady: async () => (await db.selectFrom('maintenance').select('is_on').execute()).length > 0,
  });
  const app = opening.adopt(await created, (one) => one.close());
  await serveRoutes(app, { platform: { ...platform, log }, store, engines, watch });
  await app.listen({ host: config.host, port });
  opening.adopt(startMakingBackups({ ...platform, log }, store), (one) => one.stop());
  const address = app.server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  const running = opening.move();
  return {
    port: address.port,
    async stop() {
      await drain(app, config.stopTimes);
      await running.disposeAsync();
    },
  };
}

/** Adds the sign-in, the routes of the contract, the Encoding API, and pages that are not part of the application. */
async function serveRoutes(app: FastifyInstance, opened: Opened): Promise<void> {
  const { platform, store, engines, watch } = opened;
  const { config, db, secrets } = platform;
  const serveAccounts = await openAccounts(app, platform, store);
  const entrance = createEntrance(platform, store);
  const router = createRouter(app, entrance);
  const ownTexts = servePublicTexts(app, router, platform);
  serveAccounts(router, ownTexts);
  const addresses = createAddressCheck(config.webhookAllow, createResolve());
  serveWebhooks(router, { db, secrets, addresses });
  servePageFrame(router, platform);
  servePreferences(router, { db });
  const work = openWork(platform, store, engines);
  const sealing = sealDependencies(db, work);
  serveWork(router, platform, work);
  serveNews(router, platform, work, watch);
  serveDeliveries(router, store.storage, sealing);
  serveReceipts(router, { db, secrets, publicUrl: config.publicUrl });
  serveInstallation(router, platform, store);
  router.finish();
  await openEncodingApi(app, entrance, {
    ...work,
    addresses: config,
    admitCallbackURL: addresses.admit,
    mostOpenSlots: config.openSlots,
    sealing,
  });
}
