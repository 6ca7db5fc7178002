/** One input of an encoded file: its name, its state, its file or a drop area, and an undo action. */
import FileWarning from 'lucide-react/icons/triangle-alert';
import Undo from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useRef } from 'react';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChangesStrip } from '../../../ui/changes-strip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { CopyCode } from '../../../ui/copy-code.tsx';
import { DropArea, type DropAreaHandle } from '../../../ui/drop-area.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { LongText } from '../../../ui/long-text.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { SupportLink } from '../../../ui/support-link.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { ComparedFile } from '../../change-map/change-data.ts';
import { ChangeMapButton } from '../../change-map/open-change-map.tsx';
import { useEngineIsUp } from '../../service-status/service-status.ts';
import type { Part } from '../decoded-read.ts';
import type { CompletePart, Inputs, PartState, ReadyPart } from '../inputs.ts';
import { BackToOldCode, isCodeChanged } from '../notices/code-changed.tsx';
import { type Fault, mayBeTemporary, partProblemOf } from '../fault.ts';
import { lookOf } from '../families/part-look.ts';
import { changesText, describePartState, readFacts } from '../flow/part-state-text.ts';
import { fileGUIDOf } from '../flow/downloads.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { useTakeFile } from './dropped-files/places-area.tsx';

export interface PartRowProps {
  readonly part: Part;
  readonly state: PartState;
  /** Once encoding has been requested, the row no longer changes. */
  readonly isFrozen: boolean;
}

/** Makes the accessible names of a row's buttons: their text, and the part that the row is about. */
function useNamed({ name }: Part): (label: string) => string {
  const { t } = useTexts();
  return (label) => t('ui.labelled', { label, value: t(lookOf(name).label) });
}

/** What a modified file is compared with: the decoded image, else the uploaded original; null if there is neither. */
function imageBefore(part: Part, parts: Inputs['parts']): ComparedFile | null {
  if (part.decoded !== null) {
    const fileGUID = fileGUIDOf(part.decoded);
    return fileGUID === null ? null : { fileGUID, name: part.decoded.name };
  }
  const original = part.name === 'modified' ? parts['original'] : undefined;
  return original?.at === 'complete'
    ? { fileGUID: original.fileGUID, name: original.file.name }
    : null;
}

/** The button that opens the change map of an uploaded file, unless it is known to have no changes. */
function ChangesOf({ part, state }: { readonly part: Part; readonly state: CompletePart }) {
  const { t } = useTexts();
  const { page, recoding } = useOpenPage();
  const { flow } = recoding;
  const decoded = flow.at === 'decoded' ? flow : null;
  const before = imageBefore(part, decoded?.encode.inputs.parts ?? {});
  if (state.changes?.bytes === 0) return null;
  return (
    before && (
      <ChangeMapButton
        before={before}
        after={{ fileGUID: state.fileGUID, name: state.file.name }}
        component={t(lookOf(part.name).label)}
        facts={decoded === null ? [] : readFacts(t, page, decoded.read)}
      />
    )
  );
}

function UploadedFile({ part, state }: { readonly part: Part; readonly state: CompletePart }) {
  const { t, language } = useTexts();
  const { file, changes } = state;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-40 flex-1">
        <p className="line-clamp-2 text-md" title={file.name}>
          <LongText>{file.name}</LongText>
        </p>
        <p className="text-sm text-ink-2">
          {changes
            ? changesText(t, changes, language)
            : file.size !== null && sizeText(file.size, language)}
        </p>
        {changes && changes.bytes > 0 && (
          <div className="mt-1.5 flex">
            <ChangesStrip changes={changes} />
          </div>
        )}
      </div>
      <ChangesOf part={part} state={state} />
    </div>
  );
}

type Refused = NonNullable<ReadyPart['refused']>;

/**
 * Which file was refused, until another file replaces it. After its error is closed, the user can close the note too.
 */
function RefusedNote({ refused, onClear }: { refused: Refused; onClear: () => void }) {
  const { t } = useTexts();
  const { file, fault, isNoted } = refused;
  const words = mayBeTemporary(fault) ? 'recoding.part.notUploaded' : 'recoding.part.refused';
  return (
    <div className="mt-1.5 flex items-center gap-x-3 text-sm text-bad">
      <Icon of={FileWarning} size={16} />
      <p className="min-w-0 flex-1">
        <LongText>{t(words, { file: file.name })}</LongText>
      </p>
      {isNoted && (
        <Button
          size="small"
          look="quiet"
          icon={X}
          label={t('ui.labelled', { label: t('recoding.part.dismiss'), value: file.name })}
          onPress={onClear}
        />
      )}
    </div>
  );
}

type PartFileProps = PartRowProps & { readonly area: RefObject<DropAreaHandle | null> };

