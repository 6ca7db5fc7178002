/** Routes for the public page of an email's link: viewing it records nothing, its button downloads the file. */
import { shareDownload, sharePage } from '@recodery/contract/features/share-links';
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordAudit } from '../audit/audit.ts';
import { sendPublicPage } from '../http/pages/plain-page.ts';
import type { Router } from '../http/serve.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { DamagedFile, type VerifiedStorage } from '../storage/verified-storage.ts';
import { readSealing } from '../slots/files/deliveries.ts';
import { recordWhenSent } from '../slots/sending/downloads.ts';
import { sendFile } from '../slots/sending/send-file.ts';
import { findStoredFile, type StoredFile } from '../slots/files/stored-files.ts';
import { type Localization, negotiateLanguage } from '../texts/texts.ts';
import {
  type EmailNews,
  findReceiptCode,
  findShare,
  recordDownload,
  type Share,
} from '../email/emails.ts';
import { type DeadEnd, deadEndPage, sharedFilePage } from './share-page.ts';

export interface ShareRouteDependencies {
  readonly db: Db;
  readonly storage: VerifiedStorage;
  readonly news: EmailNews;
  /**
   * Starts to seal a file again for a link, unless it is fresh, being sealed, or has just failed. `onStart` runs in the
   * transaction that starts it. @throws {Refusal}
   */
  sealAgain(
    file: StoredFile,
    notificationGuid: string,
    onStart: (trx: Db) => Promise<void>,
  ): Promise<SealingState>;
}

/** Seconds after which the page asks whether the file has been sealed. */
const reloadSeconds = 3;

/** A link to a file that is there. */
interface OpenLink {
  readonly share: Share;
  readonly file: StoredFile;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The target of a link. */
type LinkResult =
  | ({ readonly leadsTo: 'file' } & OpenLink)
  | { readonly leadsTo: DeadEnd; readonly culture: string | null };

async function followLink({ db }: ShareRouteDependencies, token: string): Promise<LinkResult> {
  const share = await findShare(db, token);
  if (share === null) return { leadsTo: 'unknown', culture: null };
  const { state, culture, fileGuid, senderOrganisationId } = share;
  if (state !== 'open') return { leadsTo: state, culture };
  const file = fileGuid === null ? null : await findStoredFile(db, senderOrganisationId, fileGuid);
  if (file === null) return { leadsTo: 'gone', culture };
  // its owner may have named it after the vehicle
  return { leadsTo: 'file', share, file: { ...file, name: share.fileName } };
}

function languageOf(request: FastifyRequest, culture: string | null): Localization {
  return negotiateLanguage(request.headers['accept-language'], culture === null ? [] : [culture]);
}

function sendDeadEnd(
  request: FastifyRequest,
  reply: FastifyReply,
  why: DeadEnd,
  culture: string | null,
): undefined {
  return sendPublicPage(
    reply,
    why === 'unknown' ? 404 : 410,
    deadEndPage(languageOf(request, culture), why),
  );
}

/** Shows the page of a link, about its newest delivery; it reloads itself while the file is being sealed again. */
async function sendSharePage(
  db: Db,
  link: OpenLink,
  sealing: SealingState,
  { request, reply }: Exchange,
  status: 200 | 202 = 200,
): Promise<undefined> {
  const { share } = link;
  const file = (await findDelivery(db, link, sealing)) ?? link.file;
  const [action = ''] = request.url.split('?', 1);
  const shown = {
    ...share,
    fileName: file.name,
    size: file.size,
    receiptCode: file.guid === link.file.guid ? share.receiptCode : await findReceiptCode(db, file),
    origin: share.origin && {
      ...share.origin,
      sealedOn: sealing.sealedOn ?? share.origin.sealedOn,
    },
    sealing,
  };
  if (sealing.state === 'sealing') reply.header('refresh', String(reloadSeconds));
  const language = languageOf(request, share.culture);
  return sendPublicPage(reply, status, sharedFilePage(language, action, shown));
}

/** The newest delivery of the file of a link, under the name that the link shows; null: it is no longer there. */
async function findDelivery(
  db: Db,
  { share, file }: OpenLink,
  { fileGUID }: SealingState,
): Promise<StoredFile | null> {
  if (fileGUID === file.guid) return file;
  const newest = await findStoredFile(db, share.senderOrganisationId, fileGUID);
  return newest && { ...newest, name: file.name };
}

/** Records in the audit trail what someone did with a link. */
function recordUse(db: Db, action: string, { share, file }: OpenLink, from: string): Promise<void> {
  return recordAudit(db, {
    actor: { kind: 'anyone' },
    organisation: share.senderOrganisationId,
    action,
    object: { email: share.guid, file: file.guid },
    from,
    outcome: 'done',
  });
}

/** Seals the file again if that is necessary; a refusal is shown as a failure. */
async function sealFor(deps: ShareRouteDependencies, link: OpenLink, from: string) {
  const { share, file } = link;
  try {
    return await deps.sealAgain(file, share.guid, (trx) =>
      recordUse(trx, 'share.sealAgain', { share, file }, from),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const state = await readSealing(deps.db, file);
    return { ...state, state: 'failed', reason: 'FAILED' } as const;
  }
}

/** Registers the public page and its download. */
export function serveShares(router: Router, deps: ShareRouteDependencies): void {
  const { db } = deps;
  router.serve(sharePage, async ({ params, request, reply }) => {
    const link = await followLink(deps, params.token);
    if (link.leadsTo !== 'file') return sendDeadEnd(request, reply, link.leadsTo, link.culture);
    return sendSharePage(db, link, await readSealing(db, link.file), { request, reply });
  });

  router.serve(shareDownload, async ({ params, query, request, reply }) => {
    const link = await followLink(deps, params.token);
    if (link.leadsTo !== 'file') return sendDeadEnd(request, reply, link.leadsTo, link.culture);
    const { share } = link;
    const takesEarlier = query.delivery === 'earlier';
    const sealing = takesEarlier
      ? await readSealing(db, link.file)
      : await sealFor(deps, link, request.ip);
    const isReady = ['lasting', 'fresh', 'impossible'].includes(sealing.state);
    if (!isReady && !takesEarlier) return sendSharePage(db, link, sealing, { request, reply }, 202);
    const file = await findDelivery(db, link, sealing);
    if (file === null) return sendDeadEnd(request, reply, 'gone', share.culture);
    await recordUse(db, 'share.shareDownload', { share, file }, request.ip);
    const by = { way: 'link', notificationGuid: share.guid } as const;
    recordWhenSent(db, [file], by, { request, reply }, () =>
      recordDownload(db, share.guid, deps.news),
    );
    return sendFile(deps.storage, file, request, reply).catch((error: unknown) => {
      if (!(error instanceof DamagedFile)) throw error;
      return sendDeadEnd(request, reply, 'damaged', share.culture);
    });
  });
}
