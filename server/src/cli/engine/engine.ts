/** `recodery engine add|list|test|trial|remove`: connections to the engines of vendors. */
import { readFile } from 'node:fs/promises';
import { doubleName, isDouble } from '@recodery/contract/features/demo-doubles';
import { builtInEngine, connectionKinds, settingsOf } from '@recodery/contract/features/engines';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { removeEngine } from '../../administration/installation/engines.ts';
import {
  isClient,
  isConnectionName,
  readServiceUrl,
} from '../../engine-connections/read-connection.ts';
import { lockDirectory } from '../../organisations/directory/directory.ts';
import {
  type EngineConnection,
  findConnection,
  listConnections,
  listMastersOfConnection,
  saveConnection,
} from '../../engine-connections/engine-connections.ts';
import { testConnection } from '../../recoding/engine-selection/test-connection.ts';
import { listSlotsInUse } from '../../operations/operations.ts';
import { countSlotsOfConnection } from '../../slots/slots.ts';
import type { Platform } from '../../platform.ts';
import { addTrial } from './engine-trial.ts';
import {
  type AddCommand,
  CommandRefused,
  type CommandTools,
  WrongUse,
} from '../support/command.ts';

export const addEngine: AddCommand = (program, tools) => {
  const engine = program.command('engine').description("manage connections to vendors' engines");
  addAdd(engine, tools);
  engine
    .command('list')
    .description('list all connections with the master devices that use them')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      tools.withPlatform(({ db }) => list(db, tools, options.json === true)),
    );
  engine
    .command('test')
    .argument('<name>', 'the name of the connection, from "engine list"')
    .description('check that the service responds and accepts the credentials')
    .action((name: string) => tools.withPlatform((platform) => test(platform, tools, name)));
  addTrial(engine, tools);
  engine
    .command('remove')
    .argument('<name>', 'the name of the connection, from "engine list"')
    .description('remove a connection that no master device uses')
    .action((name: string) => tools.withPlatform((platform) => remove(platform, tools, name)));
};

interface AddOptions {
  readonly kind: EngineConnection['kind'];
  readonly url?: string;
  readonly client?: string;
  readonly secretFile: string;
  readonly replace?: boolean;
}

function addAdd(engine: Command, tools: CommandTools): void {
  engine
    .command('add')
    .argument('<name>', 'the name that the directory file uses after "engine:"', parseName)
    .description("add a connection to a vendor's engine")
    .addOption(
      new Option('--kind <kind>', 'the API of the service')
        .choices(connectionKinds)
        .makeOptionMandatory(),
    )
    .option(urlOption, 'base URL; must use https unless it is a loopback address', parseUrl)
    .option(clientOption, describeClients(), parseClient)
    .requiredOption('--secret-file <file>', 'file with the secret of the client application')
    .option('--replace', 'change the address and the credentials of an existing connection')
    .action((name: string, options: AddOptions, command: Command) =>
      add(tools, name, { ...options, ...settle(options, command) }),
    );
}

const urlOption = '--url <url>';
const clientOption = '--client <id>';

/** What `--client` is, for each kind that has it. */
function describeClients(): string {
  const texts = connectionKinds.flatMap((kind) => settingsOf(kind).client ?? []);
  return [...new Set(texts)].join('; ');
}

/** The settings of the connection, of which each kind needs its own. */
function settle(options: AddOptions, command: Command) {
  const settings = settingsOf(options.kind);
  const url = options.url ?? settings.url;
  const missing = (option: string): never =>
    command.error(`error: required option '${option}' not specified`);
  if (settings.client === null && options.client !== undefined)
    throw new WrongUse(`--client is not used by engines of the kind ${options.kind}.`);
  return {
    url: url ?? missing(urlOption),
    clientGuid: settings.client === null ? null : (options.client ?? missing(clientOption)),
  };
}

async function add(
  tools: CommandTools,
  name: string,
  options: AddOptions & ReturnType<typeof settle>,
): Promise<void> {
  const { kind, url, clientGuid, secretFile, replace = false } = options;
  const secretKey = await readSecret(secretFile);
  await tools.withPlatform(async (platform) => {
    const { secrets } = platform;
    await platform.db.transaction().execute(async (db) => {
      // no directory file may give it to a master in the meantime
      await lockDirectory(db);
      const existing = await findConnection(db, name);
      if (existing !== null && !replace)
        throw new CommandRefused(
          `The connection ${name} already exists. To change it, use --replace.`,
        );
      if (existing !== null && existing.kind !== kind) await requireUnused(db, existing);
      await saveConnection({ db, secrets }, { name, kind, url, clientGuid }, secretKey);
    });
  });
  tools.say(
    `The connection is saved. Check it with "engine test", then name it in the directory file: engine: ${name}`,
  );
}

