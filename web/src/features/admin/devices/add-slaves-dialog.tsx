/** Adds many slaves from a pasted list: each line is checked first, and all or none are added. */
import { mostSlavesAtOnce, type SlaveLine } from '@recodery/contract/admin/many-slaves';
import { resources } from '@recodery/contract/admin/resources';
import type { Family } from '@recodery/contract/families/registry';
import { type FormEvent, useId, useState } from 'react';
import { numberText } from '../../../i18n/formats.ts';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { RecordField } from '../form/record-field.tsx';
import type { Values } from '../records/record-draft.ts';
import { faultsOf } from '../records/record-faults.ts';
import { faultText, fieldLabel } from '../records/resource-words.ts';
import { useAddSlaves } from './use-add-slaves.ts';

const resource = resources.slaves;
/** The fields that all slaves of the list have in common. */
const common = ['family', 'masterSerial', 'owner'] as const;
const { family, masterSerial, owner } = resource.fields;
const fields = { family, masterSerial, owner };

/** Each line of the list with its error. */
function Lines({ lines }: { readonly lines: readonly SlaveLine[] }) {
  const { t, language } = useTexts();
  return (
    // may be longer than the dialog, so that the keyboard must reach it to scroll
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol tabIndex={0} aria-label={t('admin.slaves.preview')} className="max-h-72 overflow-auto">
      {lines.map(({ line, serial, owner: ofLine, error }) => (
        <li
          key={line}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2 first:border-t-0"
        >
          <span className="text-sm text-ink-3">
            {t('admin.slaves.line', { line: numberText(line, language) })}
          </span>
          <span className="font-mono wrap-anywhere">{serial}</span>
          {ofLine !== null && <span className="text-md text-ink-2">{ofLine}</span>}
          <Badge state={error === null ? 'good' : 'bad'}>
            {error === null ? t('admin.slaves.new') : fieldLabel(t, resource, error.field)}
          </Badge>
          {error !== null && (
            <span className="w-full text-md text-bad">{faultText(t, error.code)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The form's state: the list is checked before it can be added, and again after each change. */
function useList(onAdded: () => void) {
  const { t } = useTexts();
  const { mutate, isPending, error, data, reset } = useAddSlaves();
  const [values, setValues] = useState<Values>({});
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  // empty lines at the end are no lines of the list
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  const isEmpty = !/[^\s;]/.test(text);
  const { family: chosen, masterSerial: master, owner: shared } = values;
  const isComplete = !isEmpty && typeof master === 'string' && chosen !== undefined;
  const isSound = data !== undefined && data.lines.every((line) => line.error === null);
  const isTooMany = lines.length > mostSlavesAtOnce;
  return {
    values,
    text,
    isPending,
    isSound,
    lines: data?.lines ?? null,
    error: Object.keys(faultsOf(error)).length > 0 ? null : error,
    faults: faultsOf(error),
    isMissing: (name: string) => isTried && (values[name] ?? null) === null,
    textFault: isTooMany
      ? t('admin.slaves.tooMany', { most: String(mostSlavesAtOnce) })
      : isTried && isEmpty
        ? t('admin.fault.REQUIRED')
        : null,
    change(next: { readonly values?: Values; readonly text?: string }): void {
      reset();
      if (next.values !== undefined) setValues({ ...values, ...next.values });
      if (next.text !== undefined) setText(next.text);
    },
    submit(event: FormEvent): void {
      event.preventDefault();
      setIsTried(true);
      if (!isComplete || isTooMany || isPending) return;
      mutate(
        {
          family: chosen as Family,
          masterSerial: master,
          owner: typeof shared === 'string' ? shared : null,
          list: lines,
          isTrial: !isSound,
        },
        { onSuccess: ({ added }) => added > 0 && onAdded() },
      );
    },
  };
}

/** What all slaves of the list have in common. */
function Common({ list }: { readonly list: ReturnType<typeof useList> }) {
  const { t } = useTexts();
  const { values, faults, change } = list;
  return common.map((name) => {
    const isMissing = name !== 'owner' && list.isMissing(name);
    const code = faults[name] ?? (isMissing ? 'REQUIRED' : undefined);
    return (
      <RecordField
        key={name}
        name={name}
        field={fields[name]}
        label={fieldLabel(t, resource, name)}
        hint={name === 'owner' ? t('admin.slaves.ownerOfAll') : null}
        error={code === undefined ? null : faultText(t, code)}
        value={values[name] ?? null}
        onChange={(value) => change({ values: { [name]: value } })}
      />
    );
  });
}

export function AddSlavesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t, language } = useTexts();
  const id = useId();
  const list = useList(() => {
    showToast({ title: t('admin.slaves.manyDone'), tone: 'good' });
    onClose();
  });
  const { text, lines, isSound, isPending, error, change } = list;
  const count = numberText(lines?.length ?? 0, language);
  return (
    <Dialog
      title={t('admin.slaves.many')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button look="primary" type="submit" form={id} isPending={isPending}>
            {isSound ? t('admin.slaves.addAll', { count }) : t('admin.slaves.check')}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={list.submit} className="flex flex-col gap-5">
        <Common list={list} />
        <TextField
          label={t('admin.slaves.list')}
          hint={t('admin.slaves.listHint')}
          value={text}
          lines={6}
          isMono
          autoComplete="off"
          error={list.textFault}
          onChange={(next) => change({ text: next })}
        />
        {lines !== null && !isSound && (
          <p role="alert" className="text-md text-bad">
            {t('admin.slaves.faulty')}
          </p>
        )}
        {lines !== null && <Lines lines={lines} />}
        {error !== null && <ProblemPanel {...thrownProblem(t, error)} />}
      </form>
    </Dialog>
  );
}
