/** One row of the last operations: the action, the file, the vehicle and slave, the user and the time. */
import { definitionOf, type Workflow } from '@recodery/contract/families/registry';
import type { OperationSummary } from '@recodery/contract/features/operations';
import Send from 'lucide-react/icons/send';
import type { ReactNode } from 'react';
import { timeText } from '../../i18n/formats.ts';
import { operationProblem } from '../../i18n/problems.ts';
import { ownWordsOf } from '../../i18n/own-words.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { Link } from '../../ui/actions/link.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { iconOf } from '../recoding/families/registry.ts';
import { pageOfOperation } from '../operations/operation-page.ts';
import { outcomeOf } from './operation-words.ts';

/** Whether the user may open a page, according to the session. */
export type MayEnter = (page: Workflow) => boolean;

interface PartProps {
  readonly operation: OperationSummary;
  readonly mayEnter: MayEnter;
}

function FileWords({ operation, mayEnter }: PartProps) {
  const page = pageOfOperation(operation);
  const { t } = useTexts(ownWordsOf(page));
  const { error, fileName, resultName, recipientEmail } = operation;
  const detail = error === null ? resultName : operationProblem(t, error).headline;
  return (
    <>
      {mayEnter(page) ? (
        <Link
          href={`/${page}?operation=${operation.guid}`}
          className="rounded-[3px] after:absolute after:inset-0 group-hover:underline"
        >
          <LongText>{fileName}</LongText>
        </Link>
      ) : (
        <LongText>{fileName}</LongText>
      )}
      {detail !== null && (
        <span className="block text-sm text-ink-2">
          <LongText>{detail}</LongText>
        </span>
      )}
      {recipientEmail !== null && (
        <span className="flex items-center gap-1.5 text-sm text-ink-2">
          <Icon of={Send} size={14} />
          <span className="sr-only">{t('recoding.send.email')}: </span>
          <LongText>{recipientEmail}</LongText>
        </span>
      )}
    </>
  );
}

/** Two facts: stacked in the wide table, on one line on narrower screens. */
function Pair({ first, second }: { readonly first: ReactNode; readonly second: string | null }) {
  return (
    <>
      {first !== null && <span className="xl:block">{first}</span>}
      {first !== null && second !== null && <span className="text-ink-3 xl:hidden"> · </span>}
      {second !== null && (
        <span className="text-ink-2 xl:block xl:text-sm">
          <LongText>{second}</LongText>
        </span>
      )}
    </>
  );
}

export function OperationLine({ operation, mayEnter, now }: PartProps & { readonly now: Date }) {
  const { t, language } = useTexts(ownWordsOf(pageOfOperation(operation)));
  const { text, state } = outcomeOf(operation);
  const { completedOn, family, protocolID, protocolName, engine, userDisplayName } = operation;
  const serial = operation.slaveSerialNumber;
  return (
    <tr
      tabIndex={-1}
      className="group relative grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-0.5 border-line py-3 text-md not-first:border-t xl:grid-cols-[1.25rem_minmax(0,1.7fr)_minmax(0,1fr)_9rem_8.5rem_6.5rem]"
    >
      <td className="row-span-3 pt-px text-ink-2 xl:row-span-1" title={definitionOf(family).name}>
        <Icon of={iconOf(family)} size={20} />
        <span className="sr-only">{definitionOf(family).name}</span>
      </td>
      <td className="min-w-0 text-base">
        <FileWords operation={operation} mayEnter={mayEnter} />
      </td>
      <td className="col-start-2 min-w-0 max-xl:empty:hidden xl:col-start-auto">
        <Pair first={protocolName ?? protocolID} second={engine} />
      </td>
      <td className="col-start-2 min-w-0 max-xl:empty:hidden xl:col-start-auto">
        <Pair
          first={serial === null ? null : <span className="font-mono text-sm">{serial}</span>}
          second={userDisplayName}
        />
      </td>
      <td className="col-start-3 row-start-1 justify-self-end xl:col-start-auto xl:row-start-auto xl:justify-self-start">
        <Badge state={state}>{t(text)}</Badge>
      </td>
      <td className="col-start-3 row-start-2 justify-self-end whitespace-nowrap text-ink-2 tabular-nums xl:col-start-auto xl:row-start-auto">
        {completedOn === null ? t('home.now') : timeText(completedOn, now, language)}
      </td>
    </tr>
  );
}
