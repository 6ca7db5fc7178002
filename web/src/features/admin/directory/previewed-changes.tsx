/** What a directory file changes, record by record, with the old and the new value of each field. */
import type { PreviewedChange } from '@recodery/contract/admin/directory';
import { useState } from 'react';
import { type TextOf, useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { deviceText, fieldLabel, optionText } from '../records/resource-words.ts';

/** Changes that are shown at once. */
const portion = 100;

const looks = { add: 'good', change: 'modified', remove: 'bad' } as const;

type Field = PreviewedChange['fields'][number];

function valueOf(t: TextOf, name: string, value: string | null): string {
  if (value === null) return t('admin.noValue');
  if (value === 'true') return t('admin.yes');
  if (value === 'false') return t('admin.no');
  if (name === 'rights')
    return value
      .split(', ')
      .map((right) => optionText(t, name, right))
      .join(', ');
  return name === 'culture' || name === 'family' ? optionText(t, name, value) : value;
}

function FieldLine({ field, action }: { readonly field: Field; readonly action: string }) {
  const { t } = useTexts();
  const { name, before, after } = field;
  const label = fieldLabel(t, { name: 'directory' }, name === 'code' ? 'groupCode' : name);
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">
        {action === 'change' && (
          <>
            <del className="text-ink-2">{valueOf(t, name, before)}</del>
            <span aria-hidden="true"> → </span>
          </>
        )}
        <span className="font-medium">{valueOf(t, name, after)}</span>
      </dd>
    </div>
  );
}

function Change({ change }: { readonly change: PreviewedChange }) {
  const { t } = useTexts();
  const { kind, key, action, fields, moves } = change;
  return (
    <li className="flex flex-col gap-1 border-t border-line py-3 first:border-t-0">
      <p className="flex flex-wrap items-center gap-2">
        <Badge state={looks[action]}>{t(`directory.${action}`)}</Badge>
        <span className="text-ink-2">{t(`directory.kind.${kind}`)}</span>
        <span className="font-medium wrap-anywhere">
          {kind === 'master' || kind === 'slave' ? deviceText(t, key) : key}
        </span>
      </p>
      {action !== 'remove' && fields.length > 0 && (
        <dl className="text-md">
          {fields.map((field) => (
            <FieldLine key={field.name} {...{ field, action }} />
          ))}
        </dl>
      )}
      {moves.map((move) => (
        <p key={move} lang="en" className="text-md font-medium text-modified">
          {move}
        </p>
      ))}
    </li>
  );
}

export function PreviewedChanges({ changes }: { readonly changes: readonly PreviewedChange[] }) {
  const { t } = useTexts();
  const [shown, setShown] = useState(portion);
  return (
    <>
      <ol className="flex flex-col">
        {changes.slice(0, shown).map((change) => (
          <Change key={`${change.kind} ${change.key}`} {...{ change }} />
        ))}
      </ol>
      {changes.length > shown && (
        <div className="flex justify-center">
          <Button onPress={() => setShown(shown + portion)}>{t('notifications.more')}</Button>
        </div>
      )}
    </>
  );
}
