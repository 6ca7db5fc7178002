/** Connects the features that work with files: slots, operations, recoding, jobs and trays. They do not import each other. */
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Operation } from '@recodery/contract/features/operations';
import { forgetAttached } from './clients/idempotency-keys.ts';
import { serveComparisons } from './comparison/comparison-routes.ts';
import type { EnginePool } from './engine/built-in/pool.ts';
import type { Router } from './http/serve.ts';
import { serveJobs } from './jobs/routes.ts';
import { deleteSlotNotifications } from './notifications/delete-notifications.ts';
import { findSharer } from './notifications/find-sharer.ts';
import { noteReceived } from './notifications/notifications.ts';
import { shareFile } from './notifications/share-file.ts';
import type { OperationRow } from './operations/operation-rules.ts';
import { presentOperation, serveOperations } from './operations/routes.ts';
import { serveOperationsLog } from './operations-log/routes.ts';
import { findStarterNames } from './organisations/accounts.ts';
import type { Doer } from './organisations/caller.ts';
import type { Platform } from './platform.ts';
import { getSendingPreferences, getTimeZone } from './preferences/preferences.ts';
import { serveRecoding } from './recoding/families/serve-recoding.ts';
import { writeDecode } from './recoding/families/write-decode.ts';
import type { ImageDependencies } from './recoding/images/image-uploads.ts';
import { findRecipient } from './recoding/results/finished-operation.ts';
import { listLogFiles } from './recoding/results/log-files.ts';
import { shapeResult } from './recoding/results/result-response.ts';
import { isMaintenanceOn } from './service-status/maintenance.ts';
import { serveFiles } from './slots/files/files-routes.ts';
import { createTickets, ofActiveOrganisations, type Tickets } from './slots/sending/tickets.ts';
import { findSlotLines } from './slots/slot-lines.ts';
import { hasDiskRoom, type OpenStorage } from './storage/open-storage.ts';
import { serveTrays } from './trays/routes.ts';
import { insertReceivedMessages } from './webhooks/messages.ts';

/** What decodes and encodes are started with and shown by, wherever they are. */
export interface FileWork extends ImageDependencies {
  readonly tickets: Tickets;
  /** The record of an operation as `bearer`, or else its organisation, may see it. */
  readonly presentOperation: (operation: OperationRow, bearer?: Doer) => Promise<Operation>;
}

/** The result of an operation, with the addresses of its files. */
const shapeWith = (tickets: Tickets) => (operation: OperationRow, bearer: Doer) =>
  shapeResult({ ...tickets, writeDecode }, operation, bearer);

/** Opens what the routes about files and operations share. */
export function openWork(platform: Platform, store: OpenStorage, engines: EnginePool): FileWork {
  const { config, db, log, secrets, clock } = platform;
  const tickets = ofActiveOrganisations(createTickets({ secrets, clock }), db);
  const shape = shapeWith(tickets);
  return {
    db,
    log,
    storage: store.storage,
    engines,
    parallelOperations: config.parallelOperations,
    organisationBytes: config.organisationBytes,
    retentionDays: config.retentionDays,
    hasDiskRoom: () => hasDiskRoom(store, config),
    tickets,
    presentOperation: (operation, bearer) =>
      presentOperation({ clock, shapeResult: shape }, operation, bearer),
  };
}

/** Registers the routes about files and operations. */
export function serveWork(router: Router, platform: Platform, work: FileWork): void {
  const { config, db, secrets, clock } = platform;
  const { storage, tickets } = work;
  const nameProtocol = (id: number) => findProtocol(id)?.name ?? null;
  serveOperationsLog(router, {
    db,
    clock,
    listFiles: listLogFiles,
    nameProtocol,
    getTimeZone: ({ organisationId, accountGuid }) => getTimeZone(db, organisationId, accountGuid),
  });
  serveFiles(router, {
    db,
    storage,
    tickets,
    findSharer: (receiver, fileGuid) => findSharer(db, receiver, fileGuid),
    noteReceived: (receiver, fileGuid) => noteReceived(db, receiver, fileGuid),
  });
  serveComparisons(router, { db, storage });
  serveOperations(router, {
    db,
    clock,
    shapeResult: shapeWith(tickets),
    findSlotLines: (organisationId, slotGuids) => findSlotLines(db, organisationId, slotGuids),
    findStarterNames: (organisationId, guids) => findStarterNames(db, organisationId, guids),
    nameProtocol,
    findRecipient,
  });
  serveJobs(router, {
    ...work,
    secrets,
    retentionBounds: config.retentionBounds,
    maxFileBytes: config.maxFileBytes,
    isSuspended: () => isMaintenanceOn(db),
    nameProtocol,
    forgetNotifications: deleteSlotNotifications,
    forgetAttached,
    shareFile: (trx, sending) =>
      shareFile({ secrets, retentionDays: config.retentionDays }, trx, sending),
    tellReceiver: insertReceivedMessages,
  });
  serveRecoding(router, {
    ...work,
    getSendingPreferences: (caller) => getSendingPreferences(db, caller),
  });
  serveTrays(router, work);
}
