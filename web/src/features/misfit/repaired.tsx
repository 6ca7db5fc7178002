/** Why a file did not fit as it came, and the picture of it, beside its repair in the history of a job. */
import { useTexts } from '../../i18n/texts.ts';
import { MisfitPicture } from './misfit-picture.tsx';
import { type Explanation, sentencesOf } from './misfit-text.ts';

export function RepairReason({ diagnosis }: { readonly diagnosis: Explanation }) {
  const words = useTexts();
  return (
    <div className="mb-2">
      <p className="wrap-anywhere">
        {sentencesOf(words, diagnosis).join(words.language === 'zh-CN' ? '' : ' ')}
      </p>
      <MisfitPicture diagnosis={diagnosis} />
    </div>
  );
}
