/** Prints the job sheet. The button is in the panels for the read and the result; on a phone it shows only its icon. */
import Printer from 'lucide-react/icons/printer';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';

export function PrintButton() {
  const { t } = useTexts();
  return (
    <Button
      look="quiet"
      icon={Printer}
      onPress={() => window.print()}
      className="-my-1 -mr-2 shrink-0"
    >
      <span className="max-xs:sr-only">{t('ui.print')}</span>
    </Button>
  );
}
