/** `recodery client add|list|revoke`: the programs that may call on behalf of an organisation. */
import {
  clientName,
  longestClientName,
  mostClientNetworks,
} from '@recodery/contract/features/clients';
import { type Command, InvalidArgumentError } from 'commander';
import { addClient, type ClientLine, listAllClients, revokeClient } from '../clients/clients.ts';
import { readNetwork } from '../clients/networks.ts';
import { isGuid } from '../config/guids.ts';
import { findOrganisationByCode } from '../organisations/organisations.ts';
import type { Platform } from '../platform.ts';
import { type AddCommand, CommandRefused, type CommandTools, WrongUse } from './support/command.ts';
import { parseTime } from './support/parse-time.ts';

export const addClientCommands: AddCommand = (program, tools) => {
  const client = program
    .command('client')
    .description('manage client applications, which call the API with an access token');
  addAdd(client, tools);
  client
    .command('list')
    .description('list client applications')
    .option('--customer-code <code>', 'list only those of this organisation')
    .option('--json', 'print JSON')
    .action(async ({ customerCode, json }: ListOptions) => {
      const clients = await tools.withPlatform(async ({ db }) => {
        if (customerCode !== undefined) await requireOrganisation(db, customerCode);
        return listAllClients(db, customerCode ?? null);
      });
      if (json === true) tools.answer(JSON.stringify(clients));
      else for (const one of clients) tools.answer(describe(one));
    });
  client
    .command('revoke')
    .argument('<guid>', 'the GUID of the client application, from "client list"')
    .description('revoke a client application; its tokens stop working immediately')
    .action(async (guid: string) => {
      await tools.withPlatform(async (platform) => {
        if (!isGuid(guid) || !(await revokeClient(platform, null, guid.toLowerCase())))
          throw new CommandRefused(`No client application has the GUID ${guid}.`);
      });
      tools.say('Client application revoked.');
    });
};

interface ListOptions {
  readonly customerCode?: string;
  readonly json?: boolean;
}

interface AddOptions {
  readonly customerCode: string;
  readonly name: string;
  readonly allowIp?: readonly string[];
  readonly expires?: Date;
  readonly json?: boolean;
}

function addAdd(client: Command, tools: CommandTools): void {
  client
    .command('add')
    .description('add a client application and print its secrets, which are shown only once')
    .requiredOption('--customer-code <code>', 'the customer code of its organisation')
    .requiredOption('--name <name>', `at most ${longestClientName} characters`, parseName)
    .option(
      '--allow-ip <network...>',
      'addresses or networks that it can call from; default: any address',
    )
    .option(
      '--expires <time>',
      'ISO 8601, UTC unless a time zone is given; default: never',
      parseTime,
    )
    .option('--json', 'print JSON')
    .action(async ({ customerCode, name, allowIp = [], expires, json }: AddOptions) => {
      const allowedNetworks = allowIp.map(parseNetwork);
      if (allowedNetworks.length > mostClientNetworks)
        throw new WrongUse(`A client application can have at most ${mostClientNetworks} networks.`);
      if (expires !== undefined && expires <= new Date())
        throw new WrongUse(
          'The client application would already be expired. Pass a later time to --expires.',
        );
      const expiresOn = expires ?? null;
      const added = await tools.withPlatform(async (platform) => {
        const organisationId = await requireOrganisation(platform.db, customerCode);
        return addClient(platform, { organisationId, name, allowedNetworks, expiresOn });
      });
      const { clientApplicationGUID, secretKey, webhookSecret } = added;
      if (json === true) tools.answer(JSON.stringify(added));
      else
        for (const [word, value] of Object.entries({
          clientApplicationGUID,
          secretKey,
          webhookSecret,
        }))
          tools.answer(`${word}\t${value}`);
      tools.say('Store the secrets now. They will not be shown again.');
    });
}

/** The organisation with that customer code. @throws {CommandRefused} */
export async function requireOrganisation(db: Platform['db'], customerCode: string) {
  const organisationId = await findOrganisationByCode(db, customerCode);
  if (organisationId === null)
    throw new CommandRefused(`No organisation has the customer code ${customerCode}.`);
  return organisationId;
}

function describe(client: ClientLine): string {
  const { clientApplicationGUID, customerCode, name, allowedNetworks, lastUsedOn } = client;
  const networks = allowedNetworks.length === 0 ? 'from anywhere' : allowedNetworks.join(',');
  const used = lastUsedOn === null ? 'never used' : `used ${lastUsedOn}`;
  return [clientApplicationGUID, customerCode, name, stateOf(client), used, networks].join('\t');
}

function stateOf({ revokedOn, expiresOn }: ClientLine): string {
  if (revokedOn !== null) return `revoked ${revokedOn}`;
  if (expiresOn === null) return 'active';
  return `${new Date(expiresOn) <= new Date() ? 'expired' : 'active until'} ${expiresOn}`;
}

function parseName(word: string): string {
  const name = clientName.safeParse(word);
  if (!name.success)
    throw new InvalidArgumentError(
      `Must have 1 to ${longestClientName} characters, and no control characters.`,
    );
  return name.data;
}

function parseNetwork(word: string): string {
  const network = readNetwork(word);
  if (network === null)
    throw new WrongUse(`${word} is not an address or a network such as 192.0.2.0/24.`);
  return network;
}
