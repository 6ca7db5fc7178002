/** What every request of the portal and of the Encoding API passes: who calls, what is recorded of it, and whether an upload fits. */
import { announceAudit, recordAudit } from './audit/audit.ts';
import { authenticateClient } from './clients/access-tokens.ts';
import { createHandleIdempotent } from './clients/idempotency-keys.ts';
import { createUploadReceiver } from './http/file-transfer.ts';
import { presentedToken } from './http/requests/access-token.ts';
import type { RouterOptions } from './http/serve.ts';
import type { Platform } from './platform.ts';
import { requireFactor } from './sign-in/factors/factors.ts';
import { createAuthenticate } from './sign-in/sessions.ts';
import { fitsQuota } from './slots/files/replaced-files.ts';
import { hasDiskRoom, type OpenStorage } from './storage/open-storage.ts';

/** The dependencies that the routes of the portal and of the Encoding API share. */
export function createEntrance(platform: Platform, store: OpenStorage): RouterOptions {
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
      fitsQuota: (organisationId, bytes, use) =>
        fitsQuota(db, organisationId, bytes, config.organisationBytes, use),
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
