/** `recodery receipt verify`: checks a file against its receipt, offline. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  type ReceiptContent,
  type ReceiptKey,
  receiptKeys,
  signedReceipt,
} from '@recodery/contract/features/receipts';
import type * as z from 'zod/mini';
import { checkSignature } from '../receipts/jws.ts';
import { listReceiptKeys } from '../receipts/receipt-keys.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';
import { readGivenFile } from './support/files.ts';

interface VerifyOptions {
  readonly receipt: string;
  readonly keys?: string;
}

export const addReceipt: AddCommand = (program, tools) => {
  const receipt = program.command('receipt').description('check the receipts of encoded files');
  receipt
    .command('verify')
    .argument('<file>', 'the encoded file, or one of the files that it was made from')
    .description('check a file against its receipt; exits with code 1 if it is not genuine')
    .requiredOption('--receipt <file>', 'the receipt as JSON')
    .option('--keys <file>', "the portal's /receipt-keys.json; by default this installation's keys")
    .action((file: string, options: VerifyOptions) => verify(tools, file, options));
};

async function verify(tools: CommandTools, file: string, options: VerifyOptions): Promise<void> {
  const receipt = await readJsonFile(options.receipt, signedReceipt, 'is not a receipt');
  const keys = await readKeys(tools, options.keys);
  const signature = await checkSignature(receipt, keys);
  if (signature.check === 'foreign')
    throw new CommandRefused(
      'The receipt is not signed with any of these keys. It is forged, or another portal issued it.',
    );
  if (signature.check !== 'signed')
    throw new CommandRefused('The receipt was altered: its signature does not match.');
  const { content } = signature;
  const sha256 = await hashFile(file);
  const found = content.files.find((one) => one.sha256 === sha256);
  const about = describe(content);
  if (found === undefined)
    throw new CommandRefused(
      `The file differs from the receipt. The receipt is genuine: its file was ${about}.`,
    );
  if (found.role === 'encoded') tools.answer(`Genuine: ${about}.`);
  else {
    const part = found.component === null ? '' : ` (${found.component})`;
    tools.answer(
      `Genuine: the ${found.role} file${part} listed in the receipt of a file ${about}.`,
    );
  }
}

/** `encoded for KV2-000007 on 2026-11-23T07:41:00.000Z by https://portal.example (7K3M-9QXD-02HF-VT5B)`. */
function describe({ slave, encodedOn, portal, code, isDouble }: ReceiptContent): string {
  const engine = isDouble
    ? ", with a double of the maker's service that no real slave accepts"
    : '';
  return `encoded for ${slave ?? 'an unnamed slave'} on ${encodedOn} by ${portal} (${code})${engine}`;
}

async function readKeys(
  tools: CommandTools,
  file: string | undefined,
): Promise<readonly ReceiptKey[]> {
  if (file === undefined) return tools.withPlatform(({ secrets }) => listReceiptKeys(secrets));
  const { keys } = await readJsonFile(file, receiptKeys, 'is not a key set of a portal');
  return keys;
}

/** Reads a file that the user named. @throws {CommandRefused} when its content is invalid */
async function readJsonFile<T>(file: string, schema: z.ZodMiniType<T>, what: string): Promise<T> {
  const text = Buffer.from(await readGivenFile(file)).toString('utf8');
  const refuse = (): never => {
    throw new CommandRefused(`${file} ${what}.`);
  };
  // JSON.parse throws in a case that is a normal result here.
  const parsed = await Promise.resolve(text)
    .then((json): unknown => JSON.parse(json))
    .catch(refuse);
  return schema.safeParse(parsed).data ?? refuse();
}

/** The SHA-256 of a file of any size, as 64 hexadecimal digits. */
async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash).catch(() => {
    throw new CommandRefused(`Could not read ${file}.`);
  });
  return hash.digest('hex');
}
