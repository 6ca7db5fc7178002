/** The check of table owners: it finds each way to write a table, and each mistake in the list. */
import { describe, expect, test } from 'vitest';
import { anyTable, findOwnerFaults } from '../checks/table-owners.ts';

const owners = { slot: ['slots/slots.ts'] };
const owner = "await db.insertInto('slot').values(row).execute();";

/** What the check finds in a file that is not the owner of `slot`. */
const findIn = (source: string) =>
  findOwnerFaults(owners, { 'slots/slots.ts': owner, 'stray.ts': source });

describe('the check of table owners', () => {
  test('accepts the owner, and readers of its table', () => {
    expect(
      findIn("db.selectFrom('slot').forUpdate(); sql`select 1 from slot for update`;"),
    ).toEqual([]);
  });

  test.each([
    ["db.insertInto('slot')"],
    ["db.updateTable('slot')"],
    ["trx\n    .deleteFrom(\n      'slot',\n    )"],
    ['sql`insert into slot (guid) values (1)`'],
    ['sql`update slot set name = null`'],
    ['sql`update only slot as s\n set name = null`'],
    ['sql`with gone as (DELETE FROM "slot" returning *) select 1`'],
    ["client.query('truncate table slot')"],
  ])('finds another writer: %s', (source) => {
    expect(findIn(source)).toEqual(['stray.ts writes slot, owned by slots/slots.ts']);
  });

  test.each([['db.updateTable(table)'], ['sql`delete from ${table}`']])(
    'finds a writer whose table is a variable: %s',
    (source) => {
      expect(findIn(source)).toEqual([`stray.ts writes ${anyTable}, owned by no file`]);
    },
  );

  test.each([
    ['// insert into slot'],
    ['  /** Then delete from slot. */'],
    ['sql`insert into other on conflict do update set a = 1`'],
    ['sql`select 1 for update skip locked`'],
  ])('does not mistake other text for a write of it: %s', (source) => {
    expect(findIn(source).filter((fault) => fault.includes('writes slot'))).toEqual([]);
  });

  test('finds another caller of the function that writes a table', () => {
    const call = 'sql`select open_slot(1)`';
    const sources = { 'slots/slots.ts': call, 'stray.ts': call };
    expect(findOwnerFaults(owners, sources, { open_slot: 'slot' })).toEqual([
      'stray.ts writes slot, owned by slots/slots.ts',
    ]);
  });

  test('finds a written table without an owner', () => {
    const sources = { 'slots/slots.ts': `${owner} db.deleteFrom('other');` };
    expect(findOwnerFaults(owners, sources)).toEqual([
      'slots/slots.ts writes other, owned by no file',
    ]);
  });

  test('finds an entry that no longer applies', () => {
    expect(findOwnerFaults(owners, { 'slots/slots.ts': 'nothing' })).toEqual([
      'slots/slots.ts does not write slot: remove it from the list',
    ]);
  });
});
