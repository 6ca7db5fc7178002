/**
 * `recodery secret`: wraps every key again under a new installation secret, and renews or replaces the keys that let
 * someone sign in.
 */
import { readFile } from 'node:fs/promises';
import type { Platform } from '../platform.ts';
import { newInstallationSecret } from '../secrets/secret-source.ts';
import { findPresentSecret, rewrapKeys } from '../secrets/secrets.ts';
import { receiptKeyPurpose } from '../receipts/receipt-keys.ts';
import { shareKeyPurpose } from '../email/link-token.ts';
import { invitationKeyPurpose } from '../sign-in/provider/invitations.ts';
import { sessionKeyPurpose } from '../sign-in/sessions.ts';
import { ticketKeyPurpose } from '../slots/sending/tickets.ts';
import { type AddCommand, CommandRefused, type CommandTools, WrongUse } from './support/command.ts';

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
      await tools.withPlatform(renew);
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
      await tools.withPlatform(async (platform) => replaceKeys(platform, tools));
    });
};

/**
 * The keys with which someone could sign in, download a file or sign a receipt. Others cannot be replaced without new
 * devices or clients.
 */
const replaceable = [
  ...['session', 'cookie', 'provider', 'invitation', 'ticket', 'share'],
  receiptKeyPurpose,
];

async function replaceKeys({ secrets }: Platform, tools: CommandTools): Promise<void> {
  for (const purpose of replaceable) {
    const present = await secrets.listKeys(purpose);
    await secrets.createKey(purpose);
    // last, so that an interrupted command leaves a valid key
    for (const { keyId } of present) await secrets.retireKey(purpose, keyId);
  }
  tools.answer(`Replaced the keys for ${replaceable.length} purposes.`);
  tools.say(
    'Now restart every portal and worker. All users must sign in again. Unused invitations no longer work.',
  );
}

/** The purposes of the keys that can be renewed; links in emails and receipts name the key that they were made with. */
const renewable = [
  sessionKeyPurpose,
  ticketKeyPurpose,
  invitationKeyPurpose,
  shareKeyPurpose,
  receiptKeyPurpose,
];

async function renew({ secrets }: Platform): Promise<void> {
  for (const purpose of renewable) {
    // the first key, if there is none yet
    await secrets.listKeys(purpose);
    await secrets.renewKey(purpose);
  }
}

async function rotate(platform: Platform, tools: CommandTools, file?: string): Promise<void> {
  const { db, secretSource } = platform;
  const { rotation } = secretSource;
  if (rotation === null && file === undefined) {
    throw new WrongUse('RECODERY_SECRET sets the secret. Pass the new one with --to FILE.');
  }
  const next = file === undefined ? newInstallationSecret() : await readNext(file);
  const candidates = await secretSource.read();
  const present = await findPresentSecret(db, candidates);
  if (present === next) throw new CommandRefused('The new secret is the same as the current one.');
  // An earlier rotation was interrupted after the keys had changed: its secret must not be overwritten.
  if (present !== candidates[0]) await rotation?.complete();
  // Stored before the keys change: after any interruption, one of the two files opens them.
  await rotation?.prepare(next);
  const count = await rewrapKeys(db, present, next);
  await rotation?.complete();
  tools.answer(`Rewrapped ${count} keys.`);
  if (rotation === null) {
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
