/** The second half of a recoding page: the inputs and options of the encoded file, and the result. */
import { useEffect } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { classNames } from '../../../ui/class-names.ts';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProgressBar } from '../../../ui/display/progress-bar.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { useToday } from '../../../ui/use-today.ts';
import type { DecodedRead } from '../decoded-read.ts';
import { refusedParts } from '../inputs.ts';
import { EncodeActions } from './encode-actions.tsx';
import { type Encode, isOpen } from '../flow/state/encode-flow.ts';
import { DraftNewsPanel } from './draft-news-panel.tsx';
import { EncodeOutput } from './encode-result.tsx';
import { EncodeWaiting } from './encode-waiting.tsx';
import { PartRow } from './part-row.tsx';
import { PreflightPanel } from './preflight-panel.tsx';
import { type Preflight, usePreflight } from './use-preflight.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { ChooseFiles, PlacesArea } from './dropped-files/places-area.tsx';

const loadSendPopup = async () => (await import('./send-popup.tsx')).SendPopup;
const SendPopup = onDemand(loadSendPopup);

/** The headings above the inputs and the result. */
const sideHeading = 'mb-1 text-sm font-medium text-ink-3';

interface DecodedProps {
  readonly read: DecodedRead;
  readonly encode: Encode;
}

/** The rows: one per part, with columns aligned across all rows. */
function Parts({ read, encode }: DecodedProps) {
  return (
    <ul
      className={classNames(
        'grid grid-cols-1 gap-x-5 border-b border-line',
        read.parts.some(({ isRemovable }) => isRemovable)
          ? '@min-[740px]:grid-cols-[minmax(8.5rem,auto)_8rem_minmax(0,1fr)_auto_auto]'
          : '@min-[740px]:grid-cols-[minmax(8.5rem,auto)_8rem_minmax(0,1fr)_auto]',
      )}
    >
      {read.parts.map((part) => {
        const state = encode.inputs.parts[part.name];
        return (
          state && (
            <PartRow
              key={part.name}
              part={part}
              state={state}
              isFrozen={encode.at !== 'preparing'}
            />
          )
        );
      })}
    </ul>
  );
}

/** Whether the checks found checksums of a real control unit that the encode can correct. */
function canCorrect(preflight: Preflight): boolean {
  return (
    preflight.at === 'checked' &&
    preflight.answer.checks.some(
      (check) => check.id === 'known-checksums' && check.values?.canCorrect === true,
    )
  );
}

/** Corrects the checksums of a real control unit; also shown while it is on, so that it can be turned off. */
function KnownSwitch({ encode, preflight }: Pick<CorrectionsProps, 'encode' | 'preflight'>) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const { correctsChecksums = false } = encode.inputs;
  if (!correctsChecksums && !canCorrect(preflight)) return null;
  return (
    <Switch
      isSelected={correctsChecksums}
      isDisabled={encode.at !== 'preparing'}
      onChange={(corrects) => recoding.dispatch({ type: 'known-switched', corrects })}
    >
      {t('recoding.correctChecksums')}
    </Switch>
  );
}

type CorrectionsProps = DecodedProps & { readonly preflight: Preflight };

/** The checksum corrections made during encoding. */
function Corrections({ read, encode, preflight }: CorrectionsProps) {
  const { t } = useTexts();
  const { page, entry, recoding } = useOpenPage();
  const { correctsCVN, skipsChecksum } = encode.inputs;
  const offersSkip = page.offersEncodeSkip(entry, read);
  const isFrozen = encode.at !== 'preparing';
  const { checksumRules, isCVNCorrectionPossible } = read;
  const isPlain = !isCVNCorrectionPossible && !offersSkip && checksumRules === 0;
  if (isPlain && encode.inputs.correctsChecksums !== true && !canCorrect(preflight)) return null;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-7 gap-y-1">
      {isCVNCorrectionPossible && (
        <Switch
          isSelected={correctsCVN}
          isDisabled={isFrozen}
          onChange={(corrects) => recoding.dispatch({ type: 'cvn-switched', corrects })}
        >
          {t('recoding.correctCVN')}
        </Switch>
      )}
      {!skipsChecksum && <KnownSwitch encode={encode} preflight={preflight} />}
      {offersSkip && (
        <Switch
          isSelected={skipsChecksum}
          isDisabled={isFrozen}
          onChange={(skips) => recoding.dispatch({ type: 'checksum-switched', skips })}
        >
          {t('recoding.skipChecksum')}
        </Switch>
      )}
      {checksumRules > 0 && (
        <p className="text-md text-ink-3">
          {skipsChecksum ? t('recoding.checksumsLeft') : t('recoding.checksums')}
        </p>
      )}
    </div>
  );
}

/** An encode that was resumed without its read: the page shows only its result. */
function Resumed({ encode }: { readonly encode: Encode }) {
  const { t } = useTexts();
  return (
    <div className="flex flex-col gap-4">
      {encode.at === 'encoding' && <ProgressBar label={t('recoding.encoding')} fraction={null} />}
      <EncodeOutput read={null} encode={encode} />
      {encode.at === 'encoded' && (
        <EncodeActions read={null} encode={encode} preflight={{ at: 'none' }} />
      )}
    </div>
  );
}

/** The inputs, their checks, the result and the buttons. */
function Decoded({ read, encode }: DecodedProps) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const today = useToday();
  const preflight = usePreflight(read, encode);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <div className="mb-1 flex flex-wrap items-center justify-between gap-x-4">
          <h3 className={sideHeading}>{t('recoding.input')}</h3>
          {read.parts.length > 1 && <ChooseFiles />}
        </div>
        <DraftNewsPanel
          news={(isOpen(encode) && encode.news) || []}
          now={today}
          onDismiss={() => recoding.dispatch({ type: 'news-dismissed' })}
        />
        <Parts read={read} encode={encode} />
      </div>
      <Corrections read={read} encode={encode} preflight={preflight} />
      <PreflightPanel
        preflight={preflight}
        refused={refusedParts(encode.inputs)}
        className={sideHeading}
      />
      <div>
        <h3 className={sideHeading}>{t('recoding.output')}</h3>
        <EncodeOutput read={read} encode={encode} />
      </div>
      <EncodeActions read={read} encode={encode} preflight={preflight} />
    </div>
  );
}

export function EncodeStep() {
  const { t } = useTexts();
  const { recoding, entry } = useOpenPage();
  const { isAutoSendEnabled } = entry;
  useEffect(() => {
    // preloaded: the user may need it while offline
    if (isAutoSendEnabled) void loadSendPopup().catch(() => {});
  }, [isAutoSendEnabled]);
  const { flow } = recoding;
  if (flow.at === 'resumed') {
    return (
      <Panel title={t('recoding.encodeStep')}>
        <Resumed encode={flow.encode} />
      </Panel>
    );
  }
  if (flow.at !== 'decoded') return <EncodeWaiting />;
  const { read, encode } = flow;
  return (
    <PlacesArea read={read} encode={encode}>
      <Panel title={t('recoding.encodeStep')} className="@container">
        <Decoded read={read} encode={encode} />
        {encode.at === 'addressing' && <SendPopup read={read} form={encode.form} />}
      </Panel>
    </PlacesArea>
  );
}
