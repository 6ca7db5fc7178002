/**
 * Writes the damaged files of the tests' slaves into the folder next to this file: `node codec/test/damaged/write.ts`.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContainerFamily, containerFamilies } from '@recodery/contract/families/registry';
import type { Slave } from '../../src/simulator/slave.ts';
import { slaveOf } from '../slaves.ts';
import { damages } from './damages.ts';
import { type Damage, nameIn } from './builders.ts';

/** The file's name contains its fault and the expected code. */
function fileNameOf({ name, code }: Damage): string {
  return `${name}.${code}.bin`;
}

/** Writes the files that are faults on the page of the slave's family; returns how many. */
function writeDamages(folder: string, slave: Slave): number {
  mkdirSync(folder, { recursive: true });
  const family = slave.family as ContainerFamily;
  const own = damages.filter(({ code, names }) => nameIn(family, code, names) !== null);
  for (const damage of own) {
    writeFileSync(join(folder, fileNameOf(damage)), damage.make(slave));
  }
  return own.length;
}

if (import.meta.main) {
  for (const family of containerFamilies) {
    const count = writeDamages(join(import.meta.dirname, 'files', family), slaveOf(family));
    console.log(`${family}: ${count} files`);
  }
}
