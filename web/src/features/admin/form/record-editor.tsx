/** The form of a record, from its resource's declaration. */
import Check from 'lucide-react/icons/check';
import { type FieldValue, hasField } from '@recodery/contract/admin/resource';
import { type FormEvent, useState } from 'react';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Confirm } from '../../../ui/dialogs/confirm.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { LeaveGuard } from '../../../ui/dialogs/leave-guard.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import type { Values } from '../records/record-draft.ts';
import { RecordField } from './record-field.tsx';
import { type RecordFormOptions, type RecordFormState, useRecordForm } from './record-form.ts';
import { deviceText, fieldHint, fieldLabel, faultText } from '../records/resource-words.ts';

/** Only files are uploaded. */
const ProgressBar = onDemand(
  async () => (await import('../../../ui/display/progress-bar.tsx')).ProgressBar,
);

/** Rarely needed. */
const RecordConflict = onDemand(async () => (await import('./record-conflict.tsx')).RecordConflict);

export interface RecordEditorProps extends RecordFormOptions {
  /** The label of the button that creates a record. */
  readonly create: string;
}

/** The options of a field that depends on the entries of another one. */
function optionsWithin(values: Values, within: string | undefined): readonly string[] | undefined {
  if (within === undefined) return undefined;
  const value: FieldValue = values[within] ?? null;
  return Array.isArray(value) ? value.filter((entry: string) => entry !== '') : [];
}

/** The owners before and after, which the user confirms. */
function Moves({ state }: { readonly state: RecordFormState }) {
  const { t } = useTexts();
  const { moves, save, dismiss } = state;
  if (moves.length === 0) return null;
  return (
    <Confirm
      title={t('admin.moveTitle')}
      confirm={t('admin.move')}
      onConfirm={() => save({ move: 'true' })}
      onCancel={dismiss}
    >
      <p>{t('admin.moveAbout')}</p>
      <ul className="flex flex-col gap-1">
        {moves.map(({ device, from, to }) => (
          <li key={device} className="wrap-anywhere">
            <span className="font-mono">{deviceText(t, device)}</span>
            {': '}
            {`${from ?? t('admin.noValue')} → ${to ?? t('admin.noValue')}`}
          </li>
        ))}
      </ul>
    </Confirm>
  );
}

/** The user confirms that an organisation has no manager afterwards. */
function WithoutManager({ state }: { readonly state: RecordFormState }) {
  const { t } = useTexts();
  const { losesManager, save, dismiss } = state;
  if (!losesManager) return null;
  return (
    <Confirm
      title={t('admin.noManagerTitle')}
      confirm={t('admin.noManager')}
      onConfirm={() => save({ withoutManager: 'true' })}
      onCancel={dismiss}
    >
      <p>{t('admin.noManagerAbout')}</p>
    </Confirm>
  );
}

/** The user confirms what the refusal describes, such as that an image is used for other numbers than its own. */
function Asked({ state }: { readonly state: RecordFormState }) {
  const { t } = useTexts();
  const { question, save, dismiss } = state;
  if (question === null) return null;
  const { code, facts } = question;
  const { own = '', entered = '', files = '' } = facts;
  return (
    <Confirm
      title={t(`admin.${code}.title`)}
      confirm={t(`admin.${code}.confirm`)}
      onConfirm={() => save({ confirm: files || 'true' })}
      onCancel={dismiss}
    >
      <p className="wrap-anywhere">
        {code === 'REMOVES_NOT_CONFIRMED'
          ? t('admin.REMOVES_NOT_CONFIRMED.about', { files })
          : t('admin.DIFFERS_NOT_CONFIRMED.about', { own, entered })}
      </p>
    </Confirm>
  );
}

/** Whether there are unsaved changes, or they were just saved; announced as it changes. */
function SaveNote({ isChanged, isSaved }: Pick<RecordFormState, 'isChanged' | 'isSaved'>) {
  const { t } = useTexts();
  return (
    <p role="status" className="flex items-center gap-1.5 text-md text-ink-2">
      {isChanged ? (
        t('admin.unsaved')
      ) : isSaved ? (
        <>
          <Icon of={Check} size={16} className="text-good" />
          {t('admin.saved')}
        </>
      ) : null}
    </p>
  );
}

/** Why it was not saved, if that is not about a confirmation or a newer record, which are shown where they belong. */
function SaveProblem({ state }: { readonly state: RecordFormState }) {
  const { t } = useTexts();
  const { error, faults, overtaken, moves, losesManager, question, save } = state;
  if (overtaken !== null || moves.length > 0 || losesManager || question !== null) return null;
  if (Object.keys(faults).length > 0) {
    return (
      <p role="alert" className="text-md text-bad">
        {t('admin.checkFields')}
      </p>
    );
  }
  if (error === null) return null;
  return (
    <ProblemPanel
      {...thrownProblem(t, error)}
      actions={<Button onPress={() => save()}>{t('ui.tryAgain')}</Button>}
    />
  );
}

function Fields({
  state,
  resource,
}: Pick<RecordEditorProps, 'resource'> & { readonly state: RecordFormState }) {
  const { t } = useTexts();
  const { inputs, values, faults, change } = state;
  return (
    <div className="flex max-w-xl flex-col gap-5">
      {inputs.map(([name, field]) => {
        const code = faults[name];
        const options = optionsWithin(values, field.within);
        // without an organisation there is nothing to choose
        if (options?.length === 0 || !hasField(field, values)) return null;
        return (
          <RecordField
            key={name}
            {...{ name, field }}
            label={fieldLabel(t, resource, name)}
            hint={fieldHint(t, resource, name)}
            error={code === undefined ? null : faultText(t, code)}
            value={values[name] ?? null}
            {...(options === undefined ? {} : { options })}
            onChange={(value) => change({ [name]: value })}
          />
        );
      })}
    </div>
  );
}

/** Moves the focus to the first field that is not accepted, once it is marked. */
function focusFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}

/** Remounted for another record. */
export function RecordEditor({ create, ...options }: RecordEditorProps) {
  const { t, language } = useTexts();
  const state = useRecordForm(options);
  const { form, overtaken, isChanged, isSaved, isPending, hasClashes, save, discard } = state;
  const [now] = useState(() => new Date());
  const { resource } = options;
  const isNew = form === 'create';
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    save();
    focusFault(event.currentTarget);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <LeaveGuard kind="changes" isChanged={isChanged} onDiscard={discard} />
      {overtaken !== null && (
        <RecordConflict
          {...{ resource, overtaken }}
          writing={{ t, language, now }}
          onDecide={state.decide}
        />
      )}
      <Panel>
        <Fields {...{ state, resource }} />
      </Panel>
      <SaveProblem state={state} />
      {state.progress !== null && (
        <div className="max-w-xl">
          <ProgressBar label={t('admin.file.sending')} fraction={state.progress} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          type="submit"
          look="primary"
          size="large"
          isPending={isPending}
          isDisabled={hasClashes || (!isNew && !isChanged)}
        >
          {isNew ? create : t('admin.save')}
        </Button>
        <Button look="quiet" size="large" isDisabled={!isChanged || isPending} onPress={discard}>
          {t('ui.discard')}
        </Button>
        <SaveNote {...{ isChanged, isSaved }} />
      </div>
      <Moves state={state} />
      <WithoutManager state={state} />
      <Asked state={state} />
    </form>
  );
}
