/** The role `portal`: all routes of the contract, the sign-in, and engines that check uploads. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Operation } from '@recodery/contract/features/operations';
import type { FastifyInstance } from 'fastify';
import { serveAdministration } from './administration/serve-administration.ts';
import { announceAudit, recordAudit } from './audit/audit.ts';
import { authenticateClient } from './clients/access-tokens.ts';
import { findLivingClients } from './clients/clients.ts';
import { createHandleIdempotent, forgetAttached } from './clients/idempotency-keys.ts';
import { serveClients } from './clients/routes.ts';
import { serveComparisons } from './comparison/comparison-routes.ts';
import { openDoubles } from './demo/demo-doubles.ts';
import { createDemoWorkspace } from './demo/demo-workspace.ts';
import { createRewriteUrl } from './encoding-api/base-address.ts';
import { openEncodingApi } from './encoding-api/open-encoding-api.ts';
import { serveTermsPreview } from './guide/terms-preview.ts';
import { serveGuide } from './guide/routes.ts';
import { createApp } from './http/app.ts';
import { drain } from './http/drain.ts';
import { createUploadReceiver } from './http/file-transfer.ts';
import { serveApiDescription } from './http/api-document/routes.ts';
import { presentedToken } from './http/requests/access-token.ts';
import { createCountStore } from './http/requests/request-counts.ts';
import { serveSecurityText } from './http/security-text.ts';
import { createRouter, type Router, type RouterOptions } from './http/serve.ts';
import { serveJobs } from './jobs/routes.ts';
import { findSharer } from './notifications/find-sharer.ts';
import { deleteSlotNotifications } from './notifications/delete-notifications.ts';
import { emailNews, noteReceived } from './notifications/notifications.ts';
import { readNotification, serveNotifications } from './notifications/routes.ts';
import { shareFile } from './notifications/share-file.ts';
import { serveReceipts } from './receipts/routes.ts';
import { sealDependencies, serveDeliveries } from './deliver-files.ts';
import { hasDiskRoom, type OpenStorage } from './storage/open-storage.ts';
import type { Subscriber } from './events/read.ts';
import { serveEvents } from './events/routes.ts';
import type { OperationRow } from './operations/operation-rules.ts';
import { serveOperationsLog } from './operations-log/routes.ts';
import { presentOperation, serveOperations } from './operations/routes.ts';
import type { Caller, Doer } from './organisations/caller.ts';
import { findOrganisation } from './organisations/organisations.ts';
import {
  insertFactorMail,
  insertInvitationMail,
  insertPasswordMail,
} from './email/account-emails.ts';
import type { FactorNews } from './sign-in/factors/factor-news.ts';
import { requireFactor } from './sign-in/factors/factors.ts';
import type { PasswordRequest } from './sign-in/provider/passwords/forgotten-password.ts';
import { mailWayOf, openMailer } from './email/smtp.ts';
import { createEnginePool, type EnginePool } from './engine/built-in/pool.ts';
import type { Platform } from './platform.ts';
import { getSendingPreferences, getTimeZone } from './preferences/preferences.ts';
import { servePreferences } from './preferences/routes.ts';
import { findDraft } from './recoding/drafts/draft.ts';
import { serveRecoding } from './recoding/families/serve-recoding.ts';
import { writeDecode } from './recoding/families/write-decode.ts';
import { findRecipient } from './recoding/results/finished-operation.ts';
import type { ImageDependencies } from './recoding/images/image-uploads.ts';
import { listLogFiles } from './recoding/results/log-files.ts';
import { shapeResult } from './recoding/results/result-response.ts';
import { isMaintenanceOn } from './service-status/maintenance.ts';
import { listShownMessages } from './messages/messages.ts';
import { serveMessages } from './messages/routes.ts';
import { startReporting } from './service-status/portals.ts';
import { serveServiceStatus } from './service-status/routes.ts';
import { readServiceStatus } from './service-status/service-status.ts';
import { type ServiceStatusWatch, watchServiceStatus } from './service-status/watch.ts';
import { findCultures, findStarterNames } from './organisations/accounts.ts';
import { describeSession } from './sign-in/describe-session.ts';
import { openSignIn } from './sign-in/open-sign-in.ts';
import { createPasswordQueue } from './sign-in/provider/passwords/password-queue.ts';
import { serveSignIn } from './sign-in/routes.ts';
import { readCurrentTerms } from './sign-in/terms-versions.ts';
import { createAuthenticate, findOpenSessions } from './sign-in/sessions.ts';
import { serveFiles } from './slots/files/files-routes.ts';
import { openTermsTexts, readLinks, readPageSettings } from './page-settings.ts';
import { installationDeps, serveInstallation, startMakingBackups } from './serve-installation.ts';
import { fitsQuota } from './slots/files/replaced-files.ts';
import { findSlotLines } from './slots/slot-lines.ts';
import { openStoredFiles } from './slots/files/open-stored-files.ts';
import { createTickets, type Tickets } from './slots/sending/tickets.ts';
import { languageFor } from './texts/texts.ts';
import { serveTrays } from './trays/routes.ts';
import { createAddressCheck } from './webhooks/addresses.ts';
import { createResolve } from './webhooks/resolve.ts';
import { insertReceivedMessages } from './webhooks/messages.ts';
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
  if (config.isDemo) opening.adopt(await openDoubles(db), ({ stop }) => stop());
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
  const { platform, store } = opened;
  const { config, db, secrets } = platform;
  const { publicUrl, terms } = config;
  // all passwords take turns in one queue, wherever they are checked or set
  const hashing = createPasswordQueue();
  const sendsEmail = mailWayOf(config) !== 'outbox';
  const mailPassword = sendsEmail
    ? (request: PasswordRequest) => insertPasswordMail(db, request)
    : null;
  const sendNews: FactorNews = sendsEmail ? insertFactorMail : async () => undefined;
  const signIn = await openSignIn(app, { ...platform, hashing, mailPassword, sendNews });
  const entrance = createEntrance(platform, store);
  const router = createRouter(app, entrance);
  serveApiDescription(router, config);
  serveGuide(app);
  serveSecurityText(app, { ...platform, readLinks: () => readLinks(platform) });
  const ownTexts = openTermsTexts(app, platform);
  serveTermsPreview(router);
  const { signOutUrl } = signIn;
  const readTerms = () => readCurrentTerms(db, terms);
  serveSignIn(router, { db, secrets, publicUrl, readTerms, signOutUrl });
  serveClients(router, { db, secrets });
  serveAdministration(router, {
    ...platform,
    ...{ publicUrl, hashing, sendNews },
    issuer: config.oidc?.issuer ?? null,
    mailInvitation: sendsEmail ? insertInvitationMail : null,
    mailer: openMailer(config),
    emailNews,
    ...installationDeps(platform),
    ...{ terms, ownTexts, configured: config },
    needsOperatorFactor: config.needsOperatorFactor,
  });
  const addresses = createAddressCheck(config.webhookAllow, createResolve());
  serveWebhooks(router, { db, secrets, addresses });
  serveFeatures(router, opened);
  serveInstallation(router, platform, store);
  router.finish();
  await openEncodingApi(app, entrance, {
    ...imageDependencies(opened),
    addresses: config,
    admitCallbackURL: addresses.admit,
    mostOpenSlots: config.openSlots,
    sealing: sealDependencies(db, imageDependencies(opened)),
  });
}

/** The dependencies that the routes of the portal and of the Encoding API share. */
function createEntrance(platform: Platform, store: OpenStorage): RouterOptions {
  const { config, db } = platform;
  return {
    authenticate: createAuthenticateAnyone(platform),
    handleIdempotent: createHandleIdempotent(db),
    admitOperator: (caller) => requireFactor(db, caller, config.needsOperatorFactor),
    audit: {
      record: (event, trx) => recordAudit(trx ?? db, event),
      announce: (event) => announceAudit(db, event),
    },
    uploads: createUploadReceiver({
      storage: store.storage,
      maxFileBytes: config.maxFileBytes,
      fitsQuota: (organisationId, bytes, usedBytes) =>
        fitsQuota(db, organisationId, bytes, config.organisationBytes, usedBytes),
      hasDiskRoom: () => hasDiskRoom(store, config),
    }),
  };
}

