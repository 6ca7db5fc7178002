/** Connects what users learn without asking: notifications, the event stream, and what it announces. */
import { findLivingClients } from './clients/clients.ts';
import { mailWayOf } from './email/smtp.ts';
import { serveEvents } from './events/routes.ts';
import type { Router } from './http/serve.ts';
import { readMessages } from './messages/read-messages.ts';
import {
  readNewestNotification,
  readNotification,
  serveNotifications,
} from './notifications/routes.ts';
import type { Platform } from './platform.ts';
import { findDraft } from './recoding/drafts/draft.ts';
import type { FileWork } from './serve-work.ts';
import type { ServiceStatusWatch } from './service-status/watch.ts';
import { describeSession } from './sign-in/describe-session.ts';
import { findOpenSessions } from './sign-in/sessions.ts';
import { languageFor } from './texts/texts.ts';

/** Registers the routes of notifications and of the event stream. */
export function serveNews(
  router: Router,
  platform: Platform,
  { tickets, presentOperation }: Pick<FileWork, 'tickets' | 'presentOperation'>,
  watch: ServiceStatusWatch,
): void {
  const { db, announce, log, secrets, clock } = platform;
  const notifications = { db, clock, mailWay: mailWayOf(platform.config), ...tickets };
  serveNotifications(router, notifications);
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
    readNewestNotification: (subscribers, seconds) =>
      readNewestNotification(notifications, subscribers, seconds),
  });
}
