/** Where another tab has changed the customer code in the middle of the work, a button offers the way on. It is rare, so it is loaded only then. */
import { Refusal } from '@recodery/contract/errors';
import { lazy, Suspense } from 'react';
import type { UnderNewCodeProps } from './code-changed-ways.tsx';
import type { Fault } from '../fault.ts';

const ways = () => import('./code-changed-ways.tsx');
const LazyUnderNewCode = lazy(async () => ({ default: (await ways()).UnderNewCode }));
const LazyBackToOldCode = lazy(async () => ({ default: (await ways()).BackToOldCode }));

/** Whether the server refused because this tab believes in a customer code that is no longer in force. */
export function isCodeChanged(fault: Fault): boolean {
  return (
    fault.kind === 'refused' &&
    fault.thrown instanceof Refusal &&
    fault.thrown.code === 'CUSTOMER_CODE_CHANGED'
  );
}

/** Goes on with the chosen read file under the new customer code. */
export function UnderNewCode(props: UnderNewCodeProps) {
  return (
    <Suspense fallback={null}>
      <LazyUnderNewCode {...props} />
    </Suspense>
  );
}

/** Goes back to the customer code to which what is decoded belongs. */
export function BackToOldCode() {
  return (
    <Suspense fallback={null}>
      <LazyBackToOldCode />
    </Suspense>
  );
}
