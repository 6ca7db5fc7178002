/** The menu for choosing the customer code; the choice applies to all tabs of this session. */
import { type ReactElement, useState } from 'react';
import { useNavigate } from 'react-router';
import { useTexts } from '../../i18n/texts.ts';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { Menu } from '../../ui/actions/menu.tsx';
import { showFailure } from '../../ui/toasts/toast.tsx';
import { findUnsaved, type Unsaved } from '../../ui/dialogs/unsaved-work.ts';
import { useSession, useSwitchCustomerCode } from './session.ts';

interface SwitchQuestionProps {
  readonly code: string;
  readonly unsaved: Unsaved;
  readonly onStay: () => void;
  readonly onSwitch: () => void;
}

/** Asks for confirmation while a file is uploading or changes are unsaved, in any tab. */
function SwitchQuestion({ code, unsaved, onStay, onSwitch }: SwitchQuestionProps) {
  const { t } = useTexts();
  const { customerCode } = useSession();
  return (
    <Confirm
      title={t('session.switchTitle', { code })}
      confirm={t('session.switchAnyway')}
      stay={t('session.stay', { code: customerCode })}
      onCancel={onStay}
      onConfirm={onSwitch}
    >
      <p>{t(`session.unsaved.${unsaved}`, { code: customerCode })}</p>
    </Confirm>
  );
}

export function CustomerCodeMenu({ trigger }: { readonly trigger: ReactElement }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { customerCode, customerCodeNames, otherCustomerCodes } = useSession();
  const { mutate: change } = useSwitchCustomerCode();
  const [asked, setAsked] = useState<{ readonly code: string; readonly unsaved: Unsaved } | null>(
    null,
  );
  const choose = async (code: string): Promise<void> => {
    if (code === customerCode) return;
    const [unsaved] = await findUnsaved(customerCode);
    if (unsaved) setAsked({ code, unsaved });
    else switchTo(code);
  };
  const switchTo = (code: string): void => {
    setAsked(null);
    change(code, {
      // Work in progress belongs to the old code; the new one starts at home.
      onSuccess: () => void navigate('/', { state: { hasAsked: true } }),
      onError: (thrown) => showFailure(t, thrown),
    });
  };
  return (
    <>
      <Menu
        label={t('layout.customerCodes')}
        trigger={trigger}
        groups={[
          {
            title: t('layout.customerCodes'),
            chosen: customerCode,
            items: [customerCode, ...otherCustomerCodes].sort().map((code) => ({
              id: code,
              text: `${code} ${customerCodeNames[code] ?? ''}`,
              content: (
                <>
                  <span className="font-semibold">{code}</span>{' '}
                  <span className="text-ink-2">{customerCodeNames[code]}</span>
                </>
              ),
              onAction: () => void choose(code),
            })),
          },
        ]}
      />
      {asked && (
        <SwitchQuestion
          {...asked}
          onStay={() => setAsked(null)}
          onSwitch={() => switchTo(asked.code)}
        />
      )}
    </>
  );
}
