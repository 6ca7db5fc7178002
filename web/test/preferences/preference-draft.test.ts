/** What the settings page keeps as unsaved. */
import { expect, test } from 'vitest';
import { withPreference } from '../../src/features/preferences/preference-draft.ts';

const saved = { encodedKTAGFileNameFormat: '%r', action: 'Encode', isPrivate: null } as const;

test('a setting that was changed back is not unsaved, and does not overwrite what a colleague saves', () => {
  const typed = withPreference({}, { encodedKTAGFileNameFormat: '%r_1', isPrivate: true }, saved);
  expect(typed).toEqual({ encodedKTAGFileNameFormat: '%r_1', isPrivate: true });
  const changedBack = withPreference(typed, { encodedKTAGFileNameFormat: '%r' }, saved);
  expect(changedBack).toEqual({ isPrivate: true });
  expect(withPreference(changedBack, { isPrivate: null }, saved)).toEqual({});
});

test('a setting that is changed back while the change is being saved stays unsaved', () => {
  const saving = { encodedKTAGFileNameFormat: '%r_1' };
  const changedBack = { encodedKTAGFileNameFormat: '%r' };
  expect(withPreference(saving, changedBack, null)).toEqual(changedBack);
});
