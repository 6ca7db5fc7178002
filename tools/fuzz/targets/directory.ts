/** The operator's directory file: read, compared with a directory, written and read again. */
import { isDeepStrictEqual } from 'node:util';
import {
  type DirectoryFile,
  readDirectoryFile,
  writeDirectoryFile,
} from '@recodery/server/organisations/directory/directory-file';
import {
  describeChange,
  planDirectory,
} from '@recodery/server/organisations/directory/directory-rules';
import type { DirectoryState } from '@recodery/server/organisations/directory/directory-state-rules';
import { demoDirectory } from '@recodery/server/demo/demo-directory';
import { type FuzzTarget, must, textBytes } from '../target.ts';

const empty: DirectoryState = {
  organisations: new Map(),
  groups: new Map(),
  masters: new Map(),
  slaves: new Map(),
  users: new Map(),
  engines: new Map([['vendor', 'encoding-api']]),
  withWork: new Map(),
};

/** An empty directory after these changes. */
function stateAfter(file: DirectoryFile): DirectoryState {
  const plan = planDirectory(file, empty);
  const changes = 'changes' in plan ? plan.changes : [];
  const recordsOf = (kind: (typeof changes)[number]['kind']): Map<string, never> =>
    new Map(
      changes.flatMap((change) =>
        change.kind === kind && change.action === 'add'
          ? [[change.key, change.record as never] as const]
          : [],
      ),
    );
  return {
    organisations: recordsOf('organisation'),
    groups: recordsOf('group'),
    masters: recordsOf('master'),
    slaves: recordsOf('slave'),
    users: recordsOf('user'),
    engines: empty.engines,
    withWork: empty.withWork,
  };
}

const demo = stateAfter(demoDirectory);

function run(input: Uint8Array): void {
  const read = readDirectoryFile(new TextDecoder().decode(input));
  if ('mistakes' in read) {
    must(read.mistakes.length > 0, 'refused without a reason');
    for (const line of read.mistakes)
      must(/^line [1-9]\d*: ./s.test(line), 'a mistake does not name its line');
    return;
  }
  for (const state of [empty, demo]) {
    const plan = planDirectory(read.directory, state);
    const lines =
      'changes' in plan
        ? plan.changes.map(describeChange)
        : plan.mistakes.map((mistake) => mistake.text);
    for (const line of lines)
      must(!/\p{Cc}/u.test(line), 'a line for the operator is more than one');
  }
  const added = stateAfter(read.directory);
  const again = planDirectory(read.directory, added);
  const isSame = !('changes' in again) || again.changes.every(({ action }) => action === 'remove');
  must(isSame, 'applied for the second time, something changes');
  const written = readDirectoryFile(writeDirectoryFile(read.directory));
  must('directory' in written, 'what is written cannot be read');
  must(
    'directory' in written &&
      isDeepStrictEqual(plainOf(written.directory), plainOf(read.directory)),
    'written and read, it is another directory',
  );
}

/** Without what cannot be written: absent fields. */
function plainOf(directory: DirectoryFile): unknown {
  return JSON.parse(JSON.stringify(directory));
}

const seeds = [
  writeDirectoryFile(demoDirectory),
  'organisations:\n  - customerCode: CC-1\n    name: One\n    groupCodes:\n      - code: G\n        masters:\n          - { family: ktag, serial: M1, engine: vendor, slaves: [{ serial: S1, owner: CC-1 }] }\n',
  'users:\n  - email: a@b.c\n    customerCodes: [CC-1]\n    portalAccess: false\n',
  'users: &u\n  - email: a@b.c\norganisations:\n  - <<: *u\n',
  'organisations: [{customerCode: 1, name: 2, logo: "data:image/png;base64,AA=="}]',
  'users: [{email: a@b.c, remove: true}, {email: A@B.C}]',
  '---\n%YAML 1.2\n--- !!map\n? users\n: !!seq []\n...\n',
  'a: &a [*a]',
  '',
];

export const target: FuzzTarget = {
  longest: 8 * 1024,
  seeds: () => textBytes(seeds.flatMap((text) => [text, text.slice(0, 300)])),
  dictionary: textBytes([
    ...[
      'organisations:',
      'users:',
      'customerCode: ',
      'groupCodes:',
      'masters:',
      'slaves:',
      'serial: ',
    ],
    ...['email: ', 'culture: it-IT', 'rights: [recod]', 'family: kess3', 'owner: ', 'remove: true'],
    ...[
      'engine: vendor',
      'revoked: true',
      'portalAccess: ',
      'accountSuspended: true',
      'archived: true',
      'customerCodes: [',
      'logo: data:image/png;base64,AA==',
    ],
    ...[
      '\n  - ',
      '\n',
      ': ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      '<<: ',
      '!!',
      '!!binary ',
      '|\n',
      '>-\n',
    ],
    ...[
      '"',
      "'",
      '#',
      '%',
      '---\n',
      '...\n',
      '? ',
      '\t',
      '~',
      'null',
      '__proto__: ',
      '0x',
      '1e999',
      '\u202e',
    ],
  ]),
  run,
};
