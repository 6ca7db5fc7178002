/** `recodery setup-link`: prints a link with which an installation without users is set up in a browser. */
import { createSetupLink, setupHours } from '../../administration/setup/setup-links.ts';
import { type AddCommand, CommandRefused } from '../support/command.ts';

export const addSetupLink: AddCommand = (program, tools) => {
  program
    .command('setup-link')
    .description(
      `print a link to set up an installation without users; it works once, within ${setupHours} hours`,
    )
    .action(async () => {
      const { publicUrl } = tools.config();
      const link = await tools.withPlatform(({ db }) => createSetupLink(db, publicUrl));
      if (link === null)
        throw new CommandRefused('This installation already has users. Sign in as one of them.');
      tools.answer(link);
    });
};
