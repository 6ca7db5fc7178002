/** `recodery originals add`: adds to the library that Virtual Reading uses for reads without an image. */
import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { openStorage } from '../storage/open-storage.ts';
import type { Platform } from '../platform.ts';
import { type Added, addOriginal, type NewOriginal } from '../recoding/originals/add-original.ts';
import { judgeOriginal, type OwnNumbers } from '../recoding/originals/original-rules.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './command.ts';
import { parseProtocol } from './device-options.ts';
import { readGivenFile } from './files.ts';

interface AddOptions {
  readonly protocol: number;
  readonly hw: string;
  readonly sw: string;
}

export const addOriginals: AddCommand = (program, tools) => {
  const originals = program
    .command('originals')
    .description('original images, for reads that hold the identification alone');
  originals
    .command('add')
    .argument('<file>', 'the plain image, as it was delivered')
    .description('give an image to every read of this protocol that says these numbers')
    .requiredOption('--protocol <id>', 'the protocol, such as 1002', parseProtocol)
    .requiredOption('--hw <number>', 'the hardware number, as the slave says it', parseNumber)
    .requiredOption('--sw <number>', 'the software number, as the slave says it', parseNumber)
    .action((file: string, options: AddOptions) => add(tools, file, options));
};

/** Reads a hardware or software number, without surrounding spaces. */
function parseNumber(word: string): string {
  const number = word.trim();
  if (number === '' || number.length > 64) {
    throw new InvalidArgumentError('Between 1 and 64 characters.');
  }
  return number;
}

async function add(tools: CommandTools, file: string, options: AddOptions): Promise<void> {
  const { protocol: protocolId, hw: hardware, sw: software } = options;
  const image = await readGivenFile(file);
  const verdict = judgeOriginal(protocolId, image);
  if (verdict.fault !== null) throw new CommandRefused(verdict.fault);
  const difference = describeDifference({ hardware, software }, verdict.own);
  if (difference !== null) tools.say(difference);
  const original = { protocolId, hardware, software, name: basename(file), image };
  const added = await tools.withPlatform((platform) => store(platform, original));
  tools.answer(`${hardware} ${software} of protocol ${protocolId} is ${outcomes[added]}.`);
}

const outcomes: Readonly<Record<Added, string>> = {
  added: 'in the library',
  replaced: 'in the library, in the place of another file',
  unchanged: 'in the library already',
};

async function store(platform: Platform, original: NewOriginal): Promise<Added> {
  const { storage } = await openStorage(platform.config);
  return addOriginal({ db: platform.db, storage }, original);
}

/**
 * A slave may write a number differently from the image, but the operator must see the difference before the original
 * is used.
 */
function describeDifference(
  asked: { readonly hardware: string; readonly software: string },
  own: OwnNumbers,
): string | null {
  const isSame = (one: string, other: string | null): boolean => other === null || other === one;
  if (isSame(asked.hardware, own.hardware) && isSame(asked.software, own.software)) return null;
  return `Warning: the image calls itself ${own.hardware ?? '?'} ${own.software ?? '?'}, and will be given to reads that say ${asked.hardware} ${asked.software}.`;
}
