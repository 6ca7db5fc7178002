/** The rules for source files: each way to break one is found, and nothing else. */
import { describe, expect, test } from 'vitest';
import { findSourceFaults } from '../checks/source-rules.ts';

const routes = 'server/src/slots/files/files-routes.ts';
const sqlFault = `${routes}:2 contains SQL: call a function of the file that owns the table`;

describe('routes and rules', () => {
  test.each([
    ["db.selectFrom('account')"],
    ["  .insertInto('account')"],
    ['db.updateTable(table)'],
    ['db.deleteFrom('],
    ['sql`select 1`'],
    ['sql<boolean>`guid = any(${guids})`'],
  ])('may not contain SQL: %s', (line) => {
    expect(findSourceFaults({ [routes]: `first line\n${line}` })).toEqual([sqlFault]);
  });

  test('are the only files without SQL', () => {
    const line = "db.selectFrom('slot')";
    const sources = { 'server/src/slots/slots.ts': line, 'server/test/routes.ts': line };
    expect(findSourceFaults(sources)).toEqual([]);
    expect(findSourceFaults({ 'server/src/a/log-rules.ts': line })).toHaveLength(1);
    expect(findSourceFaults({ 'server/src/a/routes.ts': line })).toHaveLength(1);
  });
});

describe('comments for the linter', () => {
  test.each([
    ['// oxlint-disable-next-line react-hooks/exhaustive-deps'],
    ['// eslint-disable-line react/exhaustive-deps -- only once'],
    ['/* oxlint-disable vitest/expect-expect */'],
    ['// oxlint-disable-next-line jsx-a11y/no-autofocus, jest/expect-expect'],
    ['// oxlint-disable-next-line'],
    ['/* oxlint-disable */'],
    ['// oxlint-disable -- everything'],
  ])('may not disable a strict rule, or all rules: %s', (line) => {
    expect(findSourceFaults({ 'web/src/ui/a.tsx': line })).toEqual([
      'web/src/ui/a.tsx:1 disables a rule of the linter: fix the code',
    ]);
  });

  test('may disable another rule on one line', () => {
    const line = '// oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex';
    expect(findSourceFaults({ 'web/src/ui/a.tsx': line })).toEqual([]);
  });
});
