/** The link to the receipt of an encoded file, in the panel of the result; on a phone it shows only its icon. */
import { receiptPath } from '@recodery/contract/receipt-code';
import BadgeCheck from 'lucide-react/icons/badge-check';
import { useTexts } from '../../../i18n/texts.ts';
import { LinkButton } from '../../../ui/actions/link-button.tsx';

/** Shows nothing without a code: files that were encoded before receipts existed have none. */
export function ReceiptLink({ code }: { readonly code: string | null }) {
  const { t, language } = useTexts();
  if (code === null) return null;
  return (
    <LinkButton
      look="quiet"
      icon={BadgeCheck}
      href={receiptPath(code, language)}
      target="_blank"
      className="-my-1 -mr-2 shrink-0"
    >
      <span className="max-xs:sr-only">{t('recoding.receipt')}</span>
    </LinkButton>
  );
}