/** Authenticates users by their session, and client applications by their access token. */
function createAuthenticateAnyone({ db, secrets }: Platform): RouterOptions['authenticate'] {
  const authenticateUser = createAuthenticate({ db, secrets });
  return async (request) => {
    const token = presentedToken(request.headers);
    if (token === null) return authenticateUser(request);
    return { caller: await authenticateClient(db, token, request.ip), renewedSession: null };
  };
}

/** The dependencies of starting decodes and encodes. */
function imageDependencies({ platform, store, engines }: Opened): ImageDependencies {
  const { config, db, log } = platform;
  return {
    db,
    log,
    storage: store.storage,
    engines,
    parallelOperations: config.parallelOperations,
    organisationBytes: config.organisationBytes,
    retentionDays: config.retentionDays,
    hasDiskRoom: () => hasDiskRoom(store, config),
  };
}

/** Connects features, which do not import each other. */
function serveFeatures(router: Router, opened: Opened): void {
  const { platform, store } = opened;
  const { config, db, secrets, clock } = platform;
  const nameProtocol = (id: number) => findProtocol(id)?.name ?? null;
  const tickets = createTickets({ secrets, clock });
  const shape = (operation: OperationRow, bearer: Doer) =>
    shapeResult({ ...tickets, writeDecode }, operation, bearer);
  const present = (operation: OperationRow, bearer?: Doer) =>
    presentOperation({ clock, shapeResult: shape }, operation, bearer);

  serveMessages(router, { db });
  serveServiceStatus(router, { db, readSettings: () => readPageSettings(platform) });
  servePreferences(router, { db });
  serveOperationsLog(router, {
    db,
    clock,
    listFiles: listLogFiles,
    nameProtocol,
    getTimeZone: ({ organisationId, accountGuid }) => getTimeZone(db, organisationId, accountGuid),
  });
  serveFiles(router, {
    db,
    storage: store.storage,
    tickets,
    findSharer: (receiver, fileGuid) => findSharer(db, receiver, fileGuid),
    noteReceived: (receiver, fileGuid) => noteReceived(db, receiver, fileGuid),
  });
  serveComparisons(router, { db, storage: store.storage });
  serveOperations(router, {
    db,
    clock,
    shapeResult: shape,
    findSlotLines: (organisationId, slotGuids) => findSlotLines(db, organisationId, slotGuids),
    findStarterNames: (organisationId, guids) => findStarterNames(db, organisationId, guids),
    nameProtocol,
    findRecipient,
  });
  const recoding = { ...imageDependencies(opened), tickets, presentOperation: present };
  serveJobs(router, {
    ...recoding,
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
    ...recoding,
    getSendingPreferences: (caller) => getSendingPreferences(db, caller),
  });
  serveTrays(router, recoding);
  serveNotificationsAndEvents(router, opened, tickets, present);
}

