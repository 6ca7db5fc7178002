/** The notice of a page in the demo whose engine is a double of the maker's service. */
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { useTexts } from '../../../i18n/texts.ts';

export function DoubleNote({ family }: { readonly family: Family }) {
  const { t } = useTexts();
  return (
    <p className="text-md text-ink-2">
      {t('recoding.double', { name: definitionOf(family).name })}
    </p>
  );
}
