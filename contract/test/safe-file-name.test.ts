/** Untrusted file names, made safe. */
import { expect, test } from 'vitest';
import fc from 'fast-check';
import {
  escapeInvisible,
  fileNameLength,
  makeFileNameSafe,
  replaceInvisible,
} from '../src/file-names.ts';

test.each([
  ['read.slv', 'read.slv'],
  ['', 'file'],
  ['...', 'file'],
  ['/', 'file'],
  ['.htaccess', 'htaccess'],
  ['a/b\\c.bin', 'c.bin'],
  ['tab\there\r\nX: y', 'tabhereX_ y'],
  ['nul', '_nul'],
  ['Lpt1.tar.gz', '_Lpt1.tar.gz'],
  ['COM¹', '_COM¹'],
  ['console.log', 'console.log'],
  ['a<b>:"|?*.bin', 'a_b______.bin'],
  ['name. . ', 'name'],
  ['\u200f\u202eevil\u2066', 'evil'],
  ['a\u3164\u115f\u180e\uffa0\u034fb\u{e0041}\u{e007f}.bin', 'ab.bin'],
  ['👩\u200d🔧\ufe0f.bin', '👩\u200d🔧\ufe0f.bin'],
  ['e\u0301.bin', 'é.bin'],
  ['\ud800.bin', '�.bin'],
  ['文件.bin', '文件.bin'],
])('the name %j becomes %j', (given, safe) => {
  expect(makeFileNameSafe(given)).toBe(safe);
});

test('a long name loses part of its stem, not its extension, and no character is split', () => {
  expect(makeFileNameSafe(`${'a'.repeat(400)}.slv`)).toBe(`${'a'.repeat(116)}.slv`);
  expect(makeFileNameSafe(`${'😀'.repeat(400)}.slv`)).toBe(`${'😀'.repeat(56)}.slv`);
});

// promise d7.results.safe-names
test('the result is short, plain, and stays the same when made safe again, for any name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const safe = makeFileNameSafe(name);
      expect([...safe].length).toBeLessThanOrEqual(fileNameLength);
      expect(safe).not.toMatch(/^$|[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]|^[. ]|[. ]$/u);
      expect(makeFileNameSafe(safe)).toBe(safe);
    }),
  );
});

test.each([
  ['plain name.bin', 'plain name.bin', 'plain name.bin'],
  ['a\n\u001b[2J\u202eb', 'a\\u000a\\u001b[2J\\u202eb', 'a__[2J_b'],
  ['\ud800', '\ufffd', '\ufffd'],
  ['\u009b\u{e0041}', '\\u009b\\udb40\\udc41', '__'],
])('%j is escaped and replaced', (name, escaped, replaced) => {
  expect(escapeInvisible(name)).toBe(escaped);
  expect(replaceInvisible(name)).toBe(replaced);
});
