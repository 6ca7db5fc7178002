/** The last operations as a list, newest first; "See more" adds older ones. */
import { trueTime } from '../../api/server-clock.ts';
import type { ReactNode } from 'react';
import History from 'lucide-react/icons/history';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { useSeeMore } from '../../ui/actions/see-more.ts';
import { useLastOperations } from './operation-list.ts';
import { type MayEnter, OperationLine } from './operation-row.tsx';

type LastOperationsQuery = ReturnType<typeof useLastOperations>;

interface LastOperationsProps {
  readonly mayEnter: MayEnter;
  /** Shown to the right of the title. */
  readonly actions?: ReactNode;
}

interface TableProps extends Pick<LastOperationsProps, 'mayEnter'> {
  readonly query: LastOperationsQuery;
}

function Table({ query, mayEnter }: TableProps) {
  const { t } = useTexts();
  const { data, dataUpdatedAt, hasNextPage, isFetchingNextPage } = query;
  const operations = data?.pages.flat() ?? [];
  const { list, seeMore } = useSeeMore<HTMLTableSectionElement>(operations.length, query);
  const now = trueTime(dataUpdatedAt);
  return (
    <>
      <table className="block w-full">
        <thead className="sr-only">
          <tr>
            <th>{t('home.last.family')}</th>
            <th>{t('home.last.file')}</th>
            <th>{t('home.last.vehicle')}</th>
            <th>{t('home.last.who')}</th>
            <th>{t('home.last.state')}</th>
            <th>{t('home.last.time')}</th>
          </tr>
        </thead>
        <tbody ref={list} className="block">
          {operations.map((operation) => (
            <OperationLine
              key={operation.guid}
              operation={operation}
              mayEnter={mayEnter}
              now={now}
            />
          ))}
        </tbody>
      </table>
      {hasNextPage && (
        <div className="mt-2 flex justify-center border-t border-line pt-4">
          <Button isPending={isFetchingNextPage} onPress={() => void seeMore()}>
            {t('notifications.more')}
          </Button>
        </div>
      )}
    </>
  );
}

export function LastOperations({ mayEnter, actions }: LastOperationsProps) {
  const { t } = useTexts();
  const query = useLastOperations();
  return (
    <Panel title={t('home.last')} actions={actions}>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <EmptyState icon={History} title={t('home.last.empty')}>
              {t('home.last.invitation')}
            </EmptyState>
          ) : (
            <Table query={query} mayEnter={mayEnter} />
          )
        }
      </Loaded>
    </Panel>
  );
}
