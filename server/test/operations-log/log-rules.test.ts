/** Texts in the log that no spreadsheet treats as a formula. */
import { describe, expect, test } from 'vitest';
import { disarm } from '../../src/config/csv-rules.ts';
import { describeEntry } from '../../src/operations-log/log-rules.ts';
import type { LogEntry } from '../../src/operations-log/operations-log.ts';

describe('a text', () => {
  // promise d8.log.formulas
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 170', "'+49 170"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['＠x', "'＠x"],
    // characters that a spreadsheet skips first
    ['  =1', "'  =1"],
    ['\t=1', "' =1"],
    ['\r\n=1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    // separators of spreadsheets in other countries
    ['a;=1', "a;'=1"],
    ['a,@x', "a,'@x"],
    ['a"=1', `a"'=1`],
    ['a\t=1', 'a =1'],
    ['a| -1', "a|' -1"],
  ])('%j becomes %j', (text, safe) => {
    expect(disarm(text)).toBe(safe);
  });

  test.each([
    '',
    'Rossi',
    'golf-2.0_TDI.bin',
    'a=b',
    'anna@demo.test',
    '2026-11-21T09:00:00.000Z',
    "'quoted'",
    'c+p',
    '-',
  ])('%j %#', (text) => {
    const isSign = text === '-';
    expect(disarm(text)).toBe(isSign ? "'-" : text);
  });
});

describe('a line', () => {
  const entry: LogEntry = {
    guid: '01a1fd00-0000-7000-8000-000000000001',
    createdOn: new Date('2026-11-21T09:00:00Z'),
    completedOn: new Date('2026-11-21T09:00:01Z'),
    userName: 'Anna Conti',
    userEmail: 'anna@demo.test',
    customerCode: 'CC-1001',
    groupCode: 'G-10',
    type: 'KESSv2Encode',
    mode: 'obd',
    workflow: 'kessv2',
    slaveSerialNumber: 'KV2-000007',
    protocolId: 1001,
    readFileName: 'golf CC1001.tfc',
    status: 'succeeded',
    errorName: null,
    internalCode: null,
    request: {},
    result: null,
    vin: null,
  };
  const look = { nameProtocol: () => 'REF-OBD-512K', timeZone: 'Europe/Rome' };
  const files = { given: [], made: [] };

  test.each(['KV2000007', 'CC1001', '01a1fd', 'KESSv2Encode', '20261121', 'succeeded'])(
    'contains user, time and operation, no matter what a read contains as its VIN: %s',
    (vin) => {
      const sound = describeEntry(entry, files, look);
      const line = describeEntry({ ...entry, vin }, files, look);
      const isName = (_cell: string, at: number) => at === sound.indexOf('golf CC1001.tfc');
      expect(line.filter((cell, at) => !isName(cell, at))).toEqual(
        sound.filter((cell, at) => !isName(cell, at)),
      );
    },
  );

  test('hides the VIN in a file’s name', () => {
    expect(describeEntry({ ...entry, vin: 'CC1001' }, files, look)).toContain('golf ….tfc');
  });
});
