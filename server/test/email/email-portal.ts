/** What tests of emails share: a portal with a real mail server, and the status of an email. */
import { randomBytes } from 'node:crypto';
import { noticeOf, type Sending } from '../notifications/sending-workshop.ts';

export const from = 'Recodery <portal@recodery.test>';
export const recipient = 'garage@rossi.test';
const secret = randomBytes(32).toString('hex');

export const environment = (smtp: { readonly url: string }) => ({
  RECODERY_SMTP_URL: smtp.url,
  RECODERY_MAIL_FROM: from,
  RECODERY_PUBLIC_URL: 'https://portal.recodery.test',
  RECODERY_SECRET: secret,
  RECODERY_PARALLEL_OPERATIONS: '300',
});

/** The status of an operation's email as its sender sees it, once it is no longer waiting. */
export async function settled(sending: Sending, operation: { readonly guid: string }) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = async () => {
    const { mail } = await noticeOf(sending.anna, operation);
    if (mail !== null && mail.status !== 'waiting') resolve();
  };
  const stop = await sending.anna.listen(({ name }) => {
    if (name === 'notification') void look();
  });
  await look();
  await promise.finally(stop);
  return noticeOf(sending.anna, operation);
}
