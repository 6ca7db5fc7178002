/** `recodery user`: creates links for users of the directory to set a password, ends their sessions, and removes second factors. */
import { type Account, findAccountByEmail } from '../organisations/accounts.ts';
import { insertFactorMail } from '../email/account-emails.ts';
import { mailWayOf } from '../email/smtp.ts';
import type { Platform } from '../platform.ts';
import { resetFactors } from '../sign-in/factors/factors.ts';
import { createInvitationPath, invitationDays } from '../sign-in/provider/invitations.ts';
import { signOutUser } from '../sign-in/sign-out-user.ts';
import { type AddCommand, CommandRefused } from './support/command.ts';

export const addUser: AddCommand = (program, tools) => {
  const user = program.command('user').description('manage the users of the directory');
  user
    .command('invite')
    .argument('<email>', 'the email address in the directory')
    .description(`print a link to set a password; it works once, within ${invitationDays} days`)
    .action(async (email: string) => {
      const { oidc, publicUrl } = tools.config();
      if (oidc !== null)
        throw new CommandRefused(`Users sign in at ${oidc.issuer}, which manages their passwords.`);
      const path = await tools.withPlatform(async (platform) => {
        return createInvitationPath(platform, await requireAccount(platform, email));
      });
      tools.answer(publicUrl + path);
    });
  user
    .command('sign-out')
    .argument('<email>', 'the email address in the directory')
    .description('end all sessions of a user, in every browser')
    .action(async (email: string) => {
      await tools.withPlatform((platform) =>
        platform.db
          .transaction()
          .execute(async (trx) =>
            signOutUser(trx, (await requireAccount({ db: trx }, email)).guid),
          ),
      );
    });
  user
    .command('reset-factors')
    .argument('<email>', 'the email address in the directory')
    .description('remove all second factors of a user who has lost them, and end all sessions')
    .action(async (email: string) => {
      const removed = await tools.withPlatform((platform) =>
        platform.db.transaction().execute(async (trx) => {
          const { guid } = await requireAccount({ db: trx }, email);
          const sendsEmail = mailWayOf(platform.config) !== 'outbox';
          return resetFactors(trx, guid, sendsEmail ? insertFactorMail : async () => undefined);
        }),
      );
      tools.answer(removed.length === 0 ? 'The user had no second factor.' : removed.join('\n'));
    });
};

async function requireAccount({ db }: Pick<Platform, 'db'>, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email);
  if (account === null)
    throw new CommandRefused(
      `No user has the email address ${email}. Add it to the directory first.`,
    );
  return account;
}
