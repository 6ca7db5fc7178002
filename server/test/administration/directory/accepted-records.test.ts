/** What the checks of a form accept, the directory file accepts too; otherwise an export could not be applied. */
import { checkFields } from '@recodery/contract/admin/check-fields';
import { type AnyValues, type Field, inputsOf, isList } from '@recodery/contract/admin/resource';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DirectoryView } from '../../../src/administration/records/resource-store.ts';
import { stores } from '../../../src/administration/directory/stores.ts';
import {
  readDirectoryFile,
  writeDirectoryFile,
} from '../../../src/organisations/directory/directory-file.ts';
import { deviceKey } from '../../../src/organisations/directory/directory-state-rules.ts';

const nothing = new Map<string, unknown>();
const master = {
  family: 'kess3',
  serial: 'M',
  customerCode: 'C',
  groupCode: 'G',
  engine: 'built-in',
};
/** A directory with one master device. */
const view = {
  state: {
    organisations: nothing,
    groups: nothing,
    masters: new Map([[deviceKey('kess3', 'M'), master]]),
    slaves: nothing,
    users: nothing,
    engines: nothing,
  },
  guids: {
    organisations: nothing,
    users: nothing,
    masters: nothing,
    slaves: nothing,
    engines: nothing,
  },
  withPassword: new Set<string>(),
  slaveKeys: new Map(),
} as unknown as DirectoryView;

const letter = fc.oneof(
  fc.constantFrom('a', 'é', '0', ' ', '🏎', '漢', ':', '#', '"', "'", '-', '~', '\u200f', '\n'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = fc.oneof(
  ...[8, 16, 32, 64, 260].map((most) =>
    fc.array(letter, { minLength: 1, maxLength: most }).map((letters) => letters.join('')),
  ),
  fc.constantFrom('~', 'null', 'true', '1e3', '0x10', '- a', '2026-01-01'),
);

function valueOf({ kind, options, to }: Field): fc.Arbitrary<AnyValues[string]> {
  if (kind === 'switch') return fc.boolean();
  // a reference names a record that exists
  const one =
    to !== undefined
      ? fc.constant(to === 'masters' ? 'M' : 'C')
      : options !== undefined
        ? fc.constantFrom(...options)
        : kind === 'email'
          ? text.map((name) => `${name.replaceAll(/\s/g, '')}@shop.test`)
          : kind === 'image'
            ? fc.constant('data:image/png;base64,AAAA')
            : text;
  return isList(kind) ? fc.uniqueArray(one, { maxLength: 3 }) : one;
}

test.each(['organisations', 'users', 'masters', 'slaves'] as const)(
  'a record of %s that the form’s checks accept is written to a file that can be read',
  (name) => {
    const store = stores[name];
    const inputs = inputsOf(store.declared, 'create').map(
      ([field, declared]) => [field, valueOf(declared)] as const,
    );
    fc.assert(
      fc.property(fc.record(Object.fromEntries(inputs)), (drawn) => {
        const values = { ...drawn, family: 'kess3' };
        fc.pre(Object.keys(checkFields(store.declared, values, 'create')).length === 0);
        const file = store.write(values, null, view);
        expect(readDirectoryFile(writeDirectoryFile(file))).toEqual({ directory: file });
      }),
      // other records in each run
      { numRuns: 100, maxSkipsPerRun: 1000 },
    );
  },
);
