/** A file that is passed to another page: which page may upload it, and until when. */
import { beforeEach, expect, test } from 'vitest';
import { rememberCustomerCode } from '../../../../src/api/customer-code.ts';
import {
  forgetPassedFile,
  passFile,
  takePassedFile,
} from '../../../../src/features/recoding/flow/reads/pass-file.ts';

const file = new File(['TFC1'], 'read.tfc');
beforeEach(() => rememberCustomerCode('CC-1001'));

test('is taken once, by the page that it was passed to', () => {
  passFile('kessv2', file);
  forgetPassedFile('/kessv2');
  expect(takePassedFile('ktag')).toBeNull();
  expect(takePassedFile('kessv2')).toBe(file);
  expect(takePassedFile('kessv2')).toBeNull();
});

test('is not taken after the user has opened another page', () => {
  passFile('kessv2', file);
  forgetPassedFile('/kessv2');
  forgetPassedFile('/jobs');
  forgetPassedFile('/kessv2');
  expect(takePassedFile('kessv2')).toBeNull();
});

test('is not taken under another customer code', () => {
  passFile('kessv2', file);
  rememberCustomerCode('CC-2002');
  expect(takePassedFile('kessv2')).toBeNull();
  rememberCustomerCode('CC-1001');
  expect(takePassedFile('kessv2')).toBeNull();
});
