/** Routes for receipts: the public page, its JSON, the public keys, checks, and the list of a slot. */
import { pathOf } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import { readCode } from '@recodery/contract/receipt-code';
import {
  checkReceipt,
  downloadReceipt,
  getReceiptKeys,
  listReceipts,
  receiptPage,
} from '@recodery/contract/features/receipts';
import { recordAudit } from '../audit/audit.ts';
import { sendPublicPage } from '../http/pages/plain-page.ts';
import type { Router } from '../http/serve.ts';
import { findSlot } from '../slots/slots.ts';
import { negotiateLanguage } from '../texts/texts.ts';
import { type CheckDependencies, checkPresented } from './check.ts';
import { checkSignature } from './jws.ts';
import { listReceiptKeys } from './receipt-keys.ts';
import { receiptDocument, unknownReceiptDocument } from './receipt-page.ts';
import { findByCode, listSlotReceipts, type StoredReceipt } from './receipts.ts';

export interface ReceiptDependencies extends CheckDependencies {
  /** The portal's public address. */
  readonly publicUrl: string;
}

/** Registers the routes. */
export function serveReceipts(router: Router, deps: ReceiptDependencies): void {
  const { db, secrets, publicUrl } = deps;
  const find = async (typed: string): Promise<StoredReceipt | null> => {
    const code = readCode(typed);
    return code === null ? null : findByCode(db, code);
  };

  router.serve(receiptPage, async ({ params, query, request, reply }) => {
    const wanted = query.language === undefined ? [] : [query.language];
    const language = negotiateLanguage(request.headers['accept-language'], wanted);
    const stored = await find(params.code);
    const signature =
      stored === null ? null : await checkSignature(stored.receipt, await listReceiptKeys(secrets));
    // a receipt that was changed in the database is treated as unknown
    return signature?.check === 'signed'
      ? sendPublicPage(reply, 200, receiptDocument(language, signature, publicUrl))
      : sendPublicPage(reply, 404, unknownReceiptDocument(language));
  });

  router.serve(downloadReceipt, async ({ params, request, reply }) => {
    const stored = await find(params.code);
    if (stored === null) throw new Refusal('NOT_FOUND');
    const { operationGuid, organisationId, code, receipt } = stored;
    // a HEAD request is not a download
    if (request.method !== 'HEAD')
      await recordAudit(db, {
        actor: { kind: 'anyone' },
        organisation: organisationId,
        action: 'receipts.downloadReceipt',
        object: { operation: operationGuid },
        from: request.ip,
        outcome: 'done',
      });
    reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="receipt-${code}.json"`)
      .send(`${JSON.stringify(receipt, null, 2)}\n`);
    return undefined;
  });

  router.serve(getReceiptKeys, async ({ reply }) => {
    // any page may check receipts
    reply.header('access-control-allow-origin', '*');
    return { keys: [...(await listReceiptKeys(secrets))] };
  });

  router.serve(checkReceipt, async ({ body }) => checkPresented(deps, body));

  router.serve(listReceipts, async ({ caller, params }) => {
    const { organisationId } = caller;
    const found = await listSlotReceipts(db, organisationId, params.slotGUID);
    // receipts outlive their slot
    const isSlot =
      found.length > 0 || (await findSlot(db, organisationId, params.slotGUID)) !== null;
    if (!isSlot) throw new Refusal('NOT_FOUND');
    return found.map(({ code, fileGuid, operationGuid, issuedOn, receipt }) => ({
      code,
      url: receiptAddress(publicUrl, code),
      fileGUID: fileGuid,
      operationGUID: operationGuid,
      issuedOn: issuedOn.toISOString(),
      receipt,
    }));
  });
}

/** The address of a receipt's public page. */
export function receiptAddress(publicUrl: string, code: string): string {
  return `${publicUrl}${pathOf(receiptPage, { code })}`;
}
