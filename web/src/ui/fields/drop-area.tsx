/** An area where the user drops, pastes or chooses a file; of several files it takes the first, and says which. */
import FileUp from 'lucide-react/icons/file-up';
import Upload from 'lucide-react/icons/upload';
import {
  type DragEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { listText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { classNames } from '../class-names.ts';
import { Icon } from '../display/icon.tsx';
import { PlainButton } from '../actions/plain-button.tsx';
import { showToast } from '../toasts/toast.tsx';

/** Opens the file chooser of an area from a button outside it. */
export interface DropAreaHandle {
  readonly open: () => void;
}

export interface DropAreaProps {
  readonly ref?: Ref<DropAreaHandle>;
  readonly onFile: (file: File) => void;
  /** Called instead when several files are dropped or chosen; without it, the first one is taken, and a toast says so. */
  readonly onFiles?: (files: readonly File[]) => void;
  /** The prominent text: what to drop here. Also the accessible name of the area. */
  readonly label: string;
  /** What the file is for, where several areas have the same label: names the area and its button. */
  readonly owner?: string;
  /** The label of the button that opens the file chooser. */
  readonly choose: string;
  /** The file input of the owner, which stays when the area disappears; otherwise the area has its own. */
  readonly input?: RefObject<HTMLInputElement | null>;
  /** Shown below: sizes, where to find a sample. */
  readonly hint?: ReactNode;
  /** `tall` for an empty page, `wide` for the home page, `row` for a component's row. */
  readonly shape?: 'tall' | 'wide' | 'row';
  readonly isDisabled?: boolean;
}

const shapes = {
  tall: 'flex-col gap-2 px-4 py-10 text-center min-h-48 justify-center',
  wide: 'gap-5 px-5 py-6 sm:px-8 min-h-[104px] text-left rounded-l',
  row: 'gap-2.5 px-3 py-1.5 min-h-[38px] text-left',
} as const;

/**
 * True while the user drags something that may be a file over the area; moving over its children does not count as
 * leaving.
 */
function useDrag(isDisabled: boolean, onDropped: (files: FileList) => void) {
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent): void => {
    // the window explains a drop on a disabled area
    if (isDisabled) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setIsOver(true);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: over,
      onDragOver: over,
      onDragLeave: (event: DragEvent): void => {
        const { currentTarget, relatedTarget } = event;
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setIsOver(false);
      },
      onDrop: (event: DragEvent): void => {
        setIsOver(false);
        if (isDisabled) return;
        // Without this the browser would leave the page and open the file.
        event.preventDefault();
        onDropped(event.dataTransfer.files);
      },
    },
  };
}

interface ChooserProps {
  readonly handle: Ref<DropAreaHandle> | undefined;
  readonly onFiles: (files: FileList | null) => void;
  readonly choose: string;
  readonly input: DropAreaProps['input'];
  /** The accessible name of the button; undefined: its label. */
  readonly name: string | undefined;
  readonly isDisabled: boolean;
}

/** The button that opens the file chooser. It covers the whole area, so that a click anywhere is a click on it. */
function Chooser({ handle, onFiles, choose, input, name, isDisabled }: ChooserProps) {
  const button = useRef<HTMLButtonElement>(null);
  const own = useRef<HTMLInputElement>(null);
  const chooser = input ?? own;
  useImperativeHandle(handle, () => ({
    open: () => {
      // the button outside may disappear; the focus stays in the area
      button.current?.focus();
      chooser.current?.click();
    },
  }));
  return (
    <>
      <PlainButton
        ref={button}
        aria-label={name}
        onPress={() => chooser.current?.click()}
        isDisabled={isDisabled}
        className="rounded-[3px] text-accent underline decoration-from-font underline-offset-2 after:absolute after:inset-0 hover:text-accent-hover"
      >
        {choose}
      </PlainButton>
      {input === undefined && (
        <input
          ref={own}
          type="file"
          multiple
          hidden
          disabled={isDisabled}
          tabIndex={-1}
          onChange={(event) => {
            onFiles(event.target.files);
            // The same file may be chosen again after a retry.
            event.target.value = '';
          }}
        />
      )}
    </>
  );
}

/** Says which of several files was taken. */
function useFirstTaken() {
  const { t, language } = useTexts();
  return (first: File, others: readonly File[]): void => {
    const names = listText(
      others.map(({ name }) => name),
      language,
    );
    showToast({
      title: t('ui.drop.first', { name: first.name }),
      detail: t('ui.drop.others', { names }),
    });
  };
}

/** Takes the files that were dropped, pasted or chosen. */
function useTake({ onFile, onFiles, isDisabled }: DropAreaProps) {
  const { t } = useTexts();
  const sayFirst = useFirstTaken();
  return (files: FileList | null): void => {
    const [file, ...others] = files ?? [];
    if (file === undefined) return;
    // for example while the file chooser was open
    if (isDisabled) {
      showToast({ title: t('ui.drop.disabled') });
      return;
    }
    if (onFiles !== undefined && others.length > 0) {
      onFiles([file, ...others]);
      return;
    }
    onFile(file);
    if (others.length > 0) sayFirst(file, others);
  };
}

export function DropArea(props: DropAreaProps) {
  const { ref, label, owner, choose, input, hint, shape = 'tall', isDisabled = false } = props;
  const { t } = useTexts();
  const isRow = shape === 'row';
  const name = owner && t('ui.labelled', { label: choose, value: owner });
  const take = useTake(props);
  const { isOver, handlers } = useDrag(isDisabled, take);
  return (
    <div
      role="group"
      data-drop-area=""
      aria-label={owner === undefined ? label : t('ui.labelled', { label: owner, value: label })}
      aria-disabled={isDisabled || undefined}
      {...handlers}
      onPaste={(event) => take(event.clipboardData.files)}
      className={classNames(
        'relative flex items-center rounded-m transition-colors',
        isRow ? 'border' : 'border-2',
        isOver ? 'border-solid border-accent bg-accent-soft' : 'border-dashed border-control/70',
        isDisabled ? 'opacity-50' : 'hover:border-accent in-data-dragging:border-accent',
        shapes[shape],
      )}
    >
      <Icon
        of={isRow ? Upload : FileUp}
        size={isRow ? 18 : 32}
        className={classNames(
          isRow ? 'text-ink-2' : 'text-accent',
          isOver && 'motion-safe:animate-lift',
        )}
      />
      <div className={classNames('min-w-0', isRow && 'text-md text-ink-2')}>
        <p className={isRow ? 'inline' : 'text-lg font-semibold'}>{label}</p>{' '}
        <p className={isRow ? 'inline' : 'text-base text-ink-2'}>
          <Chooser handle={ref} onFiles={take} {...{ choose, input, name, isDisabled }} />
          {hint !== undefined && <span className="text-ink-3"> {hint}</span>}
        </p>
      </div>
    </div>
  );
}
