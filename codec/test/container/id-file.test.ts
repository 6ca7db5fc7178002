/** The ID file: canonical JSON that support can rely on. */

import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildIdFile, canonicalJson } from '../../src/container/id-file.ts';
import { rising } from '../slaves.ts';

const key = rising(0, 32);
const facts = {
  readId: '101112131415161718191a1b1c1d1e1f',
  masterCode: 'KV2-M-0001',
  slaveSerial: 'KV2-000007',
  organisation: 'Officina Demo',
  keyId: 3,
};
const information = { vin: 'ZAR93900001234567', hardware: 'HW "1"', engine: null };

function contentOf(file: Uint8Array): Record<string, string | number | null> {
  return JSON.parse(Buffer.from(file).toString());
}

describe('the ID file', () => {
  const file = buildIdFile(information, facts, key);

  // promise 1.work.decode-kessv2, c.format.id-file
  test('is a single line of canonical JSON with facts, information and HMAC', () => {
    const { hmac, ...rest } = contentOf(file);
    expect(rest).toEqual({ ...information, ...facts, format: 'tfc-id/1' });
    expect(hmac).toMatch(/^[0-9a-f]{64}$/);
    expect(Buffer.from(file).toString()).toBe(
      `{"engine":null,"format":"tfc-id/1","hardware":"HW \\"1\\"","hmac":"${hmac}","keyId":3,` +
        '"masterCode":"KV2-M-0001","organisation":"Officina Demo",' +
        '"readId":"101112131415161718191a1b1c1d1e1f","slaveSerial":"KV2-000007",' +
        '"vin":"ZAR93900001234567"}',
    );
  });

  test('has the HMAC of everything else in it, which another key does not make', () => {
    const { hmac, ...rest } = contentOf(file);
    const hmacBy = (one: Uint8Array) =>
      createHmac('sha256', one).update(canonicalJson(rest)).digest('hex');
    expect(hmac).toBe(hmacBy(key));
    expect(hmac).not.toBe(hmacBy(rising(1, 32)));
  });

  test('prefers facts to a field of the slave with the same name', () => {
    expect(contentOf(buildIdFile({ readId: 'forged', format: 'x' }, facts, key))).toMatchObject({
      readId: facts.readId,
      format: 'tfc-id/1',
    });
  });

  test('can be created even if the slave wrote half a character', () => {
    expect(contentOf(buildIdFile({ vin: 'A\ud800' }, facts, key)).vin).toBe('A\ufffd');
  });
});

test('canonical JSON follows RFC 8785', () => {
  expect(
    canonicalJson({
      numbers: [333_333_333.333_333_3, 1e30, 4.5, 2e-3, 1e-27],
      string: '\u20ac$\u000f\nA\'\u0042"\\\\"/',
      literals: [null, true, false],
    }),
  ).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const sorted = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 };
  expect(Object.values(JSON.parse(canonicalJson(sorted)))).toHaveLength(7);
  expect(canonicalJson(sorted)).toBe(
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1f600}":5,"\ufb33":3}',
  );
  expect(() => canonicalJson('\ud800')).toThrow(RangeError);
  expect(() => canonicalJson(Number.NaN)).toThrow(RangeError);
});
