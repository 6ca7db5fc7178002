/** What the operator's file must not contain, and how it is reported. */
import { families } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { readDirectoryFile } from '../../src/organisations/directory/directory-file.ts';

describe('a mistake in the file', () => {
  test.each([
    ['organisations: [', /^line 1: invalid YAML: /],
    ['- 1', /^line 1: the file must be a set of fields$/],
    ['people: []', /^line 1: people is not a field of the directory$/],
    ['users:\n  - name: Anna', /^line 2: users\[1\]\.email is missing$/],
    ['users:\n  - email: anna', /^line 2: users\[1\]\.email must be an email address$/],
    [
      'users:\n  - email: a@b.test\n  - email: A@b.test',
      /^line 3: users\[2\]\.email must be unique, but a@b\.test is listed twice$/,
    ],
    [
      'users:\n  - email: a@b.test\n    culture: Italian',
      /^line 3: users\[1\]\.culture must be a language tag such as it-IT$/,
    ],
    [
      'organisations:\n  - customerCode: 1001\n    name: One',
      /^line 2: organisations\[1\]\.customerCode must be text; put it in quotes$/,
    ],
    [
      'organisations:\n  - customerCode: CC-1\n    name: One\n    rights: [recod, everything]',
      /^line 4: organisations\[1\]\.rights\[2\] must be one of kessv2, ktag, kess3, .*recod, /,
    ],
    [
      'organisations:\n  - customerCode: CC-1\n    name: One\n    logo: "data:text/html;base64,AAAA"',
      /^line 4: organisations\[1\]\.logo must be a PNG or SVG file/,
    ],
    [
      'organisations:\n  - customerCode: CC-1\n    name: One\n    groupCodes:\n      - code: G\n        masters:\n          - family: kess4\n            serial: M',
      new RegExp(
        String.raw`^line 7: organisations\[1\]\.groupCodes\[1\]\.masters\[1\]\.family must be one of ${families.join(', ')}$`,
      ),
    ],
    [
      'organisations:\n  - customerCode: CC-1\n    remove: true\n    groupCodes: [{ code: G }]',
      /^line 4: organisations\[1\]\.groupCodes must not be listed in an organisation that is removed\. Leave them out, and remove its masters with an earlier file$/,
    ],
    [
      `organisations:\n  - customerCode: CC-1\n    name: One\n    groupCodes: [{ code: G, masters: [{ family: ktag, serial: ${'ü'.repeat(17)} }] }]`,
      /serial must have at most 32 bytes$/,
    ],
    [
      'organisations:\n  - customerCode: CC-1\n    name: One\n    groupCodes: *nope',
      /^line 4: the anchor &nope is not defined before this line\. If \*nope is a name, put it in quotes$/,
    ],
    ['users:\n  - &self [*self]', /^line 2: /],
    ...['? : &\u000e', '? [users]\n: []', '? {a: b}\n: []'].map((text): [string, RegExp] => [
      text,
      /^line 1: the name of a field must be text; put it in quotes$/,
    ]),
    ['users: &list []\n*list : []', /^line 2: the name of a field must be text; put it in quotes$/],
    [bomb(), /^line 1: the file uses too many aliases$/],
    ['['.repeat(30_000), /^line 1: the file is nested too deeply$/],
    ...['\\u202e', '\\u2066', '\\u200f', '\\u2028', '\\u2029', '\\ud800', '\\e', '\\x85'].map(
      (sign): [string, RegExp] => [
        `organisations:\n  - customerCode: CC-1\n    name: "One${sign}Two"`,
        /^line 3: organisations\[1\]\.name must be a single line without leading or trailing spaces or invisible characters$/,
      ],
    ),
    [
      'users:\n  - email: "anna\\u202e@b.test"',
      /^line 2: users\[1\]\.email must be an email address$/,
    ],
  ])('%j is reported with its line and field', (yaml, words) => {
    const read = readDirectoryFile(yaml);
    const [mistake, ...others] = 'mistakes' in read ? read.mistakes : [];
    expect(mistake).toMatch(words);
    expect(others).toEqual([]);
  });
});

test('anchors can be used, also more than once', () => {
  const read = readDirectoryFile(
    'organisations:\n  - customerCode: CC-1\n    name: One\n    rights: &all [recod]\n  - customerCode: CC-2\n    name: Two\n    rights: *all',
  );
  const organisations = 'directory' in read ? read.directory.organisations : [];
  expect(organisations?.map(({ rights }) => rights)).toEqual([['recod'], ['recod']]);
});

/** A small file that expands to a thousand million names if its aliases are resolved. */
function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const inner = level === 0 ? 'x' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 10 }, () => inner).join(', ')}]`;
  });
  return levels.join('\n');
}