/** Connects notifications and events to finished operations and other changes. */
function serveNotificationsAndEvents(
  router: Router,
  opened: Opened,
  tickets: Tickets,
  presentOperation: (operation: OperationRow) => Promise<Operation>,
): void {
  const { platform, store, watch } = opened;
  const { db, announce, log, secrets, clock } = platform;
  const notifications = {
    db,
    clock,
    mailWay: mailWayOf(platform.config),
    ...tickets,
    readCultures: (callers: readonly Caller[]) => readCultures(db, callers),
  };
  serveNotifications(router, notifications);
  serveDeliveries(router, store.storage, sealDependencies(db, imageDependencies(opened)));
  serveReceipts(router, { db, secrets, publicUrl: platform.config.publicUrl });
  serveEvents(router, {
    db,
    log,
    announce,
    serviceStatus: watch,
    presentOperation,
    findOpenSessions: (guids) => findOpenSessions(db, guids),
    readSession: async ({ caller: { sessionGuid }, headers }) =>
      (await findOpenSessions(db, [sessionGuid])).size > 0
        ? describeSession({ db, secrets }, sessionGuid, headers)
        : null,
    languageOf: (headers) => languageFor(headers, null).locale,
    findLivingClients: (guids) => findLivingClients(db, guids),
    readers: {
      notification: async (organisationId, subscribers, guid) =>
        guid === null
          ? new Map()
          : readNotification(notifications, organisationId, subscribers, guid),
      message: (_organisationId, subscribers) => readMessages(db, subscribers),
      draft: async (organisationId, subscribers, guid) => {
        const draft = guid === null ? null : await findDraft(db, organisationId, guid);
        return new Map(draft === null ? [] : subscribers.map((one) => [one, draft]));
      },
    },
  });
}

/** The cultures that the accounts of callers, or else the organisations of client applications, have chosen. */
async function readCultures(
  db: Platform['db'],
  callers: readonly Caller[],
): Promise<ReadonlyMap<Caller, string | null>> {
  const accounts = new Set(callers.flatMap(({ accountGuid }) => accountGuid ?? []));
  const cultures = new Map(await findCultures(db, [...accounts]));
  // programs have no account
  const organisations = new Set(
    callers.flatMap(({ kind, organisationId }) => (kind === 'client' ? [organisationId] : [])),
  );
  for (const organisationId of organisations)
    cultures.set(organisationId, (await findOrganisation(db, organisationId))?.culture ?? null);
  return new Map(
    callers.map((one) => [one, cultures.get(one.accountGuid ?? one.organisationId) ?? null]),
  );
}

/** All current messages for each subscriber: when the last one is removed, the list is empty. */
async function readMessages<S extends Subscriber>(
  db: Platform['db'],
  subscribers: readonly S[],
): Promise<ReadonlyMap<S, unknown>> {
  const cultures = await readCultures(
    db,
    subscribers.map(({ caller }) => caller),
  );
  const lists = new Map<string, Promise<unknown>>();
  const records = new Map<S, unknown>();
  for (const subscriber of subscribers) {
    const { locale } = languageFor(subscriber.headers, cultures.get(subscriber.caller) ?? null);
    const list = lists.get(locale) ?? listShownMessages(db, locale);
    lists.set(locale, list);
    records.set(subscriber, await list);
  }
  return records;
}
