/** `recodery originals add|list|remove`: the library for Virtual Reading and for the check whether a read was modified before. */
import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { hasStoredFiles } from '../slots/files/stored-files.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Platform } from '../platform.ts';
import type { Added } from '../recoding/originals/add-original.ts';
import { openLibrary } from '../recoding/originals/library-use-cases.ts';
import type { Identification } from '@recodery/codec/recoding/family-codec';
import { judgeOriginal } from '../recoding/originals/original-rules.ts';
import { listLibrary } from '../recoding/originals/originals.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';
import { parseProtocol } from './support/device-options.ts';
import { readGivenFile } from './support/files.ts';

interface Numbers {
  readonly protocol: number;
  readonly hw: string;
  readonly sw: string;
}

export const addOriginals: AddCommand = (program, tools) => {
  const originals = program
    .command('originals')
    .description('manage the library of original images');
  originals
    .command('add')
    .argument('<file>', 'the original image, not modified and not sealed')
    .description(
      'add the original image (Flash, Micro or the OBD image) of reads with these numbers, or replace it',
    )
    .requiredOption('--protocol <id>', 'the protocol, such as 1002 or 2001', parseProtocol)
    .requiredOption('--hw <number>', 'the hardware number that the slave reports', parseNumber)
    .requiredOption('--sw <number>', 'the software number that the slave reports', parseNumber)
    .action((file: string, options: Numbers) => add(tools, file, options));
  originals
    .command('list')
    .description('list all originals with their numbers')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => list(tools, json === true));
  originals
    .command('remove')
    .description('remove an original; files that were made with it stay')
    .requiredOption('--protocol <id>', 'the protocol, from "originals list"', parseProtocol)
    .requiredOption('--hw <number>', 'the hardware number', parseNumber)
    .requiredOption('--sw <number>', 'the software number', parseNumber)
    .action((options: Numbers) => remove(tools, options));
};

/** Reads a hardware or software number, without surrounding spaces. */
function parseNumber(word: string): string {
  const number = word.trim();
  if (number === '' || number.length > 64) {
    throw new InvalidArgumentError('Must have 1 to 64 characters.');
  }
  return number;
}

async function add(tools: CommandTools, file: string, options: Numbers): Promise<void> {
  const { protocol: protocolId, hw: hardware, sw: software } = options;
  const image = await readGivenFile(file);
  const verdict = judgeOriginal(protocolId, image);
  if (verdict.fault !== null) throw new CommandRefused(verdict.fault);
  const difference = describeDifference({ hardware, software }, verdict.own);
  if (difference !== null) tools.say(difference);
  const original = { protocolId, hardware, software, name: basename(file), image };
  const added = await tools.withPlatform((platform) =>
    withLibrary(platform, (library) => library.add(original)),
  );
  tools.answer(
    `The original of ${hardware} ${software} for protocol ${protocolId} ${outcomes[added]}.`,
  );
}

const outcomes: Readonly<Record<Added, string>> = {
  added: 'was added',
  replaced: 'was replaced',
  unchanged: 'is already in the library',
};

/** Opens the library. */
async function withLibrary<T>(
  { config, db }: Platform,
  work: (library: ReturnType<typeof openLibrary>) => Promise<T>,
): Promise<T> {
  const { storage } = await openStorage(config, () => hasStoredFiles(db));
  return work(openLibrary({ db, storage }));
}

async function list(tools: CommandTools, isJson: boolean): Promise<void> {
  const all = await tools.withPlatform(({ db }) => listLibrary(db));
  const shown = all.map(({ storageKey: _storageKey, ...one }) => one);
  if (isJson) tools.answer(JSON.stringify(shown));
  else
    for (const { protocolId, hardware, software, name, size, addedOn, sha256 } of shown)
      tools.answer(
        [protocolId, hardware, software, name, size, addedOn.toISOString(), sha256].join('\t'),
      );
}

async function remove(
  tools: CommandTools,
  { protocol: protocolId, hw: hardware, sw: software }: Numbers,
): Promise<void> {
  const numbers = { protocolId, hardware, software };
  const isRemoved = await tools.withPlatform((platform) =>
    withLibrary(platform, (library) => library.remove(numbers)),
  );
  if (!isRemoved) {
    throw new CommandRefused(
      `The library has no original of ${hardware} ${software} for protocol ${protocolId}.`,
    );
  }
  tools.say(`Removed the original of ${hardware} ${software} for protocol ${protocolId}.`);
}

/**
 * A slave may write a number differently from the image, but the operator must see the difference before the original
 * is used.
 */
function describeDifference(
  asked: { readonly hardware: string; readonly software: string },
  own: Identification,
): string | null {
  const isSame = (one: string, other: string | null): boolean => other === null || other === one;
  if (isSame(asked.hardware, own.hardware) && isSame(asked.software, own.software)) return null;
  return `Warning: the image identifies itself as ${own.hardware ?? '?'} ${own.software ?? '?'}, but will be used for reads that report ${asked.hardware} ${asked.software}.`;
}
