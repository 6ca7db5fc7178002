/** Which changes of a record's form count as unsaved. */
import { organisations, users } from '@recodery/contract/admin/resources';
import { expect, test } from 'vitest';
import { comparing } from '../../src/features/admin/records/record-draft.ts';

test('another order of the organizations of a user is a change: the first is current after sign-in', () => {
  const fields = { ...organisations.fields, ...users.fields };
  const { withChange, overtake } = comparing({ fields });
  const saved = { customerCodes: ['CC-1', 'CC-2'], rights: ['kess3', 'ktag'] };
  const next = { customerCodes: ['CC-2', 'CC-1'], rights: ['ktag', 'kess3'] };
  expect(withChange({}, next, saved)).toEqual({ customerCodes: ['CC-2', 'CC-1'] });
  expect(overtake(saved, { ...saved, ...next }, {}).taken.map(({ field }) => field)).toEqual([
    'customerCodes',
  ]);
});
