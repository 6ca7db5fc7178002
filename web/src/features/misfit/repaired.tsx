/** Why a file did not fit as it came, and the picture of it, beside its repair in the history of a job. */
import { diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import type { JobFile } from '@recodery/contract/features/jobs/jobs';
import { useTexts } from '../../i18n/texts.ts';
import { MisfitPicture } from './misfit-picture.tsx';
import { sentencesOf } from './misfit-text.ts';

export function RepairReason({ repaired }: { readonly repaired: JobFile['repaired'] }) {
  const words = useTexts();
  // a repair of an earlier version has no details
  const { data } = diagnosis.safeParse({ ...repaired, repair: null });
  if (data === undefined) return null;
  return (
    <div className="mb-2">
      <p className="wrap-anywhere">
        {sentencesOf(words, { ...data, repair: data }).join(words.language === 'zh-CN' ? '' : ' ')}
      </p>
      <MisfitPicture diagnosis={data} />
    </div>
  );
}
