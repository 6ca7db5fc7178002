/** `recodery maintenance on|off`: suspends or resumes the service on every open page within a second. */
import { Argument } from 'commander';
import { setMaintenance } from '../service-status/maintenance.ts';
import type { AddCommand } from './command.ts';

export const addMaintenance: AddCommand = (program, tools) => {
  program
    .command('maintenance')
    .description('suspend the service, or take it up again; what runs goes on to its end')
    .addArgument(new Argument('<state>', 'whether the service is suspended').choices(['on', 'off']))
    .action(async (state: 'on' | 'off') => {
      const hasChanged = await tools.withPlatform(({ db }) => setMaintenance(db, state === 'on'));
      tools.answer(hasChanged ? `Maintenance is ${state}.` : `Maintenance was ${state} already.`);
    });
};
