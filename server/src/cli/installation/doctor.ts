/** `recodery doctor`: checks the installation, one line per check. */
import { examine } from '../../upkeep/doctor.ts';
import { openLog } from '../../config/log.ts';
import { type AddCommand, CommandRefused, type CommandTools } from '../support/command.ts';

export const addDoctor: AddCommand = (program, tools) => {
  program
    .command('doctor')
    .description('check the installation; exits with code 1 if a check fails')
    .option('--deep', 'also read every stored file and check its hash, which can take hours')
    .action(({ deep = false }: { readonly deep?: boolean }) => doctor(tools, deep));
};

async function doctor(tools: CommandTools, isDeep: boolean): Promise<void> {
  const log = openLog().child({}, { level: 'silent' });
  let wrong = 0;
  for await (const { what, state, text } of examine({ config: tools.config(), log, isDeep })) {
    const mark = state === 'wrong' ? 'ERROR' : state;
    tools.answer(`${mark.padEnd(7)}  ${what.padEnd(13)}  ${text}`);
    if (state === 'wrong') wrong += 1;
  }
  if (wrong > 0)
    throw new CommandRefused(wrong === 1 ? '1 check failed.' : `${wrong} checks failed.`);
}
