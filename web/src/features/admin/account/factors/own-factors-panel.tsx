/** The user's second factors: what they have, and how to add, remove and replace it. */
import type { AppDraft, Factor, OwnFactors } from '@recodery/contract/admin/factors';
import KeyRound from 'lucide-react/icons/key-round';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { timeText } from '../../../../i18n/formats.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Confirm } from '../../../../ui/dialogs/confirm.tsx';
import { Icon } from '../../../../ui/display/icon.tsx';
import { Loaded } from '../../../../ui/loading/loaded.tsx';
import { Panel } from '../../../../ui/display/panel.tsx';
import { showFailure } from '../../../../ui/toasts/toast.tsx';
import { mustConfirm } from '../../records/record-faults.ts';
import { AddApp } from './add-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import {
  useDraftApp,
  useDraftPasskey,
  useFactors,
  useRemoveFactor,
  useRenewCodes,
} from './own-factors.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

interface FactorRowProps {
  readonly factor: Factor;
  readonly onRemove: () => void;
}

function FactorRow({ factor, onRemove }: FactorRowProps) {
  const { t, language } = useTexts();
  const [now] = useState(() => new Date());
  const { kind, name, lastUsedOn } = factor;
  const used =
    lastUsedOn === null
      ? t('account.neverUsed')
      : t('account.lastUsed', { time: timeText(lastUsedOn, now, language) });
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon of={kind === 'app' ? Smartphone : KeyRound} className="text-ink-2" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-md wrap-anywhere text-ink-2">
          {`${t(kind === 'app' ? 'account.app' : 'account.passkey')} · ${used}`}
        </p>
      </div>
      <Button size="small" aria-label={t('setup.removeNamed', { name })} onPress={onRemove}>
        {t('account.remove')}
      </Button>
    </li>
  );
}

/** What is open above the page. */
type Step =
  | { readonly kind: 'app'; readonly draft: AppDraft }
  | { readonly kind: 'passkey'; readonly options: string }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }
  | { readonly kind: 'remove'; readonly factor: Factor }
  | { readonly kind: 'renew' }
  | { readonly kind: 'confirm'; readonly again: () => void }
  | null;

/** The changes, each of which first asks for the password if the sign-in was too long ago. */
function useSteps() {
  const { t } = useTexts();
  const [step, setStep] = useState<Step>(null);
  const [app, passkey] = [useDraftApp(), useDraftPasskey()];
  const [removal, renewal] = [useRemoveFactor(), useRenewCodes()];
  const onError = (again: () => void) => (thrown: unknown) => {
    if (mustConfirm(thrown)) setStep({ kind: 'confirm', again });
    else showFailure(t, thrown);
  };
  const addApp = (): void =>
    app.mutate(undefined, {
      onSuccess: (draft) => setStep({ kind: 'app', draft }),
      onError: onError(addApp),
    });
  const addPasskey = (): void =>
    passkey.mutate(undefined, {
      onSuccess: (options) => setStep({ kind: 'passkey', options }),
      onError: onError(addPasskey),
    });
  const remove = ({ guid }: Factor): void =>
    removal.mutate(guid, { onError: onError(() => remove({ guid } as Factor)) });
  const renew = (): void =>
    renewal.mutate(undefined, {
      onSuccess: (codes) => setStep({ kind: 'codes', codes }),
      onError: onError(renew),
    });
  return {
    ...{ step, setStep, addApp, addPasskey, remove, renew },
    isDrafting: app.isPending || passkey.isPending,
  };
}

type Steps = ReturnType<typeof useSteps>;

/** The dialog of the present step. */
function StepDialog({ steps }: { readonly steps: Steps }) {
  const { t } = useTexts();
  const { step, setStep } = steps;
  const close = (): void => setStep(null);
  const show = (codes: readonly string[] | null): void =>
    setStep(codes === null ? null : { kind: 'codes', codes });
  if (step === null) return null;
  if (step.kind === 'app') return <AddApp draft={step.draft} onClose={close} onAdded={show} />;
  if (step.kind === 'passkey')
    return <AddPasskey options={step.options} onClose={close} onAdded={show} />;
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onClose={close} />;
  const follow = (next: () => void) => (): void => {
    close();
    next();
  };
  if (step.kind === 'confirm')
    return <ConfirmPassword onClose={close} onConfirmed={follow(step.again)} />;
  const isRenewal = step.kind === 'renew';
  const title = isRenewal
    ? t('account.renewTitle')
    : t('account.removeTitle', { name: step.factor.name });
  return (
    <Confirm
      title={title}
      confirm={t(isRenewal ? 'account.renewCodes' : 'account.remove')}
      onCancel={close}
      onConfirm={follow(isRenewal ? steps.renew : () => steps.remove(step.factor))}
    >
      <p>{t(isRenewal ? 'account.renewAbout' : 'account.removeAbout')}</p>
    </Confirm>
  );
}

function FactorList({ own, steps }: { readonly own: OwnFactors; readonly steps: Steps }) {
  const { t } = useTexts();
  const { factors, recoveryCodesLeft, canAddPasskey, isMissing } = own;
  const { setStep } = steps;
  return (
    <>
      {isMissing && (
        <p role="status" className="mt-2 rounded-s bg-modified-soft px-3 py-2 text-md">
          {t('account.factorMissing')}
        </p>
      )}
      <ul className="mt-2 divide-y divide-line">
        {factors.map((factor) => (
          <FactorRow
            key={factor.guid}
            factor={factor}
            onRemove={() => setStep({ kind: 'remove', factor })}
          />
        ))}
        {factors.length > 0 && (
          <li className="flex items-center gap-3 py-3">
            <p className="min-w-0 flex-1">{t('account.codesLeft', { count: recoveryCodesLeft })}</p>
            <Button size="small" onPress={() => setStep({ kind: 'renew' })}>
              {t('account.renewCodes')}
            </Button>
          </li>
        )}
      </ul>
      {!canAddPasskey && (
        <p className="mt-2 max-w-[70ch] text-md text-pretty text-ink-2">
          {t('account.noPasskeys')}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {canAddPasskey && (
          <Button icon={KeyRound} isDisabled={steps.isDrafting} onPress={steps.addPasskey}>
            {t('account.addPasskey')}
          </Button>
        )}
        <Button icon={Smartphone} isDisabled={steps.isDrafting} onPress={steps.addApp}>
          {t('account.addApp')}
        </Button>
      </div>
    </>
  );
}

export function OwnFactorsPanel() {
  const { t } = useTexts();
  const query = useFactors();
  const steps = useSteps();
  return (
    <Panel title={t('account.factors')}>
      <p className="max-w-[70ch] text-md text-pretty text-ink-2">{t('account.factorsAbout')}</p>
      <Loaded query={query}>{(own) => <FactorList own={own} steps={steps} />}</Loaded>
      <StepDialog steps={steps} />
    </Panel>
  );
}