/** Refuses to change the kind of a connection in use: another kind may not serve its masters, nor encode their reads. */
async function requireUnused(db: Platform['db'], { guid, name }: EngineConnection): Promise<void> {
  const refuseFor = (users: string, isOne: boolean): never => {
    throw new CommandRefused(
      `${users} use${isOne ? 's' : ''} ${name}, so its kind cannot change. Add another connection.`,
    );
  };
  const masters = await listMastersOfConnection(db, guid);
  if (masters.length > 0) refuseFor(masters.join(', '), masters.length === 1);
  const jobs = await countSlotsOfConnection(db, guid);
  if (jobs > 0) refuseFor(jobs === 1 ? 'One job' : `${jobs} jobs`, jobs === 1);
  // its job may have been deleted
  if ((await listSlotsInUse(db, guid, null)).length > 0) refuseFor('Unfinished operations', false);
}

async function readSecret(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandRefused(`Could not read ${file}.`);
  });
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new CommandRefused(`${file} is empty.`);
  return secret;
}

async function list(db: Platform['db'], tools: CommandTools, asJson: boolean): Promise<void> {
  const connections = await Promise.all(
    (await listConnections(db)).map(async ({ guid, name, kind, url, clientGuid }) => {
      const masters = await listMastersOfConnection(db, guid);
      return { name, kind, url, clientApplicationGUID: clientGuid, masters };
    }),
  );
  if (asJson) tools.answer(JSON.stringify(connections));
  else
    for (const { name, kind, url, clientApplicationGUID, masters } of connections)
      tools.answer([name, kind, url, clientApplicationGUID, masters.join(', ')].join('\t'));
}

async function requireConnection(db: Platform['db'], name: string): Promise<EngineConnection> {
  const connection = await findConnection(db, name);
  if (connection === null)
    throw new CommandRefused(
      `There is no connection ${name}. To list all connections, run "engine list".`,
    );
  return connection;
}

async function test(platform: Platform, tools: CommandTools, name: string): Promise<void> {
  const finding = await testConnection(platform, await requireConnection(platform.db, name));
  if (!finding.isRight) throw new CommandRefused(finding.text);
  tools.answer(finding.text);
}

async function remove(platform: Platform, tools: CommandTools, name: string): Promise<void> {
  const { secrets } = platform;
  await platform.db.transaction().execute(async (db) => {
    // no directory file may refer to it in the meantime
    await lockDirectory(db);
    const connection = await requireConnection(db, name);
    const masters = await removeEngine({ db, secrets }, connection);
    if (masters.length > 0)
      throw new CommandRefused(
        `${masters.join(', ')} use${masters.length === 1 ? 's' : ''} ${name}. Give ${masters.length === 1 ? 'it' : 'them'} another engine in the directory file first.`,
      );
  });
  tools.say('Connection removed.');
}

function parseName(word: string): string {
  if (word === builtInEngine)
    throw new InvalidArgumentError(
      `Must not be ${builtInEngine}, which is the portal's own engine.`,
    );
  if (isDouble(word))
    throw new InvalidArgumentError(
      `Must not begin like the names of the demo's doubles, such as "${doubleName('bFlash')}".`,
    );
  if (!isConnectionName(word))
    throw new InvalidArgumentError(
      'Must have 1 to 64 visible characters, without leading or trailing spaces.',
    );
  return word;
}

function parseUrl(word: string): string {
  const read = readServiceUrl(word);
  if (read === 'NOT_SAFE')
    throw new InvalidArgumentError('Must be an https address, or an http address on this machine.');
  if (read === 'INVALID')
    throw new InvalidArgumentError('Must contain only scheme, host, port and path.');
  return read.url;
}

function parseClient(word: string): string {
  if (!isClient(word))
    throw new InvalidArgumentError('Must have 1 to 128 visible ASCII characters.');
  return word;
}
