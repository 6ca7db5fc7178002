/** The form of the setup: the operator, the organization and its devices, saved together. */
import { errorOf } from '@recodery/contract/admin/check-fields';
import type { AnswerOf } from '@recodery/contract/api';
import type { readSetup } from '@recodery/contract/admin/setup';
import { Refusal } from '@recodery/contract/refusal';
import { type FormEvent, useState } from 'react';
import { thrownProblem } from '../../../i18n/problems.ts';
import { type TextKey, useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { faultsOf } from '../records/record-faults.ts';
import { RecordField } from '../form/record-field.tsx';
import { faultText } from '../records/resource-words.ts';
import { ConnectionPanel } from './connection-panel.tsx';
import { DeviceRows } from './device-rows.tsx';
import { EmailTest } from './email-test.tsx';
import { OperatorSignIn, type OperatorSignInProps } from './operator-sign-in.tsx';
import {
  faultsOfSetup,
  type SetupDraft,
  type SetupFaults,
  type SetupField,
  setupFields,
  setupValuesOf,
} from './setup-draft.ts';
import type { AskedSetup } from './setup-link.ts';

export interface SetupFormProps {
  readonly token: string;
  /** What the server returns about the link. */
  readonly link: AnswerOf<typeof readSetup>;
  readonly isSaving: boolean;
  /** Why the last attempt was refused. */
  readonly error: unknown;
  readonly onChange: () => void;
  readonly onSave: (asked: AskedSetup) => void;
  readonly start: SetupDraft;
}

const labels: Readonly<Record<SetupField, TextKey>> = {
  'operator.email': 'admin.field.email',
  'operator.name': 'setup.yourName',
  'organisation.name': 'admin.field.name',
  'organisation.customerCode': 'admin.field.customerCode',
  'organisation.culture': 'admin.field.culture',
  groupCode: 'admin.field.groupCode',
};
const hints: Readonly<Partial<Record<SetupField, TextKey>>> = {
  'organisation.customerCode': 'setup.customerCodeHint',
  groupCode: 'setup.groupCodeHint',
};

const organisationFields: readonly SetupField[] = [
  'organisation.name',
  'organisation.customerCode',
  'organisation.culture',
  'groupCode',
];

interface FieldsProps {
  readonly names: readonly SetupField[];
  readonly draft: SetupDraft;
  readonly faults: SetupFaults;
  readonly onChange: (texts: SetupDraft['texts']) => void;
}

function Fields({ names, draft, faults, onChange }: FieldsProps) {
  const { t } = useTexts();
  return names.map((name) => {
    const hint = hints[name];
    const code = faults[name];
    return (
      <RecordField
        key={name}
        name={name.replace(/^.*\./, '')}
        field={setupFields[name]}
        label={t(labels[name])}
        hint={hint === undefined ? null : t(hint)}
        error={code === undefined ? null : faultText(t, code)}
        value={draft.texts[name] ?? null}
        onChange={(value) => onChange({ ...draft.texts, [name]: value })}
      />
    );
  });
}

interface OperatorPanelProps extends Omit<FieldsProps, 'names'> {
  readonly link: Pick<SetupFormProps['link'], 'issuer' | 'canAddPasskey'>;
  readonly onSignIn: OperatorSignInProps['onChange'];
}

function OperatorPanel({ link, onSignIn, ...shared }: OperatorPanelProps) {
  const { t } = useTexts();
  const { issuer, canAddPasskey } = link;
  return (
    <Panel title={t('setup.operator')}>
      <div className="flex max-w-xl flex-col gap-5">
        <p className="text-md text-pretty text-ink-2">{t('setup.operatorAbout')}</p>
        <Fields names={['operator.name', 'operator.email']} {...shared} />
        {issuer === null ? (
          <OperatorSignIn
            draft={shared.draft}
            faults={shared.faults}
            canAddPasskey={canAddPasskey}
            onChange={onSignIn}
          />
        ) : (
          <p className="text-md text-pretty wrap-anywhere text-ink-2">
            {t('setup.external', { issuer })}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** Why it was not saved, if the fields do not show it. */
function Problem({ error, faults }: { readonly error: unknown; readonly faults: SetupFaults }) {
  const { t } = useTexts();
  if (Object.keys(faults).length > 0) {
    return (
      <p role="alert" className="text-md text-bad">
        {t('admin.checkFields')}
      </p>
    );
  }
  if (error === null) return null;
  // whatever else is thrown comes from the browser: mostly, the user has canceled the passkey
  return error instanceof Refusal ? (
    <ProblemPanel {...thrownProblem(t, error)} />
  ) : (
    <p role="alert" className="text-md text-bad">
      {t('account.passkeyCanceled')}
    </p>
  );
}

/** Moves the focus to the first field that is not accepted, once it is marked. */
function focusFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}

/** What the server did not accept. It may name the list of the organization's codes instead of the one code. */
function refusedBy(error: unknown): SetupFaults {
  const faults = faultsOf(error);
  const groupCode = faults['organisation.groupCodes'];
  return groupCode === undefined ? faults : { ...faults, groupCode };
}

/** The operator's address; null: it is none yet. */
function addressOf({ operator: { email } }: AskedSetup['values']): string | null {
  return errorOf(setupFields['operator.email'], email) === null ? email : null;
}

export function SetupForm(props: SetupFormProps) {
  const { t } = useTexts();
  const { token, link, isSaving, error, start, onSave } = props;
  const { issuer, connection } = link;
  const [draft, setDraft] = useState(start);
  const [isTried, setIsTried] = useState(false);
  const values = setupValuesOf(draft, token, issuer !== null);
  const own = faultsOfSetup(values);
  const faults: SetupFaults = { ...refusedBy(error), ...(isTried ? own : {}) };
  const change = (next: Partial<SetupDraft>): void => {
    if (error !== null) props.onChange();
    setDraft((before) => ({ ...before, ...next }));
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setIsTried(true);
    focusFault(event.currentTarget);
    if (Object.keys(own).length === 0 && !isSaving)
      onSave({ values, withPasskey: issuer === null && draft.way !== 'password' });
  };
  const shared = {
    draft,
    faults,
    onChange: (texts: SetupDraft['texts']) => change({ texts }),
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <OperatorPanel link={link} onSignIn={change} {...shared} />
      <Panel title={t('setup.organisation')}>
        <div className="flex max-w-xl flex-col gap-5">
          <Fields names={organisationFields} {...shared} />
        </div>
      </Panel>
      <Panel title={t('setup.devices')}>
        <p className="mb-5 max-w-[70ch] text-md text-pretty text-ink-2">
          {t('setup.devicesAbout')}
        </p>
        <DeviceRows draft={draft} faults={faults} onChange={change} />
      </Panel>
      <EmailTest token={token} to={addressOf(values)} culture={values.organisation.culture} />
      <ConnectionPanel connection={connection} origin={location.origin} />
      <Problem error={error} faults={faults} />
      <Button
        type="submit"
        look="primary"
        size="large"
        isPending={isSaving}
        className="self-start max-sm:w-full"
      >
        {t('setup.save')}
      </Button>
    </form>
  );
}
