/** A tray: what is missing, what the user must confirm, what is in progress, its totals, and its files. */
import PackageCheck from 'lucide-react/icons/package-check';
import Inbox from 'lucide-react/icons/inbox';
import Layers from 'lucide-react/icons/layers';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { type TextKey, useTexts } from '../../i18n/texts.ts';
import { listText } from '../../i18n/formats.ts';
import { Button } from '../../ui/actions/button.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { useThenFocus } from '../../ui/then-focus.ts';
import { TrayLine, type TrayLineProps } from './rows/tray-row.tsx';
import { phaseOf, type Row, type Totals, totalsOf } from './tray-rows.ts';
import { useCalmText } from './use-tray.ts';
import type { Pause } from './work-queue.ts';

export interface TrayViewProps {
  readonly rows: readonly Row[];
  readonly pausedFor: Pause | null;
  readonly onEncodeAll: () => void;
  readonly onRemove: (row: Row) => void;
  readonly onRemoveImage: (row: Row, part: string) => void;
  /** Encodes a file although its checks found possible mistakes. */
  readonly onConfirm: (row: Row) => void;
  /** Uploads a read again for the slave that the user has chosen. */
  readonly onChooseSlave: (row: Row, slave: string) => void;
  /** Sends an encoded file; undefined: the user may not send. */
  readonly onSend?: TrayLineProps['onSend'];
}

const listed = [
  ['files', 'tray.total.files'],
  ['decoded', 'tray.total.decoded'],
  ['encoded', 'tray.total.encoded'],
  ['working', 'tray.total.working'],
  ['failed', 'tray.total.failed'],
  ['missing', 'tray.total.missing'],
] as const satisfies readonly (readonly [keyof Totals, TextKey])[];

/** The counts that are not zero; the number of files always. */
function TotalsLine({ totals }: { readonly totals: Totals }) {
  const { t } = useTexts();
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-md">
      {listed
        .filter(([name]) => name === 'files' || totals[name] > 0)
        .map(([name, text]) => (
          <div key={name} className="flex items-baseline gap-1.5">
            <dt className={name === 'failed' ? 'text-bad' : 'text-ink-2'}>{t(text)}</dt>
            <dd className="font-semibold tabular-nums">{totals[name]}</dd>
          </div>
        ))}
    </dl>
  );
}

interface NoteProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Something that waits for the user. */
function Note({ title, children, action }: NoteProps) {
  return (
    <div className="flex gap-3.5 rounded-m bg-modified-soft px-4 py-3.5 forced-colors:border">
      <Icon of={TriangleAlert} size={20} className="mt-0.5 shrink-0 text-modified" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-6 gap-y-2.5">
        <div className="min-w-0 flex-[1_1_20rem]">
          <p className="font-semibold">{title}</p>
          <p className="max-w-[80ch] text-ink-2 wrap-anywhere">{children}</p>
        </div>
        {action}
      </div>
    </div>
  );
}

/** Names in the note; the rows show all of them. */
const mostNamed = 8;

/** The files that were not uploaded before the page was left: only the user's computer has them. */
function MissingFiles({ rows }: { readonly rows: readonly Row[] }) {
  const { t, language } = useTexts();
  const names = rows.filter(({ state }) => state.at === 'missing').map(({ file }) => file.name);
  if (names.length === 0) return null;
  const named = names.length > mostNamed ? [...names.slice(0, mostNamed), '…'] : names;
  return (
    <Note title={t('tray.missing.title')}>
      {t('tray.missing', { files: listText(named, language) })}
    </Note>
  );
}

const askedIn = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ state }) => state.at === 'decoded' && state.encode.at === 'asked');

interface AskedFilesProps {
  readonly rows: readonly Row[];
  readonly onConfirmAll: () => void;
}

/** The files whose checks found possible mistakes; with several, one answer for all of them. */
function AskedFiles({ rows, onConfirmAll }: AskedFilesProps) {
  const { t } = useTexts();
  const count = askedIn(rows).length;
  if (count === 0) return null;
  return (
    <Note
      title={t('tray.asked.title', { count })}
      action={
        count > 1 && (
          <Button icon={PackageCheck} onPress={onConfirmAll}>
            {t('tray.asked.confirmAll', { count })}
          </Button>
        )
      }
    >
      {t('tray.asked')}
    </Note>
  );
}

const pauseTexts = {
  quota: 'tray.paused.quota',
  service: 'tray.paused.service',
  network: 'tray.paused.network',
} as const satisfies Record<Pause, TextKey>;

function actionsOf({ onRemoveImage, onConfirm, onChooseSlave, onSend }: TrayViewProps, row: Row) {
  return {
    onRemoveImage: (part: string) => onRemoveImage(row, part),
    onConfirm: () => onConfirm(row),
    onChooseSlave: (slave: string) => onChooseSlave(row, slave),
    onSend,
  };
}

export function TrayView(props: TrayViewProps) {
  const { rows, pausedFor, onEncodeAll, onRemove, onConfirm } = props;
  const { t } = useTexts();
  const { place: list, thenFocus } = useThenFocus<HTMLUListElement>();
  const totals = totalsOf(rows);
  const { files, working, ready, asked } = totals;
  const { name, ...counts } = phaseOf(rows);
  const progress = t(`tray.announcement.${name}`, counts);
  const question = t('tray.asked.title', { count: asked });
  const spoken = useCalmText(
    asked === 0 ? progress : t('ui.sentences', { first: progress, second: question }),
  );
  return (
    <>
      <MissingFiles rows={rows} />
      <AskedFiles rows={rows} onConfirmAll={thenFocus(() => askedIn(rows).forEach(onConfirm))} />
      <Panel
        title={t('tray.list')}
        actions={
          ready > 0 && (
            <Button look="primary" icon={PackageCheck} onPress={thenFocus(onEncodeAll)}>
              {t('tray.encodeAll', { count: ready })}
            </Button>
          )
        }
      >
        <p role="status" className="sr-only">
          {spoken}
        </p>
        {files === 0 ? (
          <EmptyState icon={Inbox} title={t('tray.empty')}>
            {t('tray.empty.invitation')}
          </EmptyState>
        ) : (
          <>
            <TotalsLine totals={totals} />
            {pausedFor !== null && working > 0 && (
              <p className="mt-2 flex items-start gap-2 text-md text-ink-2">
                <Icon of={Layers} size={18} className="mt-0.5 shrink-0" />
                {t(pauseTexts[pausedFor])}
              </p>
            )}
            <ul ref={list} tabIndex={-1} aria-label={t('tray.list')} className="mt-2">
              {rows.map((row) => (
                <TrayLine
                  key={row.file.guid}
                  row={row}
                  onRemove={thenFocus(() => onRemove(row))}
                  {...actionsOf(props, row)}
                />
              ))}
            </ul>
          </>
        )}
      </Panel>
    </>
  );
}
