/** The matrix's rows for the portal's own API, besides those of the families. */
import { families } from '@recodery/contract/families/registry';
import type { Ask } from './ask.ts';
import { fileRows } from './file-rows.ts';
import { jobRows } from './job-rows.ts';
import {
  foreign,
  nothing,
  type Own,
  ownList,
  programs,
  type Row,
  same,
  slotKinds,
} from './rows.ts';

const refusedToken = '401 API_ERROR_UNAUTHORIZED';

/** A public call, which responds to everyone in the same way. */
const forEveryone = (ask: Row['ask'], answer: string): Row => ({
  ask,
  answers: { none: answer, misplaced: answer.startsWith('2') ? '404 NOT_FOUND' : answer },
});

const ofSession = (own: Own): Ask => ({ params: { sessionId: own.sessionId } });
const ofWebhook = (own: Own): Ask => ({ params: { guid: own.webhook } });

/** A notification is visible only to its sender, not to colleagues or client applications. */
const ofSender: Row = {
  ask: (own) => ({ params: { guid: own.sent } }),
  answers: same(['colleague', ...programs], '404 NOT_FOUND'),
};
/** The recipient's: the columns of the owner's organisation are its sender and callers who are not involved. */
const ofReceiver: Row = {
  ...ofSender,
  answers: { ...ofSender.answers, otherParty: '404 NOT_FOUND' },
  by: 'receiver',
};

const session: Readonly<Record<string, Row>> = {
  'session.validateSsoToken': {
    ask: () => ({ params: { token: 'wrong' } }),
    answers: {
      none: refusedToken,
      ...same(['strangersClient', ...programs], '403 USER_NO_RIGHTS'),
    },
  },
  'session.getSession': { ask: ofSession },
  'session.switchCustomerCode': {
    ask: (own) => ({ params: { sessionId: own.sessionId, code: own.customerCode } }),
    // they may switch back
    answers: { 'otherCode path.code': null },
  },
  'session.logout': { ask: ofSession, isLast: true },
  'session.hasAcceptedTerms': {
    ask: nothing,
    answers: same(['withoutAccess', 'otherCode', 'stranger', 'otherParty'], '200'),
  },
  'session.registerTerms': { ask: nothing },
  'session.getLogo': {
    ...forEveryone((own) => ({ params: { guid: own.organisation, version: '1' } }), '200'),
    accepts: ['organisation'],
  },
};

const operations: Readonly<Record<string, Row>> = {
  'operations.getOperation': {
    ask: (own) => ({ params: { guid: own.slots.kessv2.decode } }),
    accepts: ['decode'],
  },
  'operations.listOperations': {
    ask: (own) => ({ query: { count: '50', before: own.slots.kess3.decode } }),
    answers: {
      ...same([...foreign, 'otherParty', 'misplaced'], '200'),
      'misplaced malformed': '400 BAD_REQUEST',
    },
  },
  'operations.openEvents': {
    ask: nothing,
    answers: same([...foreign, 'otherParty', 'withoutAccess'], '200'),
  },
  'engines.listEngines': ownList,
};

const notifications: Readonly<Record<string, Row>> = {
  'notifications.listNotifications': {
    ask: (own) => ({ query: { count: '20', to: `2100-01-01T00:00:00.000Z~${own.sent}` } }),
    answers: same([...foreign, 'otherParty'], '200'),
  },
  'notifications.markAsReadBySender': ofSender,
  'notifications.markAsInteractedBySender': ofSender,
  'notifications.markAsReadByReceiver': ofReceiver,
  'notifications.markAsInteractedByReceiver': ofReceiver,
  'notifications.revokeShare': { ...ofSender, isLast: true },
};

const share: Readonly<Record<string, Row>> = {
  'share.sharePage': forEveryone(() => ({ params: { token: 'wrong' } }), '404 page'),
  'share.shareDownload': forEveryone(() => ({ params: { token: 'wrong' } }), '404 page'),
};

const receipts: Readonly<Record<string, Row>> = {
  'receipts.receiptPage': forEveryone(() => ({ params: { code: 'wrong' } }), '404 page'),
  'receipts.downloadReceipt': forEveryone(() => ({ params: { code: 'wrong' } }), '404 NOT_FOUND'),
  'receipts.getReceiptKeys': forEveryone(nothing, '200'),
  'receipts.checkReceipt': forEveryone(() => ({ body: { code: 'wrong' } }), '200'),
  'receipts.listReceipts': {
    ask: (own) => ({ params: { slotGUID: own.slots.kessv2.slot } }),
    others: (own) => [{ params: { slotGUID: own.slots.ktag.slot } }],
    accepts: slotKinds,
  },
};

const settings: Readonly<Record<string, Row>> = {
  'preferences.getPreferences': ownList,
  'preferences.putPreferences': { ask: () => ({ body: { organisationPreferences: {} } }) },
  'preferences.putEncodedKessv2FileNameFormat': { ask: () => ({ body: '%d' }) },
  'clients.requestAccessToken': forEveryone(
    (own) => ({ body: { clientApplicationGUID: own.program.guid, secretKey: 'wrong' } }),
    '403 INVALID_CREDENTIALS',
  ),
  'clients.listClients': ownList,
  'clients.addClient': {
    ask: () => ({ body: { name: 'A program', allowedNetworks: [], expiresOn: null } }),
  },
  'clients.revokeClient': { ask: (own) => ({ params: { guid: own.program.guid } }), isLast: true },
  'webhooks.listWebhooks': ownList,
  'webhooks.addWebhook': { ask: () => ({ body: { url: 'https://192.88.98.1/hook' } }) },
  'webhooks.testWebhook': { ask: ofWebhook, accepts: ['webhook'] },
  'webhooks.removeWebhook': { ask: ofWebhook, isLast: true },
  'webhooks.listDeliveries': {
    ask: ofWebhook,
    others: (own) => [{ params: { guid: own.program.guid } }],
    accepts: ['webhook', 'program'],
  },
  'webhooks.replayDelivery': {
    ask: (own) => ({ params: { guid: own.delivery } }),
    accepts: ['delivery'],
  },
};

