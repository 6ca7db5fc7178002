/** How the operator will sign in: with a passkey, a password, or both. */
import { useTexts } from '../../../i18n/texts.ts';
import { Select } from '../../../ui/fields/select.tsx';
import { NewPassword } from '../new-password.tsx';
import { type SetupDraft, type SetupFaults, signInWays } from './setup-draft.ts';

export interface OperatorSignInProps {
  readonly draft: Pick<SetupDraft, 'password' | 'way'>;
  readonly faults: SetupFaults;
  /** Whether the browser can create a passkey for this portal. */
  readonly canAddPasskey: boolean;
  readonly onChange: (next: Partial<Pick<SetupDraft, 'password' | 'way'>>) => void;
}

export function OperatorSignIn({ draft, faults, canAddPasskey, onChange }: OperatorSignInProps) {
  const { t } = useTexts();
  const { password, way } = draft;
  const passkeyFault = faults['operator.passkey'];
  return (
    <>
      {canAddPasskey && (
        <Select
          label={t('setup.signInWith')}
          value={way}
          options={signInWays.map((id) => ({ id, text: t(`setup.way.${id}`) }))}
          hint={
            passkeyFault === undefined ? (
              way !== 'password' && (
                <p className="mt-1.5 text-sm text-pretty text-ink-3">{t('setup.passkeyAbout')}</p>
              )
            ) : (
              <p role="alert" className="mt-1.5 text-sm text-bad">
                {t('account.passkeyCanceled')}
              </p>
            )
          }
          onChange={(id) => onChange({ way: signInWays.find((one) => one === id) ?? 'both' })}
        />
      )}
      {way !== 'passkey' && (
        <NewPassword
          label={t('admin.password.label')}
          value={password}
          fault={faults['operator.password']}
          onChange={(typed) => onChange({ password: typed })}
        />
      )}
    </>
  );
}
