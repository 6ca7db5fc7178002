/** Files in JSON answers, decoded while they arrive. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFileAnswerReader } from '../../src/encoding-api-client/file-answer.ts';

/** Reads a text in pieces of `size` bytes. */
function read(text: string, size = text.length, mostBytes = 1000) {
  const reader = createFileAnswerReader(mostBytes);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    const fault = reader.push(bytes.subarray(at, at + size));
    if (fault !== null) return fault;
  }
  const { rest, data } = reader.end();
  return { rest: JSON.parse(rest) as unknown, data: data?.toString('hex') ?? null };
}

// promise e3.work.file-streamed
test('are the same regardless of where their pieces begin, also with escapes', () => {
  for (const length of [1, 2, 3, 61, 62, 63]) {
    const file = randomBytes(length);
    file.fill(0xff, 0, Math.floor(length / 2));
    const base64 = file.toString('base64');
    const escaped = base64
      .replaceAll('/', '\\/')
      .replaceAll('+', '\\u002B')
      .replaceAll('=', '\\u003d');
    for (const text of [base64, escaped]) {
      const answer = `{"name":"a \\"b\\" {[.bin","more":{"data":"inner","list":[1,{"data":2}]} , "Data" : "${text}" ,"end":null}`;
      for (let size = 1; size < 20; size += 1)
        expect(read(answer, size), answer).toEqual({
          rest: {
            name: 'a "b" {[.bin',
            more: { data: 'inner', list: [1, { data: 2 }] },
            Data: '',
            end: null,
          },
          data: file.toString('hex'),
        });
    }
  }
});

test.each([
  ['an array', '[{"data":"AAAA"}]'],
  ['a text', '"data"'],
  ['no data', '{"name":"data"}'],
  ['data as a number', '{"data":1,"x":"AAAA"}'],
  ['data as an object', '{"data":{"data":"AAAA"}}'],
  ['data as a list', '{"data":["AAAA"]}'],
  ['a group that is not complete', '{"data":"AAAAA"}'],
])('are not found in %s', (_what, text) => {
  for (const size of [1, 3, text.length]) expect(read(text, size)).toMatchObject({ data: null });
});

test.each([
  ['other characters', '{"data":"AA%A"}'],
  ['escapes of other characters', '{"data":"AA\\nA"}'],
  ['an escaped character that is not ASCII', '{"data":"AA\\u0141A"}'],
  ['text after the padding', '{"data":"AA==AAAA"}'],
  ['padding in a wrong place', '{"data":"A=AA"}'],
  ['two of them', '{"data":"AAAA","DATA":"AAAA"}'],
])('are refused with %s', (_what, text) => {
  for (const size of [1, 3, text.length]) expect(read(text, size)).toBe('no file');
});

test('are refused as soon as they are too large, or what is next to them', () => {
  expect(read(`{"data":"${'A'.repeat(40)}"}`, 7, 30)).toEqual({
    rest: { data: '' },
    data: '00'.repeat(30),
  });
  expect(read(`{"data":"${'A'.repeat(44)}`, 7, 30)).toBe('too large');
  expect(read(`{"name":"${'x'.repeat(70_000)}`, 1000)).toBe('too large');
  expect(read('['.repeat(100), 7)).toBe('too large');
  expect(read(`{"data":"AAAA","more":${'['.repeat(100)}`, 7)).toBe('too large');
});
