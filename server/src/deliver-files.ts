/** Connects sealing again with the files that callers can open, and with the links in emails. */
import { emailNews } from './notifications/notifications.ts';
import { findSharer } from './notifications/find-sharer.ts';
import type { Router } from './http/serve.ts';
import { isMaintenanceOn } from './service-status/maintenance.ts';
import { requestSealing, type SealDependencies } from './recoding/sealing/seal-again.ts';
import { serveSealings } from './recoding/sealing/sealing-routes.ts';
import { type ShareRouteDependencies, serveShares } from './share-links/routes.ts';

/** What sealing files again needs besides starting operations. */
export function sealDependencies(
  db: SealDependencies['db'],
  start: Omit<SealDependencies, 'db' | 'isSuspended'>,
): SealDependencies {
  return { ...start, db, isSuspended: () => isMaintenanceOn(db) };
}

/** Registers the routes that seal files again, and those of links. */
export function serveDeliveries(
  router: Router,
  storage: ShareRouteDependencies['storage'],
  sealing: SealDependencies,
): void {
  const { db } = sealing;
  serveSealings(router, {
    ...sealing,
    findSharer: (receiver, fileGuid) => findSharer(db, receiver, fileGuid),
  });
  serveShares(router, {
    db,
    storage,
    news: emailNews,
    sealAgain: (file, notificationGuid, onStart) =>
      requestSealing(sealing, file, { way: 'link', notificationGuid }, onStart),
  });
}