function PartFile(props: PartFileProps) {
  const { t } = useTexts();
  const { cancelPart, dispatch } = useOpenPage().recoding;
  const takeFile = useTakeFile();
  const isEngineUp = useEngineIsUp();
  const { part, state, isFrozen, area } = props;
  const named = useNamed(part);
  switch (state.at) {
    case 'complete':
      return <UploadedFile part={part} state={state} />;
    case 'removed':
      return <p className="text-sm text-ink-2">{t('recoding.removedNotice')}</p>;
    case 'uploading':
      return (
        <ProgressBar
          label={state.file.name}
          fraction={state.fraction}
          action={
            <Button
              look="quiet"
              size="small"
              icon={X}
              aria-label={named(t('ui.cancel'))}
              onPress={() => cancelPart(part.name)}
            >
              {t('ui.cancel')}
            </Button>
          }
        />
      );
    case 'ready':
      if (isFrozen) {
        const words = part.isNeeded ? 'recoding.takenFromDecoded' : 'recoding.takenFromBackup';
        return <p className="text-sm text-ink-2">{t(words)}</p>;
      }
      return (
        <>
          <DropArea
            ref={area}
            shape="row"
            label={t(lookOf(part.name).drop)}
            owner={t(lookOf(part.name).label)}
            choose={t('recoding.part.choose')}
            isDisabled={!isEngineUp}
            onFile={(file) => takeFile(part.name, file)}
          />
          {state.refused !== null && (
            <RefusedNote
              refused={state.refused}
              onClear={() => dispatch({ type: 'part-restored', part: part.name })}
            />
          )}
        </>
      );
  }
}

interface PartFaultProps {
  readonly fault: Fault;
  readonly part: Part;
  /** Makes the accessible names of the buttons. */
  readonly named: (label: string) => string;
  /** Opens the file chooser. */
  readonly onAnother: () => void;
}

/** Why the last file was refused; the user can drop another one above it. */
function PartFault({ fault, part: { name: part }, named, onAnother }: PartFaultProps) {
  const { t } = useTexts();
  const { dispatch, repeatPart } = useOpenPage().recoding;
  const isEngineUp = useEngineIsUp();
  const isRepeatable = mayBeTemporary(fault);
  const { headline, advice, code } = partProblemOf(t, fault);
  return (
    <div
      role="alert"
      className="col-span-full flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-s bg-bad-soft px-3.5 py-2.5"
    >
      <div className="min-w-0 flex-1 basis-64 text-md">
        <p className="text-sm text-bad">{t('ui.errorHeading')}</p>
        <p className="font-semibold">{headline}</p>
        <p className="text-ink-2">{advice}</p>
      </div>
      <span className="flex flex-wrap items-center gap-2">
        {isCodeChanged(fault) && <BackToOldCode size="small" />}
        <Button
          size="small"
          isDisabled={!isEngineUp}
          aria-label={named(t('ui.tryAgain'))}
          onPress={() => {
            if (isRepeatable) return repeatPart(part);
            onAnother();
            // closes the error; a short note stays in the row
            dispatch({ type: 'part-refusal-noted', part });
          }}
        >
          {t('ui.tryAgain')}
        </Button>
        {isRepeatable && (
          <Button
            size="small"
            look="quiet"
            aria-label={named(t('recoding.part.dismiss'))}
            onPress={() => dispatch({ type: 'part-restored', part })}
          >
            {t('recoding.part.dismiss')}
          </Button>
        )}
        <CopyCode code={code} />
        <SupportLink className="text-sm" />
      </span>
    </div>
  );
}

function Name({ part }: { readonly part: Part }): ReactNode {
  const { t, language } = useTexts();
  const { icon, label } = lookOf(part.name);
  const size = part.decoded?.size ?? null;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Icon of={icon} size={20} />
      <div className="min-w-0">
        <p className="font-semibold">{t(label)}</p>
        {size !== null && (
          <p className="font-mono text-sm text-ink-3">{sizeText(size, language)}</p>
        )}
      </div>
    </div>
  );
}

export function PartRow(props: PartRowProps) {
  const { t } = useTexts();
  const { dispatch, removePart } = useOpenPage().recoding;
  const { part, state, isFrozen } = props;
  const area = useRef<DropAreaHandle>(null);
  const { badge, word } = describePartState(part, state, isFrozen);
  const isRestorable = state.at === 'complete' && !isFrozen;
  const name = t(lookOf(part.name).label);
  const named = useNamed(part);
  const restore = part.isNeeded ? t('recoding.chooseAnother') : t('recoding.restore');
  return (
    <li
      aria-label={name}
      className="grid min-h-[76px] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2.5 border-line py-2 not-last:border-b @min-[740px]:col-span-full @min-[740px]:grid-cols-subgrid"
    >
      <Name part={part} />
      <div className="flex justify-end @min-[740px]:justify-start">
        <Badge state={badge}>{t(word)}</Badge>
      </div>
      <div className="col-span-full min-w-0 @min-[740px]:col-span-1">
        <PartFile {...props} area={area} />
      </div>
      <div
        className={classNames(
          'col-span-full flex flex-wrap justify-end gap-4 @min-[740px]:contents',
          !isRestorable && !part.isRemovable && 'hidden',
        )}
      >
        {/* Invisible, but it keeps its column, so that the layout does not shift when a file is added. */}
        <Button
          icon={Undo}
          aria-label={named(restore)}
          isDisabled={!isRestorable}
          onPress={() => dispatch({ type: 'part-restored', part: part.name })}
          className={isRestorable ? '' : 'invisible @max-[740px]:hidden'}
        >
          {restore}
        </Button>
        {part.isRemovable && (
          <Switch
            isSelected={state.at === 'removed'}
            isDisabled={isFrozen}
            label={t('ui.labelled', { label: t('recoding.state.removed'), value: name })}
            onChange={(isRemoved) => removePart(part.name, isRemoved)}
          >
            {t('recoding.state.removed')}
          </Switch>
        )}
      </div>
      {state.at === 'ready' && state.refused !== null && !state.refused.isNoted && (
        <PartFault
          fault={state.refused.fault}
          {...{ part, named }}
          onAnother={() => area.current?.open()}
        />
      )}
    </li>
  );
}
