/** Where a file is dropped or chosen; of several files the first is taken. */
import FileUp from 'lucide-react/icons/file-up';
import Upload from 'lucide-react/icons/upload';
import { type ReactNode, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export interface DropAreaProps {
  readonly onFile: (file: File) => void;
  /** The words that stand out: what to drop here. Also the name of the area. */
  readonly label: string;
  /** The words of the button that opens the file chooser. */
  readonly choose: string;
  /** Stands below: sizes, where to find a sample. */
  readonly hint?: ReactNode;
  /** `tall` for an empty page, `wide` for the home page, `row` for a component's row. */
  readonly shape?: 'tall' | 'wide' | 'row';
  readonly isDisabled?: boolean;
  /** Extensions that the file chooser proposes, for instance `.bin`; any file may still be dropped. */
  readonly extensions?: readonly string[];
}

const shapes = {
  tall: 'flex-col gap-2 px-4 py-10 text-center min-h-48',
  wide: 'gap-5 px-5 py-6 sm:px-8 min-h-[104px] text-left',
  row: 'gap-2.5 px-3 py-1.5 min-h-[38px] text-left',
} as const;

/** The first file of a drop; folders and texts are passed over. */
async function firstFile(
  items: readonly { kind: string; getFile?: () => Promise<File> }[],
): Promise<File | null> {
  const item = items.find((candidate) => candidate.kind === 'file');
  return item?.getFile ? await item.getFile() : null;
}

export function DropArea({
  onFile,
  label,
  choose,
  hint,
  shape = 'tall',
  isDisabled = false,
  extensions,
}: DropAreaProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const isRow = shape === 'row';
  return (
    <DropZone
      aria-label={label}
      isDisabled={isDisabled}
      onDrop={(event) => {
        void firstFile(event.items).then((file) => {
          if (file !== null) onFile(file);
        });
      }}
      // A click anywhere opens the chooser, for the mouse only; the keyboard has the button inside.
      onClick={(event) => {
        const isButton = event.target instanceof Element && event.target.closest('button');
        if (!isButton && !isDisabled) chooser.current?.click();
      }}
      className={classNames(
        'group flex cursor-pointer items-center justify-center rounded-m border-dashed border-control/70 transition-colors',
        'hover:border-accent data-drop-target:border-solid data-drop-target:border-accent data-drop-target:bg-accent-soft',
        'data-disabled:pointer-events-none data-disabled:opacity-50',
        isRow ? 'border' : 'border-2',
        shape === 'wide' && 'justify-start rounded-l',
        shapes[shape],
      )}
    >
      <Icon
        of={isRow ? Upload : FileUp}
        size={isRow ? 18 : 32}
        className={isRow ? 'text-ink-2' : 'text-accent'}
      />
      <div className={classNames('min-w-0', isRow && 'text-md text-ink-2')}>
        <p className={isRow ? 'inline' : 'text-lg font-semibold'}>{label}</p>{' '}
        <p className={isRow ? 'inline' : 'text-base text-ink-2'}>
          <FileTrigger
            ref={chooser}
            allowsMultiple
            {...(extensions === undefined ? {} : { acceptedFileTypes: extensions })}
            onSelect={(files) => {
              const file = files?.[0];
              if (file) onFile(file);
            }}
          >
            <Button
              isDisabled={isDisabled}
              className="rounded-[3px] text-accent underline decoration-from-font underline-offset-2 hover:text-accent-hover"
            >
              {choose}
            </Button>
          </FileTrigger>
          {hint !== undefined && <span className="text-ink-3"> {hint}</span>}
        </p>
      </div>
    </DropZone>
  );
}
