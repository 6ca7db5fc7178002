/** The value of a field in a list or among the facts of a record. */
import type { Field, FieldValue } from '@recodery/contract/admin/resource';
import { Badge, type BadgeState } from '../../../ui/display/badge.tsx';
import { isInactive } from '../records/record-actions.ts';
import { flagText, valueText, type Writing } from '../records/resource-words.ts';

export interface ValueCellProps {
  readonly writing: Writing;
  readonly name: string;
  readonly kind: Field['kind'];
  readonly value: FieldValue;
}

/** Options that are more than a word. */
const looks: Readonly<Record<string, BadgeState>> = {
  waiting: 'modified',
  accepted: 'good',
  expired: 'neutral',
  sent: 'good',
  failed: 'bad',
  running: 'modified',
  verifying: 'modified',
  complete: 'good',
  lossy: 'modified',
  unverified: 'neutral',
  broken: 'bad',
  gone: 'bad',
};
/** Lists are cut after this many entries. */
const mostShown = 3;

export function ValueCell({ writing, name, kind, value }: ValueCellProps) {
  const { t } = writing;
  if (typeof value === 'boolean') {
    const text = flagText(t, name, value);
    return text === '' ? null : (
      <Badge state={isInactive({ [name]: value }) ? 'neutral' : 'good'}>{text}</Badge>
    );
  }
  if (Array.isArray(value) && value.length > mostShown) {
    const shown = valueText(writing, name, { kind }, value.slice(0, mostShown));
    return t('admin.andMore', { shown, more: String(value.length - mostShown) });
  }
  const text = valueText(writing, name, { kind }, value);
  const look = kind === 'choice' && typeof value === 'string' ? looks[value] : undefined;
  return look === undefined ? text : <Badge state={look}>{text}</Badge>;
}
