/** `recodery engine trial`: tries one decode and one encode at a maker's service, for a report to send in. */
import { readFile } from 'node:fs/promises';
import { definitionOf } from '@recodery/contract/families/registry';
import { engineOf, settingsOf } from '@recodery/contract/features/engines';
import type { Command } from 'commander';
import { findConnection } from '../../engine-connections/engine-connections.ts';
import type { Platform } from '../../platform.ts';
import { tryConnection } from '../../recoding/engine-selection/try-connection.ts';
import { CommandRefused, type CommandTools } from '../support/command.ts';

interface TrialOptions {
  readonly read: string;
  readonly slave?: string;
}

export function addTrial(engine: Command, tools: CommandTools): void {
  engine
    .command('trial')
    .argument('<name>', 'the name of the connection, from "engine list"')
    .requiredOption('--read <file>', "a read file of one of the account's slaves")
    .option(
      '--slave <serial>',
      'the serial number of that slave, for makers whose service needs it',
    )
    .description(
      'decode a read file, encode it unchanged, and print a report without credentials; only for services of makers',
    )
    .action((name: string, given: TrialOptions) =>
      tools.withPlatform((platform) => tryOne(platform, tools, name, given)),
    );
}

async function tryOne(
  { db, secrets, log, config }: Platform,
  tools: CommandTools,
  name: string,
  { read: file, slave }: TrialOptions,
): Promise<void> {
  const bytes = await readFile(file).catch(() => {
    throw new CommandRefused(`Could not read ${file}.`);
  });
  const connection = await findConnection(db, name);
  if (connection === null)
    throw new CommandRefused(
      `There is no connection ${name}. To list all connections, run "engine list".`,
    );
  const { kind, url } = connection;
  const [family, ...others] = engineOf(kind).families;
  // the other services keep what is open there, and serve several families
  if (family === undefined || others.length > 0)
    throw new CommandRefused(`The kind ${kind} has no trial. Check it with "engine test".`);
  const deps = { secrets, log, maxFileBytes: config.maxFileBytes };
  const { isRight, lines } = await tryConnection(deps, connection, family, bytes, slave ?? null);
  const place = url === settingsOf(kind).url ? "the maker's address" : 'another address';
  tools.answer(
    [
      `Recodery ${config.version}, ${definitionOf(family).name}, kind ${kind}, ${place}`,
      ...lines,
    ].join('\n'),
  );
  tools.say(
    'Credentials, addresses, VINs, and what the service reported of the slave are hidden. The report can quote the service: read it before you send it.',
  );
  if (!isRight) throw new CommandRefused('The trial failed.');
}
