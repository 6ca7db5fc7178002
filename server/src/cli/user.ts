/** `recodery user invite`: a link with which a user of the directory sets a password. */
import { findAccountByEmail } from '../sign-in/provider/accounts.ts';
import { createInvitationPath, invitationDays } from '../sign-in/provider/invitations.ts';
import { type AddCommand, CommandRefused } from './command.ts';

export const addUser: AddCommand = (program, tools) => {
  const user = program.command('user').description('the users of the directory');
  user
    .command('invite')
    .argument('<email>', 'the e-mail address in the directory')
    .description(`print a link to set a password, good once and for ${invitationDays} days`)
    .action(async (email: string) => {
      const { oidc, publicUrl } = tools.config();
      if (oidc !== null)
        throw new CommandRefused(
          `Users sign in at ${oidc.issuer}: their passwords are kept there.`,
        );
      const path = await tools.withPlatform(async (platform) => {
        const account = await findAccountByEmail(platform.db, email);
        if (account === null)
          throw new CommandRefused(`${email} is no user: name it in the directory first.`);
        return createInvitationPath(platform, account);
      });
      tools.answer(publicUrl + path);
    });
};
