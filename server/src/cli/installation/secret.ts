/**
 * `recodery secret`: wraps every key again under a new installation secret, and renews or replaces the keys that let
 * someone sign in.
 */
import { readFile } from 'node:fs/promises';
import type { Platform } from '../../platform.ts';
import {
  renewKeys,
  replaceableKeys,
  replaceKeys,
  rotateSecret,
} from '../../upkeep/installation-keys.ts';
import {
  type AddCommand,
  CommandRefused,
  type CommandTools,
  WrongUse,
} from '../support/command.ts';

export const addSecret: AddCommand = (program, tools) => {
  const secret = program.command('secret').description('manage the installation secret');
  secret
    .command('rotate')
    .description('rotate the secret and rewrap all keys')
    .option(
      '--to <file>',
      'file that contains the new secret; required if RECODERY_SECRET sets the current one',
    )
    .action(async ({ to }: { to?: string }) => {
      await tools.withPlatform(async (platform) => rotate(platform, tools, to));
    });
  secret
    .command('renew')
    .description(
      'renew the keys of sessions, tickets, invitations, links and receipts; issued links and receipts stay valid',
    )
    .action(async () => {
      await tools.withPlatform(({ secrets }) => renewKeys(secrets));
      tools.say(
        'The keys are renewed. Links and receipts that were issued before stay valid. Everything else expires as usual, but no later than the next renewal.',
      );
    });
  secret
    .command('replace-keys')
    .description(
      'replace the keys of sessions, sign-ins, invitations, tickets, links and receipts, for example after a leak',
    )
    .action(async () => {
      await tools.withPlatform(async (platform) => replace(platform, tools));
    });
};

async function replace({ secrets }: Platform, tools: CommandTools): Promise<void> {
  await replaceKeys(secrets);
  tools.answer(`Replaced the keys for ${replaceableKeys.length} purposes.`);
  tools.say(
    'Now restart every portal and worker. All users must sign in again. Unused invitations no longer work.',
  );
}

async function rotate(platform: Platform, tools: CommandTools, file?: string): Promise<void> {
  const next = file === undefined ? undefined : await readNext(file);
  const result = await rotateSecret(platform, next);
  if (result === 'from-environment')
    throw new WrongUse('RECODERY_SECRET sets the secret. Pass the new one with --to FILE.');
  if (result === 'same') throw new CommandRefused('The new secret is the same as the current one.');
  if (result === 'busy')
    throw new CommandRefused('Another rotation has not finished. Nothing was changed.');
  tools.answer(`Rewrapped ${result} keys.`);
  if (platform.secretSource.rotation === null) {
    tools.say('Now set RECODERY_SECRET to the new secret, and restart every portal and worker.');
  }
}

async function readNext(file: string): Promise<string> {
  const text = (
    await readFile(file, 'utf8').catch(() => {
      throw new CommandRefused(`Could not read ${file}.`);
    })
  ).trim();
  if (text.length < 16) throw new CommandRefused('A secret must have at least 16 characters.');
  return text;
}
