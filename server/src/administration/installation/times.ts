/** Reads the times of a form. Pure. */
import type { FieldErrors } from '@recodery/contract/admin/check-fields';
import type { AnyValues } from '@recodery/contract/admin/resource';
import { textIn } from '../records/resource-store.ts';

/** A time in ISO 8601; null if the field is empty or wrong. */
export function readTime(values: AnyValues, name: string): Date | null {
  const text = textIn(values, name);
  const time = new Date(text);
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) && !Number.isNaN(time.getTime()) ? time : null;
}

/** The fields that contain something other than a time. */
export function timeErrors(values: AnyValues, names: readonly string[]): FieldErrors {
  return Object.fromEntries(
    names
      .filter((name) => textIn(values, name) !== '' && readTime(values, name) === null)
      .map((name) => [name, 'INVALID' as const]),
  );
}
