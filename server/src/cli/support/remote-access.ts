/** How `recodery remote` reaches a portal: its options, the check of the address, and the texts of its errors. */
import { escapeInvisible } from '@recodery/contract/file-names';
import type { Command } from 'commander';
import { isLoopback } from '../../config/config.ts';
import {
  CredentialsRefused,
  RequestRefused,
  ServiceUnavailable,
} from '../../encoding-api-client/errors.ts';
import { describeRefusal, RemoteClient } from '../../portal-client/client.ts';
import { CommandRefused, type CommandTools, WrongUse } from './command.ts';
import { readGivenFile } from './files.ts';

/** Seconds for which a call is repeated while the portal does not respond. */
const patience = { once: 60, watch: 600 };

/** The tools of the commands: they read no configuration and open no database. */
export type RemoteTools = Pick<CommandTools, 'answer' | 'say'>;

export interface AccessOptions {
  readonly url: string;
  readonly client: string;
  readonly secretFile: string;
  readonly userCode: string;
  readonly allowHttp?: boolean;
}

/** Adds the options that all three commands take. */
export function withAccess(command: Command): Command {
  return command
    .requiredOption('--url <url>', 'the address of the portal or of its Encoding API')
    .requiredOption('--client <guid>', 'the GUID of the client application')
    .requiredOption('--secret-file <file>', 'the file that contains its secret key')
    .option('--user-code <code>', 'a label of your own, such as a customer number', 'remote')
    .option('--allow-http', 'send the secret over http, unencrypted, to another machine');
}

/** Checked here and not by commander, which would print the address with the password in it. @throws {WrongUse} */
function checkAddress({ url: word, allowHttp = false }: AccessOptions): string {
  const url = URL.canParse(word) ? new URL(word) : null;
  if (url !== null && (url.username !== '' || url.password !== ''))
    throw new WrongUse('--url must not contain a user name or password.');
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  if (!isWeb || url.search !== '' || url.hash !== '')
    throw new WrongUse('--url must be an address such as https://portal.example.org.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp)
    throw new WrongUse(
      '--url must begin with https: over http, others can read the secret. To use http in a network that you trust, pass --allow-http.',
    );
  return url.href.replace(/\/+$/, '');
}

async function openClient(
  options: AccessOptions,
  patienceSeconds: number,
  stop: AbortSignal,
  say: (text: string) => void,
): Promise<RemoteClient> {
  const url = checkAddress(options);
  if (!/^[^\p{Cc}]+$/u.test(options.userCode))
    throw new WrongUse('--user-code must not be empty or contain control characters.');
  const secretKey = (await readGivenFile(options.secretFile)).toString('utf8').trim();
  if (secretKey === '') throw new CommandRefused(`${options.secretFile} is empty.`);
  const access = { url, clientGuid: options.client, secretKey };
  return new RemoteClient(access, { patienceSeconds, stop, say });
}

/** Runs one piece of work, and turns refusals by the portal into the command's error. */
export async function withClient(
  options: AccessOptions,
  { say }: RemoteTools,
  run: (client: RemoteClient) => Promise<void>,
): Promise<void> {
  const { signal } = new AbortController();
  const sayLine = (text: string): void => say(escapeInvisible(text));
  const client = await openClient(options, patience.once, signal, sayLine);
  try {
    await client.connect();
    await run(client);
  } catch (error) {
    throw describeFault(error, options);
  }
}

/** The client of a command that runs until `stop`. */
export function openWatchClient(
  options: AccessOptions,
  stop: AbortSignal,
  say: (text: string) => void,
): Promise<RemoteClient> {
  return openClient(options, patience.watch, stop, say);
}

/** The command's error for what went wrong with a call. */
export function describeFault(error: unknown, { url }: AccessOptions): unknown {
  const text = explain(error, url);
  // file names and the server's texts must not control the terminal
  return text === null ? error : new CommandRefused(escapeInvisible(text));
}

/** The text of an expected fault; null for any other. */
function explain(error: unknown, url: string): string | null {
  if (error instanceof CommandRefused) return error.message;
  if (error instanceof ServiceUnavailable)
    return `${url} does not respond: ${error.word}. Check --url and the network.`;
  if (!(error instanceof RequestRefused)) return null;
  const text = describeRefusal(error);
  if (!(error instanceof CredentialsRefused)) return text;
  return [400, 401, 403].includes(error.status ?? 0)
    ? `${url} refuses the client application: ${text}. Check --client and --secret-file.`
    : `${url} is not the address of a portal: ${text}.`;
}
