/** The memory of a simulated slave: the number of the last file that it accepted, so that it can refuse older ones. */
import type { Header } from '@recodery/codec/container/header';
import type { Slave } from '@recodery/codec/simulator/slave';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { CommandRefused } from './command.ts';
import { replaceGivenFile } from './files.ts';

const stateFile = z.object({
  format: z.literal('recodery-slave-state/1'),
  family: z.string(),
  slaveSerial: z.string(),
  /** The highest `NUMB` of the accepted files. */
  number: z.number(),
});

function parseState(text: string): z.output<typeof stateFile> | null {
  // The user can name any file.
  try {
    return stateFile.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The last number in the file; 0 if there is no file yet. @throws {CommandRefused} when it is not this slave's */
async function readNumber(path: string, { family, slaveSerial }: Slave): Promise<number> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CommandRefused(`Could not read ${path} (${error.code}).`);
  });
  if (text === null) return 0;
  const state = parseState(text);
  if (state === null || state.family !== family || state.slaveSerial !== slaveSerial)
    throw new CommandRefused(`${path} is not a state file of slave ${slaveSerial}.`);
  return state.number;
}

/**
 * Compares an authentic file with the slave's memory; returns the function that remembers it. The last file is accepted
 * again, because writing can fail halfway.
 * @throws {CommandRefused} for a file that is older, or that no portal has made for this slave
 */
export async function checkState(
  path: string,
  slave: Slave,
  { number, previous }: Header,
): Promise<() => Promise<void>> {
  const last = await readNumber(path, slave);
  if (number === null || previous === null)
    throw new CommandRefused('This backup comes from a slave. Compact it in the portal first.');
  if (number < last)
    throw new CommandRefused(
      `This file has the number ${number}, and the slave has already accepted number ${last}. Encode the file again.`,
    );
  const { family, slaveSerial } = slave;
  const state = { format: 'recodery-slave-state/1', family, slaveSerial, number };
  return () => replaceGivenFile(path, `${JSON.stringify(state, null, 2)}\n`);
}
