/** `recodery email test|list|retry`: whether emails arrive, and those that do not. */
import { escapeInvisible } from '@recodery/contract/file-names';
import { Refusal } from '@recodery/contract/refusal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isGuid } from '../config/guids.ts';
import { emailStatuses } from '@recodery/contract/admin/resources';
import type { ListedEmail } from '../email/list-emails.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';

/** Emails that a list prints. */
const mostListed = 1000;

export const addEmail: AddCommand = (program, tools) => {
  const email = program.command('email').description('test the mail server, and retry emails');
  addTest(email, tools);
  addList(email, tools);
  email
    .command('retry')
    .argument('<guid>', 'the GUID of the email, from "email list"')
    .description('send a failed email again, and a waiting one now')
    .action(async (guid: string) => {
      const { retryEmail } = await import('../email/list-emails.ts');
      const { emailNews } = await import('../notifications/notifications.ts');
      const { status, nextOn } = await tools.withPlatform(async ({ db, config }) => {
        if (!isGuid(guid)) throw new CommandRefused(`No email has the GUID ${guid}.`);
        const deps = { news: emailNews, isExternal: config.oidc !== null };
        return retryEmail(db, guid.toLowerCase(), deps).catch((error: unknown) => {
          throw error instanceof Refusal ? new CommandRefused(explain(error, guid)) : error;
        });
      });
      tools.say(`${status}, next attempt ${nextOn?.toISOString() ?? 'unknown'}`);
    });
};

/** Why an email cannot be sent again. */
function explain({ code, details }: Refusal, guid: string): string {
  if (code === 'NOT_FOUND') return `No email has the GUID ${guid}.`;
  const isExpired = JSON.stringify(details).includes('LINK_EXPIRED');
  return isExpired
    ? 'This email is too old to be sent. Send the file or the invitation again, or request a new password.'
    : 'This email was sent or withdrawn, or no user has its address.';
}

function addTest(email: Command, tools: CommandTools): void {
  email
    .command('test')
    .description('send one email, and print the response of the mail server')
    .requiredOption('--to <address>', 'the address to send it to', parseAddress)
    .action(async ({ to }: { to: string }) => {
      const { openMailer } = await import('../email/smtp.ts');
      const { sendTestEmail } = await import('../email/test-email.ts');
      const { outcome, text } = await tools.withPlatform(({ config }) =>
        sendTestEmail(openMailer(config), { to, culture: null, publicUrl: config.publicUrl }),
      );
      if (outcome !== 'accepted') throw new CommandRefused(text);
      tools.answer(text);
    });
}

function addList(email: Command, tools: CommandTools): void {
  email
    .command('list')
    .description(`list the newest emails, at most ${mostListed}, with their GUIDs`)
    .addOption(
      new Option('--status <status>', 'only emails with this status').choices([...emailStatuses]),
    )
    .option('--customer-code <code>', 'only emails of one organisation')
    .option('--json', 'print JSON')
    .action(
      async ({ json, ...filter }: { json?: boolean; status?: string; customerCode?: string }) => {
        const { listOutboxes } = await import('../email/list-emails.ts');
        const found = await tools.withPlatform(({ db }) =>
          listOutboxes(db, filter, { count: mostListed }),
        );
        if (json === true) tools.answer(JSON.stringify(found));
        else for (const one of found) tools.answer(describe(one));
      },
    );
}

function describe(one: ListedEmail): string {
  const { guid, status, kind, email, customerCode, createdOn, nextOn, attempts, error } = one;
  const due = nextOn === null ? '' : `next ${nextOn.toISOString()}`;
  const texts = [guid, createdOn.toISOString(), status, kind, email, customerCode ?? ''];
  return [...texts, `attempts ${attempts}`, due, error ?? ''].map(escapeInvisible).join('\t');
}

function parseAddress(word: string): string {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(word))
    throw new InvalidArgumentError('Must be an email address.');
  return word;
}
