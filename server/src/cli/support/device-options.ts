/** Converts the arguments of `recodery device` to the simulator's input. */
import type { DeviceComponent, Slave } from '@recodery/codec/simulator/slave';
import { informationShortNames } from '@recodery/codec/recoding/information';
import { informationKeys } from '@recodery/contract/families/information';
import {
  componentNames,
  type ComponentName,
  type Mode,
  modes,
} from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { InvalidArgumentError } from 'commander';
import { readSlaveKey } from '../../organisations/slave-key.ts';
import { CommandRefused, WrongUse } from './command.ts';
import { readGivenFile } from './files.ts';

/** A component and its file. */
export interface ComponentFile {
  readonly name: ComponentName;
  readonly path: string;
}

/** Reads one of these words. */
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (word: string): T => {
    const found = words.find((one) => one === word);
    if (found === undefined) throw new InvalidArgumentError(`Must be one of ${words.join(', ')}.`);
    return found;
  };

/** Reads a protocol's number. */
export function parseProtocol(word: string): number {
  if (!/^\d{1,9}$/.test(word)) throw new InvalidArgumentError('Must be a number, such as 1001.');
  return Number(word);
}

/** Reads NAME=FILE and adds it to the previous ones. */
export function parseComponent(
  word: string,
  before: readonly ComponentFile[] = [],
): readonly ComponentFile[] {
  const at = word.indexOf('=');
  const name = componentNames.find((one) => one === word.slice(0, at));
  const path = word.slice(at + 1);
  if (at < 0 || name === undefined || path === '') {
    throw new InvalidArgumentError(
      `Must be NAME=FILE, where NAME is one of ${componentNames.join(', ')}.`,
    );
  }
  if (before.some((one) => one.name === name)) {
    throw new InvalidArgumentError(`${name} was given twice.`);
  }
  return [...before, { name, path }];
}

/** Reads key=value,… and adds it to the previous ones; a value can contain commas that are not followed by a key. */
export function parseInformation(
  word: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const read: Record<string, string> = { ...before };
  for (const pair of word.split(/,(?=[A-Za-z]+=)/)) {
    const at = pair.indexOf('=');
    const short = pair.slice(0, at);
    const key = informationShortNames[short] ?? informationKeys.find((one) => one === short);
    if (at < 0 || key === undefined) {
      const known = Object.keys(informationShortNames).join(', ');
      throw new InvalidArgumentError(`Must be key=value,… where key is one of ${known}.`);
    }
    read[key] = pair.slice(at + 1);
  }
  return read;
}

/** The mode that matches the components, when none is given. */
export function chooseMode(
  mode: Mode | undefined,
  family: Family,
  components: readonly ComponentFile[],
): Mode {
  if (mode !== undefined) return mode;
  const { modes: possible } = definitionOf(family);
  const isImage = components.every(({ name }) => name === 'obd');
  return modes.filter((one) => possible[one] !== undefined).at(isImage ? 0 : -1) ?? 'obd';
}

/** The slave of a key file. @throws {CommandRefused} when the file is not a key file */
export async function readKeyFile(path: string): Promise<Slave> {
  const slave = readSlaveKey((await readGivenFile(path)).toString('utf8'));
  if (slave === null) {
    throw new CommandRefused(`${path} is not a key file. Create one with "recodery device key".`);
  }
  return slave;
}

/** The images of the components. */
export async function readComponents(
  files: readonly ComponentFile[],
): Promise<readonly DeviceComponent[]> {
  return Promise.all(
    files.map(async ({ name, path }) => ({ name, bytes: await readGivenFile(path) })),
  );
}

/** A pair key as 64 hexadecimal digits; `-` reads it from stdin, which hides it from process lists. */
export async function readPairKey(word: string): Promise<Uint8Array> {
  let text = word;
  if (word === '-') {
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(Buffer.from(part));
    text = Buffer.concat(parts).toString('utf8').trim();
  }
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new WrongUse('A pair key must have 64 hexadecimal digits.');
  return Buffer.from(text, 'hex');
}
