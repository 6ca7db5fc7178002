/** Which failures may be temporary, so that the same file or request is sent again and nothing is lost. */
import type { RefusalCode } from '@recodery/contract/errors';
import type { RecodErrorName } from '@recodery/contract/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import { expect, test } from 'vitest';
import { UploadFailed } from '../../src/api/lost-requests.ts';
import { mayBeTemporary } from '../../src/features/recoding/fault.ts';

const refused = (thrown: unknown) => mayBeTemporary({ kind: 'refused', thrown });

test.each<RefusalCode>([
  'TOO_MANY_UPLOADS',
  'UPLOAD_INTERRUPTED',
  'IDEMPOTENCY_KEY_IN_USE',
  'API_ERROR_THROTTLING',
  'SERVICE_UNAVAILABLE',
  'GENERIC_ERROR',
])('%s does not mean that the file is wrong', (code) => {
  expect(refused(new Refusal(code))).toBe(true);
});

test('a lost connection does not mean that the file is wrong', () => {
  expect(refused(new UploadFailed(true))).toBe(true);
});

test.each(['FILE_EMPTY', 'FILE_TOO_LARGE', 'INVALID_FILE', 'STORAGE_QUOTA_REACHED'] as const)(
  '%s does not pass with time',
  (code) => {
    expect(refused(new Refusal(code))).toBe(false);
  },
);

const failed = (errorName: RecodErrorName, cause?: string | null) =>
  mayBeTemporary({ kind: 'failed', error: { errorName, cause }, operationGUID: 'guid' });

test('an operation may succeed later if the engine failed, or did not respond', () => {
  expect(failed('ENGINE_UNAVAILABLE', 'ENGINE_UNAVAILABLE')).toBe(true);
  expect(failed('ENGINE_UNAVAILABLE')).toBe(true);
  expect(failed('FILE_SAVE_ERROR', 'ENCODE_FAILED')).toBe(true);
  expect(failed('ENGINE_REFUSED', 'ENGINE_REFUSED')).toBe(false);
});
