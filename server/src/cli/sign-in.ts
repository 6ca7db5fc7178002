/** `recodery sign-in show|test|failures`: where users sign in, whether that works, and why sign-ins failed. */
import {
  type SignInFailureReason,
  signInFailureReasons,
} from '@recodery/contract/admin/sign-in-resources';
import { escapeInvisible } from '@recodery/contract/file-names';
import { type Command, Option } from 'commander';
import type { ListedFailure } from '../sign-in/failures.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';

/** Failures that a list prints: all that are kept. */
const mostListed = 10_000;

export const addSignIn: AddCommand = (program, tools) => {
  const signIn = program
    .command('sign-in')
    .description('show and test where users sign in, and list failed sign-ins');
  signIn
    .command('show')
    .description('print where users sign in, without any secret')
    .action(async () => {
      const { describeProvider } = await import('../sign-in/describe-provider.ts');
      for (const [name, value] of Object.entries(describeProvider(tools.config())))
        if (value !== null) tools.answer(`${name.padEnd(16)}  ${String(value)}`);
    });
  signIn
    .command('test')
    .description('test the external sign-in provider; exits with code 1 if it cannot be used')
    .action(() => test(tools));
  addFailures(signIn, tools);
};

async function test(tools: CommandTools): Promise<void> {
  const { oidc, publicUrl } = tools.config();
  if (oidc === null)
    throw new CommandRefused(
      'Users sign in at the built-in provider, so there is nothing to test. Set RECODERY_OIDC_ISSUER for an external one.',
    );
  const { checkProvider } = await import('../sign-in/check-provider.ts');
  const { state, checks } = await checkProvider(oidc, publicUrl);
  for (const check of checks) {
    const mark = check.state === 'wrong' ? 'ERROR' : check.state;
    tools.answer(`${mark.padEnd(9)}  ${check.what.padEnd(9)}  ${escapeInvisible(check.text)}`);
  }
  if (state === 'wrong') throw new CommandRefused('The provider cannot be used.');
}

function addFailures(signIn: Command, tools: CommandTools): void {
  signIn
    .command('failures')
    .description('list the last failed sign-ins with their reason, newest first')
    .addOption(
      new Option('--reason <reason>', 'only failures with this reason').choices([
        ...signInFailureReasons,
      ]),
    )
    .option('--json', 'print JSON')
    .action(async ({ json, reason }: { json?: boolean; reason?: SignInFailureReason }) => {
      const { listFailures } = await import('../sign-in/failures.ts');
      const found = await tools.withPlatform(({ db }) =>
        listFailures(db, { reason, count: mostListed }),
      );
      if (json === true) tools.answer(JSON.stringify(found));
      else for (const one of found) tools.answer(describe(one));
    });
}

function describe({ failedOn, reason, email, address, detail }: ListedFailure): string {
  const texts = [failedOn.toISOString(), reason, email ?? '', address ?? '', detail ?? ''];
  return texts.map(escapeInvisible).join('\t');
}
