/** What could not be checked before the encode of a row: a row that only says "Encoded" would claim too much. */
import type { TrayFile } from '@recodery/contract/features/trays';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useTexts } from '../../../i18n/texts.ts';
import { Icon } from '../../../ui/display/icon.tsx';
import { PreflightLines } from '../../recoding/encode/preflight-lines.tsx';
import { limitsOf, preflightSummary } from '../../recoding/encode/preflight-summary.ts';
import { noneRefused } from '../../recoding/inputs.ts';
import { isCheckOf } from '../../recoding/preflight-answer.ts';
import { type DecodedRow, isEncodeOf } from '../tray-rows.ts';

interface RowLimitsProps {
  readonly file: TrayFile;
  readonly row: DecodedRow;
}

export function RowLimits({ file, row: { read, inputs } }: RowLimitsProps) {
  const texts = useTexts();
  const { limits: kept = null } = file;
  // other inputs than those of the encode were not checked for it
  if (kept === null || !isEncodeOf(file, read, inputs) || !isCheckOf(inputs, kept.draft))
    return null;
  // confirmed findings were shown when they were confirmed
  const answer = { ...kept, status: 'green', unchecked: kept.checks.length } as const;
  const limits = limitsOf(answer);
  if (limits.length === 0) return null;
  const { title } = preflightSummary(texts, answer, noneRefused);
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
