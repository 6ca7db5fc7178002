/** How much the installation does, and how it is: numbers that change by themselves, and the checks of `doctor`. */
import type { Health, Overview } from '@recodery/contract/admin/overview';
import type { ReactNode } from 'react';
import { trueTime } from '../../../api/server-clock.ts';
import { numberText, sizeText, timeText } from '../../../i18n/formats.ts';
import { type TextKey, useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { Bar } from '../../../ui/display/progress-bar.tsx';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { findingLook, findingText } from '../actions/finding-words.ts';
import { HoursChart } from './hours-chart.tsx';
import { Updates } from './updates.tsx';
import { useHealth, useOverview } from './overview.ts';

interface Fact {
  readonly label: TextKey;
  readonly value: string;
  readonly isBad?: boolean;
}

/** A group of numbers with a heading, and what shows them. */
function Tile({
  title,
  facts,
  children,
}: {
  readonly title: TextKey;
  readonly facts: readonly Fact[];
  readonly children?: ReactNode;
}) {
  const { t } = useTexts();
  return (
    <section className="flex min-w-0 flex-col gap-3 rounded-l border border-line bg-surface p-4 sm:px-[22px] sm:py-[18px]">
      <h3 className="text-base">{t(title)}</h3>
      {children}
      <dl className="flex flex-col gap-1 text-md">
        {facts.map(({ label, value, isBad = false }) => (
          <div key={label} className="flex items-baseline justify-between gap-4">
            <dt className="text-ink-2">{t(label)}</dt>
            <dd className={isBad ? 'font-semibold text-bad tabular-nums' : 'tabular-nums'}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function Operations({ operations }: Pick<Overview, 'operations'>) {
  const { language } = useTexts();
  const { waiting, running, hours } = operations;
  const succeeded = sumOf(hours.map((hour) => hour.succeeded));
  const failed = sumOf(hours.map((hour) => hour.failed));
  return (
    <Tile
      title="admin.overview.operations"
      facts={[
        { label: 'admin.overview.waiting', value: numberText(waiting, language) },
        { label: 'admin.overview.running', value: numberText(running, language) },
        { label: 'admin.overview.succeeded', value: numberText(succeeded, language) },
        { label: 'admin.overview.failed', value: numberText(failed, language), isBad: failed > 0 },
      ]}
    >
      <HoursChart hours={hours} />
    </Tile>
  );
}

function Storage({ storage }: Pick<Overview, 'storage'>) {
  const { t, language } = useTexts();
  const { bytes, damaged, disks } = storage;
  return (
    <Tile
      title="admin.overview.storage"
      facts={[
        { label: 'admin.overview.stored', value: sizeText(bytes, language) },
        {
          label: 'admin.overview.damaged',
          value: numberText(damaged, language),
          isBad: damaged > 0,
        },
      ]}
    >
      {disks.map(({ free, total }, at) => {
        const text = t('admin.overview.free', {
          free: sizeText(free, language),
          total: sizeText(total, language),
        });
        return (
          // disks have no names, and their order does not change
          <div key={`${at} ${total}`} className="flex flex-col gap-1">
            <Bar
              fraction={total === 0 ? 0 : 1 - free / total}
              aria-label={t('admin.overview.disk')}
              aria-valuetext={text}
              className="h-2"
            />
            <p className="text-sm text-ink-2">{text}</p>
          </div>
        );
      })}
    </Tile>
  );
}

function Email({ email }: Pick<Overview, 'email'>) {
  const { t, language } = useTexts();
  const { hasServer, waiting, failed, lastError } = email;
  return (
    <Tile
      title="admin.overview.email"
      facts={[
        { label: 'admin.overview.waiting', value: numberText(waiting, language) },
        { label: 'admin.overview.failed', value: numberText(failed, language), isBad: failed > 0 },
      ]}
    >
      {!hasServer && <p className="text-md text-ink-2">{t('admin.overview.noMailServer')}</p>}
      {lastError !== null && (
        <p className="text-sm wrap-anywhere text-ink-2">
          {t('ui.labelled', { label: t('admin.overview.lastError'), value: lastError })}
        </p>
      )}
    </Tile>
  );
}

function Program({ overview, now }: { readonly overview: Overview; readonly now: Date }) {
  const { t, language } = useTexts();
  const { version, portals, workers, isMaintenance } = overview;
  return (
    <Tile
      title="admin.overview.program"
      facts={[
        { label: 'admin.overview.version', value: version },
        { label: 'admin.overview.portals', value: numberText(portals, language) },
        {
          label: 'admin.overview.workers',
          value: numberText(workers, language),
          isBad: workers === 0,
        },
        {
          label: 'admin.overview.maintenance',
          value: t(isMaintenance ? 'admin.yes' : 'admin.no'),
          isBad: isMaintenance,
        },
      ]}
    >
      <Updates updates={overview.updates} now={now} />
    </Tile>
  );
}

/** Problems first, because only they need the operator. */
const urgency: Readonly<Record<Health['findings'][number]['state'], number>> = {
  wrong: 0,
  warning: 1,
  ok: 2,
};

function Findings({ findings }: Pick<Health, 'findings'>) {
  const { t } = useTexts();
  const sorted = findings
    .map((finding, at) => ({ ...finding, at }))
    .sort((one, other) => urgency[one.state] - urgency[other.state] || one.at - other.at);
  return (
    <ul className="flex flex-col divide-y divide-line">
      {sorted.map(({ what, state, text, at }) => (
        <li key={at} className="flex flex-col gap-x-4 gap-y-1 py-2 sm:flex-row sm:items-baseline">
          <span className="flex shrink-0 items-center gap-2 sm:w-64">
            <Badge state={findingLook[state]}>{t(findingText[state])}</Badge>
            <span lang="en" className="min-w-0 font-medium wrap-anywhere">
              {what}
            </span>
          </span>
          <span lang="en" className="min-w-0 text-md wrap-anywhere text-ink-2">
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The checks of `recodery doctor`. */
function HealthPanel() {
  const { t, language } = useTexts();
  const query = useHealth();
  const { data, isFetching, refetch } = query;
  return (
    <Panel>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="text-lg">{t('admin.overview.health')}</h2>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p role="status" className="text-md text-ink-2">
              {data !== undefined &&
                !isFetching &&
                t('ui.labelled', {
                  label: t('admin.overview.checkedOn'),
                  value: timeText(data.checkedOn, trueTime(query.dataUpdatedAt), language),
                })}
            </p>
            <Button size="small" isPending={isFetching} onPress={() => void refetch()}>
              {t('admin.overview.check')}
            </Button>
          </div>
        </div>
        <Loaded query={query} waiting={<Skeleton lines={6} className="py-2" />}>
          {({ findings }) => <Findings findings={findings} />}
        </Loaded>
      </div>
    </Panel>
  );
}

export function Installation() {
  const { t } = useTexts();
  const overview = useOverview();
  return (
    <div className="flex flex-col gap-5">
      <section className="flex flex-col gap-3" aria-label={t('admin.overview.now')}>
        <h2 className="text-lg">{t('admin.overview.now')}</h2>
        <Loaded
          query={overview}
          waiting={
            <Panel>
              <Skeleton lines={4} className="py-2" />
            </Panel>
          }
        >
          {(data) => (
            <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
              <Operations operations={data.operations} />
              <Program overview={data} now={trueTime(overview.dataUpdatedAt)} />
              <Storage storage={data.storage} />
              <Email email={data.email} />
            </div>
          )}
        </Loaded>
      </section>
      <HealthPanel />
    </div>
  );
}
