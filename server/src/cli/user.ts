/** `recodery user invite`: a link with which a user of the directory sets a password. */
import { findAccountByEmail } from '../organisations/accounts.ts';
import { createInvitationPath, invitationDays } from '../sign-in/provider/invitations.ts';
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
        const account = await findAccountByEmail(platform.db, email);
        if (account === null)
          throw new CommandRefused(
            `No user has the email address ${email}. Add it to the directory first.`,
          );
        return createInvitationPath(platform, account);
      });
      tools.answer(publicUrl + path);
    });
};
