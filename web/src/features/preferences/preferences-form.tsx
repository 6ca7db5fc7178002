/** The settings as a form: every field with its default, and one button that saves the changes. */
import { Refusal } from '@recodery/contract/refusal';
import type { Preferences } from '@recodery/contract/features/preferences';
import Check from 'lucide-react/icons/check';
import { type FormEvent, useState } from 'react';
import { type Problem, thrownProblem } from '../../i18n/problems.ts';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { LeaveGuard } from '../../ui/dialogs/leave-guard.tsx';
import { ProblemPanel } from '../../ui/display/problem-panel.tsx';
import { usePreferenceDraft } from './preference-draft.ts';
import { NameFields, type NameFieldsProps, SendingFields } from './preference-fields.tsx';
import { TimeZoneField } from './time-zone-field.tsx';
import {
  drafted,
  hasTextFault,
  isChanged,
  type PreferenceDraft,
  valuesOf,
} from './preference-values.ts';
import { useSavePreferences } from './preferences.ts';

/** The text for a refused save; a refused name is not an internal error, as the generic text would claim. */
function saveProblem(t: TextOf, thrown: unknown): Problem {
  const problem = thrownProblem(t, thrown);
  if (!(thrown instanceof Refusal) || thrown.code !== 'BAD_REQUEST') return problem;
  return { ...problem, headline: t('settings.refused'), advice: t('settings.refusedAdvice') };
}

export interface PreferencesFormProps extends Pick<NameFieldsProps, 'families'> {
  readonly preferences: Preferences;
  readonly customerCode: string;
}

/** The form's state and its commands. */
function usePreferencesForm({
  preferences,
  customerCode,
}: Pick<PreferencesFormProps, 'preferences' | 'customerCode'>) {
  const { draft, change, forget } = usePreferenceDraft(customerCode);
  const { mutate, isPending, isSuccess, error, reset } = useSavePreferences();
  const [isEdited, setIsEdited] = useState(false);
  const saved = valuesOf(preferences.organisationPreferences);
  const values = drafted(saved, draft);
  const hasChange = isChanged(saved, draft);
  const canSave = hasChange && !hasTextFault(values);
  return {
    values,
    hasChange,
    canSave,
    isPending,
    error,
    isSaved: isSuccess && !isEdited,
    edit: (next: PreferenceDraft): void => {
      setIsEdited(true);
      if (error !== null) reset();
      change(next, isPending ? null : saved);
    },
    discard: (): void => {
      if (error !== null) reset();
      forget(draft);
    },
    save: (): void => {
      if (!canSave || isPending) return;
      setIsEdited(false);
      mutate(draft, { onSuccess: () => forget(draft) });
    },
  };
}

/** Whether there are unsaved changes, or they were just saved; announced as it changes. */
function SaveNote({ hasChange, isSaved }: Pick<Form, 'hasChange' | 'isSaved'>) {
  const { t } = useTexts();
  return (
    <p role="status" className="flex items-center gap-1.5 text-md text-ink-2">
      {hasChange ? (
        t('settings.unsaved')
      ) : isSaved ? (
        <>
          <Icon of={Check} size={16} className="text-good" />
          {t('settings.saved')}
        </>
      ) : null}
    </p>
  );
}

type Form = ReturnType<typeof usePreferencesForm>;

/** Remounted for another customer code: unsaved changes belong to one code. */
export function PreferencesForm(props: PreferencesFormProps) {
  const { t } = useTexts();
  const { values, hasChange, canSave, isPending, error, isSaved, edit, discard, save } =
    usePreferencesForm(props);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <LeaveGuard kind="settings" isChanged={hasChange} onDiscard={discard} />
      {props.families.length > 0 && (
        <>
          <NameFields families={props.families} values={values} onChange={edit} />
          <TimeZoneField values={values} onChange={edit} />
        </>
      )}
      {props.preferences.canUserAutoSend && <SendingFields values={values} onChange={edit} />}
      {error !== null && (
        <ProblemPanel
          {...saveProblem(t, error)}
          actions={<Button onPress={save}>{t('ui.tryAgain')}</Button>}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          type="submit"
          look="primary"
          size="large"
          isPending={isPending}
          isDisabled={!canSave}
        >
          {t('settings.save')}
        </Button>
        <Button look="quiet" size="large" isDisabled={!hasChange || isPending} onPress={discard}>
          {t('ui.discard')}
        </Button>
        <SaveNote hasChange={hasChange} isSaved={isSaved} />
      </div>
    </form>
  );
}
