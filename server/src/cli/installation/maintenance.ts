/** `recodery maintenance on|off`: suspends or resumes the service on every open page within a second. */
import { Argument } from 'commander';
import { setMaintenance } from '../../service-status/maintenance.ts';
import type { AddCommand } from '../support/command.ts';

export const addMaintenance: AddCommand = (program, tools) => {
  program
    .command('maintenance')
    .description('suspend or resume the service; running operations continue')
    .addArgument(new Argument('<state>', 'on to suspend, off to resume').choices(['on', 'off']))
    .action(async (state: 'on' | 'off') => {
      const change = await tools.withPlatform(({ db }) => setMaintenance(db, state === 'on'));
      tools.answer(
        {
          none: `Maintenance was already ${state}.`,
          changed: `Maintenance is ${state}.`,
          'plan-ended': 'Maintenance is off. The plan that had started it was removed.',
        }[change],
      );
    });
};
