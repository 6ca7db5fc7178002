/**
 * Offers buttons to continue when another tab has changed the customer code during the work. This is rare, so the
 * buttons are loaded only then.
 */
import { Refusal } from '@recodery/contract/errors';
import { lazy, Suspense } from 'react';
import type { UnderNewCodeProps } from './code-changed-ways.tsx';
import type { Fault } from '../fault.ts';

const ways = () => import('./code-changed-ways.tsx');
const LazyUnderNewCode = lazy(async () => ({ default: (await ways()).UnderNewCode }));
const LazyBackToOldCode = lazy(async () => ({ default: (await ways()).BackToOldCode }));

/** Whether the server refused because the customer code that this tab assumes is no longer current. */
export function isCodeChanged(fault: Fault): boolean {
  return (
    fault.kind === 'refused' &&
    fault.thrown instanceof Refusal &&
    fault.thrown.code === 'CUSTOMER_CODE_CHANGED'
  );
}

/** Continues with the chosen read file under the new customer code. */
export function UnderNewCode(props: UnderNewCodeProps) {
  return (
    <Suspense fallback={null}>
      <LazyUnderNewCode {...props} />
    </Suspense>
  );
}

/** Returns to the customer code that the decoded files belong to. */
export function BackToOldCode() {
  return (
    <Suspense fallback={null}>
      <LazyBackToOldCode />
    </Suspense>
  );
}
