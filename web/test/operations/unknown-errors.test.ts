/** An operation that failed with an error name of a newer server: it ends, for every family, with the generic text. */
import { operation as operationShape } from '@recodery/contract/features/operations';
import {
  describeOperationType,
  operationTypes,
  recodErrorNames,
} from '@recodery/contract/families/registry';
import { environmentManager, QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followOperation } from '../../src/features/operations/follow-operation.ts';
import { faultOf, problemOf } from '../../src/features/recoding/fault.ts';
import { loadPage } from '../../src/features/recoding/families/registry.ts';
import { decodeEnd, encodeEnd } from '../../src/features/recoding/flow/state/resume-operation.ts';
import { startTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';
import { operation } from '../recoding/results.ts';
import { t } from '../texts/t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  environmentManager.setIsServer(() => false);
  await startTexts('en-US');
});
afterAll(() => environmentManager.setIsServer(() => true));

const unknownName = fc
  .oneof(fc.stringMatching(/^[A-Z][A-Z\d_]{2,40}$/), fc.constantFrom('constructor', '-1', 'x y'))
  .filter((name) => !recodErrorNames.some((known) => known === name));
const anyError = fc.record({
  errorName: unknownName,
  detail: fc.option(fc.string()),
  cause: fc.option(fc.stringMatching(/^[A-Z_]{1,20}$/)),
});

// promise 8.display.newer-name
test.each(operationTypes)(
  'an unknown error name ends a %s with the generic text and its name, not with a lost connection',
  async (type) => {
    const { family, isDecode } = describeOperationType(type);
    const page = await loadPage(family);
    await fc.assert(
      fc.asyncProperty(anyError, async (error) => {
        const failed = operation({
          ...{ asyncOperationType: type, status: 'failed', isCompleted: true, hasFailed: true },
          error,
        });
        // as it arrives: an unreadable record would count as a failed request
        const received = () => operationShape.parse(JSON.parse(JSON.stringify(failed)));
        const { promise, resolve } = Promise.withResolvers<string>();
        const stop = followOperation(
          {
            client: new QueryClient(),
            stream: { isUp: () => false, onOperation: () => () => {}, onUpOrDown: () => () => {} },
            read: async () => received(),
          },
          { guid: failed.guid, isResumed: false },
          {
            onEnded: ({ status }) => resolve(status),
            onRefused: () => resolve('refused'),
            onLost: () => resolve('lost'),
          },
        );
        expect(await promise.finally(stop)).toBe('failed');
        const event = isDecode ? decodeEnd(page, received()) : encodeEnd(received());
        expect(event).toMatchObject({
          type: isDecode ? 'decode-failed' : 'encode-failed',
          fault: { kind: 'failed', error: { errorName: error.errorName } },
        });
        expect(problemOf(t, faultOf(received()))).toEqual({
          headline: t('GENERIC_ERROR_TITLE'),
          advice: t('GENERIC_ERROR'),
          code: error.errorName,
        });
      }),
    );
  },
);
