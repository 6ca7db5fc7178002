/** What could not be checked before the encode of a row: a row that only says "Encoded" would claim too much. */
import type { TrayFile } from '@recodery/contract/features/trays';
import { skipToken, useQuery } from '@tanstack/react-query';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { PreflightLines } from '../recoding/encode/preflight-lines.tsx';
import { limitsOf, summaryOf } from '../recoding/encode/preflight-summary.ts';
import { noneRefused } from '../recoding/inputs.ts';
import { isCheckOf, requestPreflight } from '../recoding/preflight-answer.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { passedKey } from './tray-query.ts';
import { contextOf, type DecodedRow, isEncodeOf } from './tray-rows.ts';

/** A reload asks for the checks of all rows: one at a time, so that the checks before an encode have a place. */
const limitRepeated = limitConcurrency(1);

/** The checks that the newest encode of a row has passed: those of this tab, else the server's; undefined: none yet. */
function usePassedChecks(file: TrayFile, { page: { family }, read, inputs }: DecodedRow) {
  const { slotGUID } = read;
  const { data: answer } = useQuery({
    queryKey: passedKey(file.guid, contextOf(read, inputs)),
    // other inputs than those of the encode were not checked for it
    queryFn: isEncodeOf(file, read, inputs)
      ? ({ signal }) => limitRepeated(() => requestPreflight({ family, slotGUID }, signal))
      : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return answer !== undefined && isCheckOf(inputs, answer.draft) ? answer : undefined;
}

interface RowLimitsProps {
  readonly file: TrayFile;
  readonly row: DecodedRow;
}

export function RowLimits({ file, row }: RowLimitsProps) {
  const texts = useTexts();
  const answer = usePassedChecks(file, row);
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
