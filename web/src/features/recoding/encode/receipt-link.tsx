/** The link to the receipt of an encoded file, in the panel of the result; on a phone it shows only its icon. */
import { receiptPath } from '@recodery/contract/receipt-code';
import { getOperation } from '@recodery/contract/features/operations';
import { useQuery } from '@tanstack/react-query';
import BadgeCheck from 'lucide-react/icons/badge-check';
import { call } from '../../../api/call.ts';
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

/** The same for a sent encode that has finished: the page does not wait for its result, and requests it here. */
export function SentReceiptLink({ operationGUID }: { readonly operationGUID: string }) {
  const { data: code = null } = useQuery({
    queryKey: ['code', 'receipt', operationGUID],
    queryFn: async ({ signal }) => {
      const { result } = await call(getOperation, { params: { guid: operationGUID } }, { signal });
      return result !== null && 'receiptCode' in result ? result.receiptCode : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <ReceiptLink code={code} />;
}
