/** Owns the table mail: the outbox, from which mails are claimed like operations, and the link that each of them bears. */

/** Where a mail stands; `revoked` by its sender. */
export type MailStatus = 'waiting' | 'sent' | 'failed' | 'revoked';
/** Why a mail failed: too many that day, refused by the mail server, not to be delivered for a whole day. */
export type MailFailure = 'limit' | 'refused' | 'undeliverable';

/** Mails that an organisation may send a day. */
export const mailsPerDay = 100;
