/** A product that sends its emails to a real mail server, and that server. */
import {
  type MailServer,
  type MailServerOptions,
  startMailServer,
} from '../server/test/email/mail-server.ts';
import { test as base } from './fixtures.ts';
import { startProduct } from './product.ts';

/** The journeys' test with a mail server for each worker, and a product with these settings. */
export const withMailServer = (
  options: MailServerOptions,
  settings: Readonly<Record<string, string>> = {},
) =>
  base.extend<Record<never, never>, { readonly mailServer: MailServer }>({
    mailServer: [
      async ({}, use) => {
        const server = await startMailServer(options);
        await use(server);
        await server.stop();
      },
      { scope: 'worker' },
    ],
    product: [
      async ({ mailServer }, use) => {
        const product = await startProduct({
          RECODERY_SMTP_URL: mailServer.url,
          RECODERY_MAIL_FROM: 'portal@demo.test',
          ...settings,
        });
        await use(product);
        await product.stop();
      },
      { scope: 'worker', timeout: 600_000 },
    ],
  });
