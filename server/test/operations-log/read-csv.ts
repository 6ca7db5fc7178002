/** Parses CSV as strictly as RFC 4180 defines it: any deviation throws. */

/** The records of a CSV; each must have as many fields as the first, and end with CR and LF. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
    field.lastIndex = at;
    const found = field.exec(text);
    if (found === null) throw new Error(`no field at ${at}: ${text.slice(at, at + 40)}`);
    const [whole, quoted, plain = '', end] = found;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('the last record has no end');
  const width = records[0]?.length;
  if (records.some(({ length }) => length !== width)) throw new Error('records differ in width');
  return records;
}
