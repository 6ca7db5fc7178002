/** Shows what someone else saved while the form was open; the user decides about fields that both changed. */
import GitMerge from 'lucide-react/icons/git-merge';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import type { Clash, Overtaken } from '../records/record-draft.ts';
import type { AnyResource } from '../records/records.ts';
import { fieldLabel, valueText, type Writing } from '../records/resource-words.ts';

export interface RecordConflictProps {
  readonly resource: AnyResource;
  readonly overtaken: Overtaken;
  readonly writing: Writing;
  readonly onDecide: (takesTheirs: boolean) => void;
}

interface ChangeProps extends Pick<RecordConflictProps, 'resource' | 'writing'> {
  readonly change: Omit<Clash, 'mine'> & Partial<Pick<Clash, 'mine'>>;
}

function Change({ resource, writing, change }: ChangeProps) {
  const { t } = writing;
  const { field, before, theirs, mine } = change;
  const kind = resource.fields[field]?.kind ?? 'text';
  const text = (value: Clash['mine']): string =>
    kind === 'image'
      ? t(value === null ? 'admin.noValue' : 'admin.image.other')
      : valueText(writing, field, { kind }, value) || t('admin.noValue');
  return (
    <div className="flex flex-col border-line py-2 not-first:border-t">
      <dt className="text-sm text-ink-2">{fieldLabel(t, resource, field)}</dt>
      <dd className="wrap-anywhere">
        <span className="text-ink-2 line-through">{text(before)}</span>
        <span aria-hidden="true"> → </span>
        <span className="font-medium">{text(theirs)}</span>
        {mine !== undefined && (
          <p className="text-sm">{t('admin.conflict.yours', { value: text(mine) })}</p>
        )}
      </dd>
    </div>
  );
}

export function RecordConflict({ resource, overtaken, writing, onDecide }: RecordConflictProps) {
  const { t } = useTexts();
  const { taken, clashes } = overtaken;
  const heading = useRef<HTMLHeadingElement>(null);
  // the save button is at the end of the form, far from what it reports
  useEffect(() => heading.current?.focus(), []);
  const hasClashes = clashes.length > 0;
  return (
    <section
      aria-label={t('admin.conflict.title')}
      className="rounded-m bg-modified-soft px-4 py-4 forced-colors:border"
    >
      <div className="flex gap-3.5">
        <Icon of={GitMerge} size={20} className="mt-0.5 text-modified" />
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
            {t('admin.conflict.title')}
          </h2>
          <p className="max-w-[70ch] text-ink-2">
            {t(hasClashes ? 'admin.conflict.clash' : 'admin.conflict.about')}
          </p>
          <dl className="mt-2">
            {[...clashes, ...taken].map((change) => (
              <Change key={change.field} {...{ resource, writing, change }} />
            ))}
          </dl>
          <div className="mt-3 flex flex-wrap gap-2">
            {hasClashes ? (
              <>
                <Button look="primary" onPress={() => onDecide(true)}>
                  {t('admin.conflict.theirs')}
                </Button>
                <Button onPress={() => onDecide(false)}>{t('admin.conflict.mine')}</Button>
              </>
            ) : (
              <Button onPress={() => onDecide(false)}>{t('ui.close')}</Button>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}
