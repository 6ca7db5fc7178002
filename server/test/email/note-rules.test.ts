/** Notes: every visible word is kept, and no mail program finds an address in it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanNote, defuseLinks } from '../../src/email/note-rules.ts';

const parting = '\u200b';

describe('a note', () => {
  test.each([
    [null, null],
    ['', null],
    [' \r\n\t\u0000\u202e\u200b ', null],
    ['a\r\nb\rc\nd\u2028e\u0085f', 'a\nb\nc\nd\ne\nf'],
    ['tab\tstays', 'tab\tstays'],
    ['\u200fعربي\u200e 12\u061c', 'عربي 12'],
    ['a\u202eb\u2066c\u2069\u001b[0m\u009bd', 'abc[0md'],
    ['e\u200bv\u2060i\ufefflp\u00ada\u034fy', 'evilpay'],
    ['👨‍🔧 ❤️ می‌خواهم', '👨‍🔧 ❤️ می‌خواهم'],
  ])('%j is kept as %j', (note, kept) => {
    expect(cleanNote(note)).toBe(kept);
  });

  test.each([
    ['https://evil.test/a.b?c', 'https|:|/|/evil|.|test/a|.|b?c'],
    ['www.evil.test', 'www|.|evil|.|test'],
    ['xn--80ak6aa92e.com и пример.рф', 'xn--80ak6aa92e|.|com и пример|.|рф'],
    ['a@b.test', 'a|@|b|.|test'],
    ['mailto:x tel:1 JavaScript:x', 'mailto|:|x tel|:|1 JavaScript|:|x'],
    ['data:text/html,x file:///c', 'data|:|text/html,x file|:|/|/|/c'],
    ['ms-word:ofe', 'ms-word|:|ofe'],
    [String.raw`\\host\share`, String.raw`|\|\host\share`],
    ['//host/share', '|/|/host/share'],
    ['evil。com evil．com evil｡com', 'evil。|com evil．|com evil｡|com'],
    ['evil.\u200dcom', 'evil|.|\u200dcom'],
    ['192.168.0.1:80', '192|.|168|.|0|.|1:80'],
    ['1.2.3.4.nip.io', '1|.|2|.|3|.|4|.|nip|.|io'],
    ['shop24.1und1.de', 'shop24|.|1und1|.|de'],
  ])('%j becomes %j in an email', (note, dead) => {
    expect(defuseLinks(note)).toBe(dead.replaceAll('|', parting));
  });

  test.each([
    'Der Wagen ist am 10.5.2026 um 8:30 fertig, 1.9 TDI, 1.25 bar. Grüße: Jörg (Werkstatt).',
    'Stage 1 – 12,5 bar; hardware 0281012345, software 1037512345: ok!',
    'Attenzione: boost +0.3... poi si vede. 50/50, 3.0 V6, 2.0-16V',
    '完成。 请刷写：第一步，第二步。',
    'Готово. Цена 1.500,00 ₽ в т. ч. НДС.',
  ])('%j is unchanged', (note) => {
    expect(cleanNote(note)).toBe(note);
    expect(defuseLinks(note)).toBe(note);
  });

  test.each(['Herr Dr.med. Weiß, z.B. am Montag', '完成。请刷写。', 'v1.2.3.4', 'C:\\Reads\\golf'])(
    '%j looks the same',
    (note) => {
      expect(defuseLinks(note).replaceAll(parting, '')).toBe(note);
      // only invisible characters differ
      expect(defuseLinks(note)).not.toMatch(/\u200b[\u3002\uff0e\uff61]/);
    },
  );
});

/** Everything that mail programs are known to turn into links, with each character next to the separator. */
const links = [
  /[\p{L}][\p{L}\p{N}+.-]*:[^\s\u200b]/u,
  /[/\\／＼]{2}/u,
  /[^\s\u200b][@＠﹫]/u,
  /[@＠﹫][^\s\u200b]/u,
  /[.․﹒][\p{L}\p{M}_]/u,
  /[。．｡][\p{L}\p{M}_]/u,
  /[\p{L}\p{N}][.․﹒]\p{N}*\p{L}/u,
  /(?:\p{N}+[.․。﹒．｡]){3}\p{N}/u,
];

const pieces = [
  ...['http', 'https', 'javascript', 'data', 'file', 'tel', 'mailto', 'ms-excel', 'www', 'evil'],
  ...['com', 'рф', 'xn--p1ai', 'TEST', '10', '192', '1und1', '0x7f', 'host$', 'é', 'e\u0301'],
  ...[':', '://', '//', '\\\\', '/', '\\', '@', '＠', '.', '。', '．', '｡', '․', '..', '...', '-'],
  ...['_', '?', '#', '%2e', ' ', '\n', '\t', '\u200b', '\u202e', '\u200d', '\ufe0f', '\u061c'],
  ...['\u00ad', '\ufeff', '😀', '\ud800', '(', ')', '<', '>', '&'],
];
const hostileNotes = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 3 })), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''));

describe('any input', () => {
  test('contains no link in an email, and every visible character', () => {
    fc.assert(
      fc.property(hostileNotes, (typed) => {
        const note = cleanNote(typed) ?? '';
        const shown = defuseLinks(note);
        expect(shown.replaceAll(parting, '')).toBe(note);
        for (const link of links) expect(shown).not.toMatch(link);
      }),
      { numRuns: 3000 },
    );
  });

  test('does not change when it is cleaned again, and contains no direction marks or hidden characters', () => {
    fc.assert(
      fc.property(hostileNotes, (typed) => {
        const note = cleanNote(typed);
        expect(cleanNote(note)).toBe(note);
        expect(note ?? '').not.toMatch(/\p{Bidi_Control}|[\u200b\u2060\ufeff\u00ad\r]/u);
        expect(note ?? '').not.toMatch(/[^\P{Cc}\t\n]/u);
      }),
      { numRuns: 1000 },
    );
  });

  test('of the longest kind is processed quickly', () => {
    const longest = [':', '.', '@', '1.', 'a.', 'a:', '\\', '\u200d.', 'a-'].map((sign) =>
      sign.repeat(4000).slice(0, 4000),
    );
    // processor time: other load on the machine is not counted
    const start = process.threadCpuUsage();
    for (const note of longest) defuseLinks(cleanNote(note) ?? '');
    const { user, system } = process.threadCpuUsage(start);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