const service: Readonly<Record<string, Row>> = {
  'messages.listMessages': {
    ask: nothing,
    answers: same([...foreign, 'otherParty', 'withoutAccess'], '200'),
  },
  'serviceStatus.getServiceStatus': {
    ask: nothing,
    answers: same([...foreign, 'otherParty', 'withoutAccess'], '200'),
  },
  'serviceStatus.getConfig': forEveryone(nothing, '200'),
  'serviceStatus.getInstallationLogo': forEveryone(
    () => ({ params: { version: 'none' } }),
    '404 NOT_FOUND',
  ),
  'serviceStatus.getOpenApi': forEveryone(nothing, '200'),
  'serviceStatus.getEncodingApiDocument': forEveryone(nothing, '200'),
  'serviceStatus.getApiPage': forEveryone(nothing, '200'),
};

const invitations: Readonly<Record<string, Row>> = {
  // an account of another organisation has it: nothing is added
  'invitations.inviteUsers': { ask: () => ({ body: { email: 'luca@demo.test' } }) },
  'invitations.listInvitations': ownList,
  'invitations.revokeInvitation': {
    ask: (own) => ({ params: { guid: own.invitation } }),
    accepts: ['invitation'],
    // the row of adminPeople has removed the user
    granted: '404 NOT_FOUND',
    isLast: true,
  },
};

/** The caller's own account. */
const ofCaller: Row['answers'] = same(
  ['withoutAccess', 'otherCode', 'stranger', 'otherParty'],
  '200',
);
const account: Readonly<Record<string, Row>> = {
  'account.getAccount': { ask: nothing, answers: ofCaller },
  'account.listSessions': { ask: nothing, answers: ofCaller },
  'account.updateAccount': { ask: () => ({ body: { name: 'Anna Conti', culture: null } }) },
  'account.changePassword': {
    ask: () => ({ body: { oldPassword: 'wrong', newPassword: 'a wing without wheels' } }),
    granted: '400 FIELDS_NOT_ACCEPTED',
  },
  // the GUID of something else
  'account.endOwnSession': {
    ask: (own) => ({ params: { guid: own.sent } }),
    granted: '404 NOT_FOUND',
  },
  'account.endOtherSessions': { ask: nothing, isLast: true },
};

/** Second factors of the caller: the sessions of the setup have just signed in. */
const factors: Readonly<Record<string, Row>> = {
  'factors.listFactors': { ask: nothing, answers: ofCaller },
  'factors.confirmAccount': {
    ask: () => ({ body: { password: 'wrong' } }),
    granted: '400 FIELDS_NOT_ACCEPTED',
  },
  'factors.draftApp': { ask: nothing, answers: ofCaller },
  'factors.addApp': {
    ask: () => ({ body: { draft: 'wrong', code: '000000', name: 'Phone' } }),
    granted: '400 FIELDS_NOT_ACCEPTED',
  },
  'factors.draftPasskey': { ask: nothing, answers: ofCaller },
  'factors.addPasskey': {
    ask: () => ({ body: { credential: '{}', name: 'Phone' } }),
    granted: '400 FIELDS_NOT_ACCEPTED',
  },
  'factors.renewRecoveryCodes': { ask: nothing, granted: '404 NOT_FOUND' },
  // the GUID of something else
  'factors.removeFactor': {
    ask: (own) => ({ params: { guid: own.sent } }),
    granted: '404 NOT_FOUND',
  },
};

const setup: Readonly<Record<string, Row>> = {
  'setup.readSetup': forEveryone(() => ({ params: { token: 'wrong' } }), '410 SETUP_LINK_EXPIRED'),
  'setup.testSetupEmail': forEveryone(
    () => ({ params: { token: 'wrong' }, body: { to: 'eve@demo.test', culture: 'en-US' } }),
    '410 SETUP_LINK_EXPIRED',
  ),
  'setup.draftSetupPasskey': forEveryone(
    () => ({ params: { token: 'wrong' }, body: { email: 'eve@demo.test', name: 'Eve' } }),
    '410 SETUP_LINK_EXPIRED',
  ),
  'setup.setUp': forEveryone(
    () => ({
      body: {
        token: 'wrong',
        operator: {
          email: 'eve@demo.test',
          name: 'Eve',
          password: 'long enough 4711',
          passkey: null,
        },
        organisation: { customerCode: 'CC-6006', name: 'Eve', culture: 'en-US' },
        groupCode: 'G-60',
        masters: [],
        slaves: [],
      },
    }),
    '410 SETUP_LINK_EXPIRED',
  ),
};

const logs = Object.fromEntries(
  families.map((family) => [
    `operationsLog.download${family.charAt(0).toUpperCase()}${family.slice(1)}Log`,
    ownList,
  ]),
);

export const portalRows: Readonly<Record<string, Row>> = {
  ...session,
  ...operations,
  ...fileRows,
  ...notifications,
  ...share,
  ...receipts,
  ...logs,
  ...settings,
  ...jobRows,
  ...service,
  ...account,
  ...factors,
  ...invitations,
  ...setup,
};
