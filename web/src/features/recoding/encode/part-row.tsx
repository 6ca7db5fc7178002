/** One input of an encoded file: its name, its state, its file or a drop area, and an undo action. */
import FileUp from 'lucide-react/icons/file-up';
import Undo from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useRef } from 'react';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { ChangesStrip } from '../../../ui/display/changes-strip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { DropArea, type DropAreaHandle } from '../../../ui/fields/drop-area.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { ProgressBar } from '../../../ui/display/progress-bar.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import type { ComparedFile } from '../../change-map/change-data.ts';
import { ChangeMapButton } from '../../change-map/open-change-map.tsx';
import { useEngineIsUp } from '../../service-status/service-status.ts';
import type { Part } from '../decoded-read.ts';
import { type CompletePart, type Inputs, type PartState, refusedOf } from '../inputs.ts';
import { lookOf } from '../families/part-look.ts';
import { changesText, describePartState, readFacts } from '../flow/part-state-text.ts';
import { fileGUIDOf } from '../../../api/files/fresh-address.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { BelowFile, PartFault } from './other-files.tsx';
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
    const fileGUID = fileGUIDOf(part.decoded.url);
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

interface PartFileProps extends PartRowProps {
  readonly area: RefObject<DropAreaHandle | null>;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** Cancels the upload of a part. */
function Cancel({ part }: { readonly part: Part }) {
  const { t } = useTexts();
  const { cancelPart } = useOpenPage().recoding;
  const named = useNamed(part);
  return (
    <Button
      look="quiet"
      size="small"
      icon={X}
      aria-label={named(t('ui.cancel'))}
      onPress={() => cancelPart(part.name)}
    >
      {t('ui.cancel')}
    </Button>
  );
}

function PartFile(props: PartFileProps) {
  const { t } = useTexts();
  const takeFile = useTakeFile();
  const isEngineUp = useEngineIsUp();
  const { part, state, isFrozen, area, input } = props;
  const below = !isFrozen && state.at !== 'uploading' && <BelowFile part={part} state={state} />;
  switch (state.at) {
    case 'complete':
      return (
        <>
          <UploadedFile part={part} state={state} />
          {below}
        </>
      );
    case 'removed':
      return (
        <>
          <p className="text-sm text-ink-2">{t('recoding.removedNotice')}</p>
          {below}
        </>
      );
    case 'uploading':
      return (
        <ProgressBar
          label={state.file.name}
          fraction={state.fraction}
          action={<Cancel part={part} />}
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
            input={input}
            shape="row"
            label={t(lookOf(part.name).drop)}
            owner={t(lookOf(part.name).label)}
            choose={t('recoding.part.choose')}
            isDisabled={!isEngineUp}
            onFile={(file) => takeFile(part.name, file)}
          />
          {below}
        </>
      );
  }
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

interface RowActionProps extends PartRowProps {
  /** Opens the file chooser. */
  readonly onAnother: () => void;
}

/** The buttons for a file that a row has: the old file stays until another one has arrived. */
function FileActions({ part, state, isFrozen, onAnother }: RowActionProps) {
  const { t } = useTexts();
  const { dispatch } = useOpenPage().recoding;
  const isEngineUp = useEngineIsUp();
  const isThere = state.at === 'complete' && !isFrozen;
  const named = useNamed(part);
  const another = t('recoding.chooseAnother');
  const restore = t('recoding.restore');
  // invisible, but it keeps its column, so that the layout does not shift when a file is added
  const className = isThere ? '' : 'invisible @max-[740px]:hidden';
  const replace = (
    <Button
      icon={FileUp}
      aria-label={named(another)}
      isDisabled={!isThere || !isEngineUp}
      onPress={onAnother}
      className={className}
    >
      {another}
    </Button>
  );
  if (part.isNeeded) return replace;
  return (
    <div className="flex flex-wrap gap-2 @min-[740px]:flex-col">
      <Button
        icon={Undo}
        aria-label={named(restore)}
        isDisabled={!isThere}
        onPress={() => dispatch({ type: 'part-restored', part: part.name })}
        className={className}
      >
        {restore}
      </Button>
      {isThere && replace}
    </div>
  );
}

/** The file chooser of a row, and what opens it. */
function useChooser({ part, state, isFrozen }: PartRowProps) {
  const area = useRef<DropAreaHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const takeFile = useTakeFile();
  const isEngineUp = useEngineIsUp();
  return {
    area,
    input,
    open: (): void => (state.at === 'ready' ? area.current?.open() : input.current?.click()),
    // the same for both states: while the chooser is open, someone else may add or remove a file
    chooser: !isFrozen && (state.at === 'ready' || state.at === 'complete') && (
      <input
        ref={input}
        type="file"
        hidden
        disabled={!isEngineUp}
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // the same file may be chosen again
          target.value = '';
          if (file !== undefined) takeFile(part.name, file);
        }}
      />
    ),
  };
}

export function PartRow(props: PartRowProps) {
  const { t } = useTexts();
  const { removePart } = useOpenPage().recoding;
  const { part, state, isFrozen } = props;
  const { area, input, open, chooser } = useChooser(props);
  const { badge, word } = describePartState(part, state, isFrozen);
  const hasActions = (state.at === 'complete' && !isFrozen) || part.isRemovable;
  const refused = isFrozen ? null : refusedOf(state);
  const name = t(lookOf(part.name).label);
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
        <PartFile {...props} area={area} input={input} />
        {chooser}
      </div>
      <div
        className={classNames(
          'col-span-full flex flex-wrap justify-end gap-4 @min-[740px]:contents',
          !hasActions && 'hidden',
        )}
      >
        <FileActions {...props} onAnother={open} />
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
      {refused !== null && !refused.isNoted && state.at !== 'removed' && (
        <PartFault fault={refused.fault} part={part} onAnother={open} />
      )}
    </li>
  );
}
