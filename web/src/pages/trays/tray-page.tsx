/** A tray: many read files at once, their modified files, and one zip of the results. */
import {
  countOldSeals,
  hasEncoded,
  isReady,
  type Row,
  totalsOf,
} from '../../features/trays/tray-rows.ts';
import { type Family, workflowOf } from '@recodery/contract/families/registry';
import { mostTrayFiles } from '@recodery/contract/features/trays';
import Download from 'lucide-react/icons/download';
import { useEffect, useEffectEvent, useState } from 'react';
import { useParams } from 'react-router';
import { trueTime } from '../../api/server-clock.ts';
import { useConfig } from '../../features/service-status/service-status.ts';
import { useSession } from '../../features/session/session.ts';
import type { LoadedTray } from '../../features/trays/tray-query.ts';
import { type LiveTray, useLiveTrays } from '../../features/trays/live-tray.ts';
import { placesOf } from '../../features/trays/dropped/match-modified.ts';
import {
  mayBeMatched,
  placeAgain,
  placeChosen,
  takeFiles,
  type Taken,
} from '../../features/trays/dropped/take-files.ts';
import type { Unplaced } from '../../features/trays/dropped/unplaced-store.ts';
import { LeaveTray } from '../../features/trays/leave-tray.tsx';
import { TrayName } from '../../features/trays/tray-name.tsx';
import { trayName } from '../../features/trays/tray-title.ts';
import { TrayView } from '../../features/trays/tray-view.tsx';
import { UnplacedFiles } from '../../features/trays/dropped/unplaced-files.tsx';
import { useRows, useTray, useTrayDownload, useUnplaced } from '../../features/trays/use-tray.ts';
import { listText, timeText } from '../../i18n/formats.ts';
import { useTexts, withTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { DropArea } from '../../ui/fields/drop-area.tsx';
import { useMinute } from '../../ui/use-today.ts';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { showFailure, showToast } from '../../ui/toasts/toast.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { LoadedPage } from '../loaded-page.tsx';
import { useSendEncoded } from '../send-encoded.ts';

/** Takes dropped files; those that were not taken stay on the page until the user has handled them. */
function useDropped(loaded: LoadedTray, live: LiveTray, rows: readonly Row[]) {
  const { t, language } = useTexts();
  const trays = useLiveTrays();
  const { entries } = useSession();
  const { maxFileBytes } = useConfig();
  const { guid } = loaded.tray;
  const unplaced = useUnplaced(guid);
  const [isInspecting, setIsInspecting] = useState(false);
  const report = ({ known, left, ...taken }: Taken): void => {
    trays.unplaced.change(guid, (before) => [...before, ...taken.unplaced]);
    if (known.length > 0)
      showToast({ title: t('tray.known', { files: listText(known, language) }) });
    if (left.length > 0) {
      const title = t('tray.full', { most: mostTrayFiles, files: listText(left, language) });
      showToast({ title, tone: 'bad' });
    }
  };
  const drop = (files: readonly File[]): void => {
    setIsInspecting(true);
    takeFiles(trays, loaded, files, { entries, maxFileBytes })
      .then(report, (thrown: unknown) => showFailure(t, thrown))
      .finally(() => setIsInspecting(false));
  };
  const matchAgain = useEffectEvent(() => {
    if (unplaced.some(mayBeMatched))
      trays.unplaced.change(guid, (before) => placeAgain(loaded, live, before));
  });
  const places = placesOf(rows).length;
  const unfinished = totalsOf(rows).undecoded;
  // a file may belong to a read that was decoded after the drop: this starts its upload
  useEffect(() => matchAgain(), [places, unfinished]);
  const dismiss = ({ key }: Unplaced): void =>
    trays.unplaced.change(guid, (before) => before.filter((one) => one.key !== key));
  return { unplaced, isInspecting, drop, dismiss };
}

/** Only for files from a demo. */
const DoubleNote = onDemand(
  async () =>
    (await withTexts(import('../../features/recoding/notices/double-note.tsx'), 'encode'))
      .DoubleNote,
);

/** The families whose files in the tray a double of the demo opens and seals. */
function DoubleNotes({ rows }: { readonly rows: readonly Row[] }) {
  const found = rows.flatMap(({ file: { isDouble, workflow } }): readonly Family[] =>
    isDouble && workflow !== null ? [workflowOf(workflow).family] : [],
  );
  return [...new Set(found)].map((family) => <DoubleNote key={family} family={family} />);
}

function Content({ loaded }: { readonly loaded: LoadedTray }) {
  const { t, language } = useTexts();
  const { live, rows } = useRows(loaded);
  const { unplaced, isInspecting, drop, dismiss } = useDropped(loaded, live, rows);
  const { onSend, dialog } = useSendEncoded(true);
  const names = listText(
    unplaced.map(({ file }) => file.name),
    language,
  );
  return (
    <>
      <TrayName tray={loaded.tray} />
      <DropArea
        shape="wide"
        label={t('tray.drop')}
        choose={t('home.drop.choose')}
        hint={t('tray.drop.hint')}
        isDisabled={isInspecting}
        onFile={(file) => drop([file])}
        onFiles={drop}
      />
      <p role="status" className={isInspecting ? 'text-md text-ink-2' : 'sr-only'}>
        {isInspecting && t('home.drop.checking')}
      </p>
      <p role="status" className="sr-only">
        {unplaced.length > 0 && t('ui.labelled', { label: t('tray.unplaced.title'), value: names })}
      </p>
      <LeaveTray unplaced={unplaced} />
      {unplaced.length > 0 && (
        <UnplacedFiles
          files={unplaced}
          onDismiss={dismiss}
          onPlace={(one, place) => {
            placeChosen(loaded, live, one.file, place);
            dismiss(one);
          }}
        />
      )}
      <DoubleNotes rows={rows} />
      <TrayView
        rows={rows}
        pausedFor={live.queue.state().pausedFor}
        onEncodeAll={() => {
          for (const row of rows) if (isReady(row)) live.encode(row);
        }}
        onConfirm={live.confirm}
        onChooseSlave={live.chooseSlave}
        onSend={onSend}
        onRemove={(row) =>
          void live.removeFile(row).catch((thrown: unknown) => showFailure(t, thrown))
        }
        onRemoveImage={(row, part) =>
          void live.removeImage(row, part).catch((thrown: unknown) => showFailure(t, thrown))
        }
      />
      {dialog}
    </>
  );
}

function Downloads({ loaded: { tray } }: { readonly loaded: LoadedTray }) {
  const { t } = useTexts();
  const { mutate: download, isPending, variables } = useTrayDownload(tray.guid);
  const now = trueTime(useMinute());
  const seals = countOldSeals(tray, now);
  const hasDecoded = tray.files.some(({ images }) => images.length > 0);
  return (
    <div className="flex flex-wrap gap-2">
      {hasDecoded && (
        <Button
          icon={Download}
          className="max-sm:w-full"
          isPending={isPending && variables === 'Decoded'}
          onPress={() => download('Decoded')}
        >
          {t('tray.download.decoded')}
        </Button>
      )}
      {hasEncoded(tray) && (
        <Button
          icon={Download}
          className="max-sm:w-full"
          isPending={isPending && variables === 'Encoded'}
          onPress={() => download('Encoded')}
        >
          {t('tray.download.encoded')}
        </Button>
      )}
      {(['expired', 'old'] as const).map(
        (kind) =>
          seals[kind] > 0 && (
            <p key={kind} className="max-w-80 basis-full text-sm text-modified">
              {t(`tray.download.${kind}`, { count: seals[kind] })}
            </p>
          ),
      )}
    </div>
  );
}

export function TrayPage() {
  const texts = useTexts();
  const { t } = texts;
  const { guid = '' } = useParams();
  const query = useTray(guid);
  const { data, dataUpdatedAt } = query;
  const now = trueTime(dataUpdatedAt);
  const tray = data && { ...data.tray, fileCount: data.tray.files.length };
  return (
    <LoadedPage
      query={query}
      title={tray === undefined ? t('home.tray') : trayName(texts, tray)}
      about={
        tray !== undefined && (
          <>
            {t('tray.about', { time: timeText(tray.createdOn, now, texts.language) })}{' '}
            <TextLink href="/trays">{t('tray.all')}</TextLink>
          </>
        )
      }
      aside={data && <Downloads loaded={data} />}
    >
      {(loaded) => <Content key={loaded.tray.guid} loaded={loaded} />}
    </LoadedPage>
  );
}
