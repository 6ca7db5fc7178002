/** Chooses the customer code to work under; the choice holds for all tabs of this session. */
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Menu } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useSession, useSwitchCustomerCode } from './session.ts';

export function CustomerCodeMenu({ trigger }: { readonly trigger: ReactElement }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { customerCode, customerCodeNames, otherCustomerCodes } = useSession();
  const { mutate: change } = useSwitchCustomerCode();
  const choose = (code: string): void => {
    if (code === customerCode) return;
    change(code, {
      // A half-done trip belongs to the old code; home is where the new one begins.
      onSuccess: () => void navigate('/'),
      onError: (thrown) => {
        const { headline, advice } = thrownProblem(t, thrown);
        showToast({ title: headline, detail: advice, tone: 'bad' });
      },
    });
  };
  return (
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
            onAction: () => choose(code),
          })),
        },
      ]}
    />
  );
}
