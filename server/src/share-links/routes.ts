/** Routes for the public page of an email's link: viewing it records nothing, its button downloads the file. */
import { shareDownload, sharePage } from '@recodery/contract/features/share-links';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordAudit } from '../audit/audit.ts';
import { sendPublicPage } from '../http/pages/plain-page.ts';
import type { Router } from '../http/serve.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { DamagedFile, type VerifiedStorage } from '../storage/verified-storage.ts';
import { recordWhenSent } from '../slots/sending/downloads.ts';
import { sendFile } from '../slots/sending/send-file.ts';
import { findStoredFile, type StoredFile } from '../slots/files/stored-files.ts';
import { type Localization, negotiateLanguage } from '../texts/texts.ts';
import { type EmailNews, findShare, recordDownload, type Share } from '../email/emails.ts';
import { type DeadEnd, deadEndPage, sharedFilePage } from './share-page.ts';

export interface ShareRouteDependencies {
  readonly db: Db;
  readonly storage: VerifiedStorage;
  readonly news: EmailNews;
}

/** The target of a link. */
type LinkResult =
  | { readonly leadsTo: 'file'; readonly share: Share; readonly file: StoredFile }
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

/** Registers the public page and its download. */
export function serveShares(router: Router, deps: ShareRouteDependencies): void {
  router.serve(sharePage, async ({ params, request, reply }) => {
    const link = await followLink(deps, params.token);
    if (link.leadsTo !== 'file') return sendDeadEnd(request, reply, link.leadsTo, link.culture);
    const { share, file } = link;
    const [action = ''] = request.url.split('?', 1);
    const shown = {
      ...share,
      slaveSerialNumber: share.slaveSerialNumber ?? '–',
      fileName: file.name,
      size: file.size,
    };
    const language = languageOf(request, share.culture);
    return sendPublicPage(reply, 200, sharedFilePage(language, action, shown));
  });

  router.serve(shareDownload, async ({ params, request, reply }) => {
    const link = await followLink(deps, params.token);
    if (link.leadsTo !== 'file') return sendDeadEnd(request, reply, link.leadsTo, link.culture);
    const { share, file } = link;
    await recordAudit(deps.db, {
      actor: { kind: 'anyone' },
      organisation: share.senderOrganisationId,
      action: 'share.shareDownload',
      object: { email: share.guid, file: file.guid },
      from: request.ip,
      outcome: 'done',
    });
    const by = { way: 'link', notificationGuid: share.guid } as const;
    recordWhenSent(deps.db, [file], by, { request, reply }, () =>
      recordDownload(deps.db, share.guid, deps.news),
    );
    return sendFile(deps.storage, file, request, reply).catch((error: unknown) => {
      if (!(error instanceof DamagedFile)) throw error;
      return sendDeadEnd(request, reply, 'damaged', share.culture);
    });
  });
}
