/** The last operations as a list: outcome, file, slave, time. */
import { trueTime } from '../../api/server-clock.ts';
import type { OperationSummary } from '@recodery/contract/operations';
import History from 'lucide-react/icons/history';
import { timeText } from '../../i18n/formats.ts';
import { operationProblem, thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemPanel } from '../../ui/problem-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLastOperations } from './operation-list.ts';
import { outcomeOf } from './operation-words.ts';

/** The page that goes on with an operation, or shows what came of it. */
function addressOf({ guid, family, isUtility }: OperationSummary): string {
  return `/${isUtility ? 'kess3-utility' : family}?operation=${guid}`;
}

function Row({ operation, now }: { operation: OperationSummary; now: Date }) {
  const { t } = useTexts();
  const { text, state } = outcomeOf(operation);
  const { completedOn, error, fileName, slaveSerialNumber } = operation;
  return (
    <tr className="group relative grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-0.5 border-line py-2.5 not-first:border-t sm:grid-cols-[8.5rem_minmax(0,1fr)_9rem_6.5rem]">
      <td>
        <Badge state={state}>{t(text)}</Badge>
      </td>
      <td className="order-last col-span-3 min-w-0 sm:order-none sm:col-span-1">
        <Link
          href={addressOf(operation)}
          className="block truncate rounded-[3px] after:absolute after:inset-0 group-hover:underline"
          title={fileName}
        >
          {fileName}
        </Link>
        {error !== null && (
          <span className="block truncate text-sm text-ink-2">
            {operationProblem(t, error).headline}
          </span>
        )}
      </td>
      <td className="justify-self-end font-mono text-sm text-ink-2 sm:justify-self-start">
        {slaveSerialNumber ?? '—'}
      </td>
      <td className="justify-self-end text-md whitespace-nowrap text-ink-2 tabular-nums">
        {completedOn === null ? t('home.now') : timeText(completedOn, now)}
      </td>
    </tr>
  );
}

interface TableProps {
  readonly operations: readonly OperationSummary[];
  /** When the list was read: what the times are told from. */
  readonly now: Date;
}

function Table({ operations, now }: TableProps) {
  const { t } = useTexts();
  return (
    <table className="block w-full">
      <thead className="sr-only">
        <tr>
          <th>{t('home.last.state')}</th>
          <th>{t('home.last.file')}</th>
          <th>{t('home.last.slave')}</th>
          <th>{t('home.last.time')}</th>
        </tr>
      </thead>
      <tbody className="block">
        {operations.map((operation) => (
          <Row key={operation.guid} operation={operation} now={now} />
        ))}
      </tbody>
    </table>
  );
}

export function LastOperations() {
  const { t } = useTexts();
  const { data, dataUpdatedAt, error, refetch, isFetching } = useLastOperations();
  if (data === undefined && error !== null) {
    const { headline, advice, code } = thrownProblem(t, error);
    return (
      <Panel title={t('home.last')}>
        <ProblemPanel
          headline={headline}
          advice={advice}
          code={code}
          actions={
            <Button onPress={() => void refetch()} isPending={isFetching}>
              {t('ui.tryAgain')}
            </Button>
          }
        />
      </Panel>
    );
  }
  return (
    <Panel title={t('home.last')}>
      {data === undefined ? (
        <Skeleton lines={4} className="py-2" />
      ) : data.length === 0 ? (
        <EmptyState icon={History} title={t('home.last.empty')}>
          {t('home.last.invitation')}
        </EmptyState>
      ) : (
        <Table operations={data} now={trueTime(dataUpdatedAt)} />
      )}
    </Panel>
  );
}
