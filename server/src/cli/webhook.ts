/** `recodery webhook add|list|remove|deliveries|replay`: where organisations receive messages, and their deliveries. */
import { Refusal } from '@recodery/contract/refusal';
import type { Delivery } from '@recodery/contract/features/webhooks';
import type { Command } from 'commander';
import { isGuid } from '../config/guids.ts';
import { createAddressCheck } from '../webhooks/addresses.ts';
import { listAttempts } from '../webhooks/attempts.ts';
import {
  addEndpoint,
  type EndpointLine,
  listAllEndpoints,
  removeEndpoint,
} from '../webhooks/endpoints.ts';
import { replayMessage } from '../webhooks/messages.ts';
import { createResolve } from '../webhooks/resolve.ts';
import { requireOrganisation } from './client.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';

export const addWebhookCommands: AddCommand = (program, tools) => {
  const webhook = program
    .command('webhook')
    .description(
      'manage webhook endpoints, which receive messages about finished operations and received files',
    );
  addAdd(webhook, tools);
  addList(webhook, tools);
  webhook
    .command('remove')
    .argument('<guid>', 'the GUID of the endpoint, from "webhook list"')
    .description('remove an endpoint with its waiting messages')
    .action(async (guid: string) => {
      await tools.withPlatform(async (platform) => {
        const isGone = await removeEndpoint(platform.db, null, guid);
        if (!isGone) throw new CommandRefused(`No webhook endpoint has the GUID ${guid}.`);
      });
      tools.say('Webhook endpoint removed.');
    });
  addDeliveries(webhook, tools);
  webhook
    .command('replay')
    .argument('<guid>', 'the GUID of an attempt, from "webhook deliveries"')
    .description('deliver the message of an attempt again, with the same webhook-id')
    .action(async (guid: string) => {
      await tools.withPlatform(async ({ db }) => {
        if (!isGuid(guid) || !(await replayMessage(db, null, guid)))
          throw new CommandRefused(
            `No attempt has the GUID ${guid}. "recodery webhook deliveries" prints it in the first column.`,
          );
      });
      tools.say('The message will be delivered again.');
    });
};

interface AddOptions {
  readonly customerCode: string;
  readonly url: string;
  readonly json?: boolean;
}

function addAdd(webhook: Command, tools: CommandTools): void {
  webhook
    .command('add')
    .description('add an endpoint and print its secret, which is shown only once')
    .requiredOption('--customer-code <code>', 'the customer code of its organisation')
    .requiredOption('--url <url>', 'where messages are sent: an http or https address')
    .option('--json', 'print JSON')
    .action(async ({ customerCode, url, json }: AddOptions) => {
      const added = await tools.withPlatform(async (platform) => {
        const organisationId = await requireOrganisation(platform.db, customerCode);
        const { webhookAllow } = platform.config;
        await createAddressCheck(webhookAllow, createResolve()).admit(url).catch(explain);
        return addEndpoint(platform, organisationId, url);
      });
      const { guid, secret } = added;
      if (json === true) tools.answer(JSON.stringify(added));
      else
        for (const [word, value] of Object.entries({ guid, secret }))
          tools.answer(`${word}\t${value}`);
      tools.say('Store the secret now. It will not be shown again.');
    });
}

function explain(error: unknown): never {
  throw error instanceof Refusal
    ? new CommandRefused(
        `${error.code}: messages cannot be sent to this address. Use a public http or https address without a user name or password. To allow a private address, list it in RECODERY_WEBHOOK_ALLOW in .env, and restart the portal.`,
      )
    : error;
}

interface ListOptions {
  readonly customerCode?: string;
  readonly json?: boolean;
}

function addList(webhook: Command, tools: CommandTools): void {
  webhook
    .command('list')
    .description('list endpoints')
    .option('--customer-code <code>', 'list only those of this organisation')
    .option('--json', 'print JSON')
    .action(async ({ customerCode, json }: ListOptions) => {
      const endpoints = await tools.withPlatform(async ({ db }) => {
        if (customerCode !== undefined) await requireOrganisation(db, customerCode);
        return listAllEndpoints(db, customerCode ?? null);
      });
      if (json === true) tools.answer(JSON.stringify(endpoints));
      else for (const one of endpoints) tools.answer(describeEndpoint(one));
    });
}

function describeEndpoint({ guid, customerCode, url, createdOn }: EndpointLine): string {
  return [guid, customerCode, url, createdOn].join('\t');
}

function addDeliveries(webhook: Command, tools: CommandTools): void {
  webhook
    .command('deliveries')
    .argument('<guid>', 'the GUID of an endpoint, or of a client application')
    .description('list the delivery attempts of the last ten days, newest first')
    .option('--json', 'print JSON')
    .action(async (guid: string, { json }: { readonly json?: boolean }) => {
      const found = await tools.withPlatform(({ db }) => listAttempts(db, null, guid));
      if (found === null)
        throw new CommandRefused(`No webhook endpoint or client application has the GUID ${guid}.`);
      if (json === true) tools.answer(JSON.stringify(found));
      else for (const one of found) tools.answer(describeDelivery(one));
    });
}

function describeDelivery(one: Delivery): string {
  const { guid, attemptedOn, webhookId, type, status, error, durationMs } = one;
  return [guid, attemptedOn, webhookId, type, status ?? error, `${durationMs} ms`].join('\t');
}
