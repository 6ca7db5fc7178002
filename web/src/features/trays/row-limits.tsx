/** What could not be checked before the encode of a row: a row that only says "Encoded" would claim too much. */
import type { PreflightAnswer } from '@recodery/contract/features/preflight';
import { skipToken, useQuery } from '@tanstack/react-query';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { PreflightLines } from '../recoding/encode/preflight-lines.tsx';
import { limitsOf, summaryOf } from '../recoding/encode/preflight-summary.ts';
import { noneRefused } from '../recoding/inputs.ts';
import { passedKey } from './tray-query.ts';

export function RowLimits({ fileGUID }: { readonly fileGUID: string }) {
  const texts = useTexts();
  const { data: answer } = useQuery<PreflightAnswer>({
    queryKey: passedKey(fileGUID),
    queryFn: skipToken,
  });
  const limits = answer === undefined ? [] : limitsOf(answer);
  if (answer === undefined || limits.length === 0) return null;
  // confirmed findings were shown when they were confirmed
  const { title } = summaryOf(texts, { ...answer, status: 'green' }, noneRefused);
  return (
    <details className="group col-[2/-1]">
      <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-s text-sm text-ink-2 hover:text-ink">
        <Icon of={ChevronRight} size={16} className="transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <PreflightLines checks={limits} all={answer.checks} />
    </details>
  );
}
