/** Makes the whole encode step a place for files: dropped or chosen, each goes to its part once the user agrees. */
import Files from 'lucide-react/icons/files';
import Upload from 'lucide-react/icons/upload';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type DragEvent, type ReactNode, use, useRef, useState } from 'react';
import { loadTexts, useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { onDemand } from '../../../../ui/on-demand.tsx';
import { useEngineIsUp } from '../../../service-status/service-status.ts';
import type { DecodedRead, PartName } from '../../decoded-read.ts';
import { useOpenPage } from '../../flow/open-page.ts';
import type { Encode } from '../../flow/encode-flow.ts';
import { fingerprintsQuery } from './fingerprints-query.ts';
import type { OwnPlaceFound } from './own-place.ts';

const PlacesDialog = onDemand(async () => {
  const [{ PlacesDialog: dialog }] = await Promise.all([
    import('./places-dialog.tsx'),
    loadTexts('places'),
  ]);
  return dialog;
});
const OwnPlaceDialog = onDemand(async () => {
  const [{ OwnPlaceDialog: dialog }] = await Promise.all([
    import('./own-place-dialog.tsx'),
    loadTexts('places'),
  ]);
  return dialog;
});

/** Milliseconds after which a file goes to its row without being compared. */
const patience = 5000;

interface Places {
  /** Whether files can be added now. */
  readonly isOpen: boolean;
  /** Finds the parts of several files, or of the contents of an archive. */
  readonly takeFiles: (files: readonly File[]) => void;
  /** Takes a file that was dropped on the row of a part. */
  readonly takeFile: (part: PartName, file: File) => void;
}

const PlacesContext = createContext<Places | null>(null);

/** What a row does with a file: compares it first where it can, or uploads it. */
export function useTakeFile(): Places['takeFile'] {
  const places = use(PlacesContext);
  const { choosePart } = useOpenPage().recoding;
  return places?.takeFile ?? choosePart;
}

/** What the page asks about: several files, or one that may be on the wrong row. */
type Asked =
  | { readonly files: readonly File[] }
  | { readonly file: File; readonly own: PartName; readonly found: OwnPlaceFound };

interface AreaProps {
  readonly read: DecodedRead;
  readonly encode: Encode;
  readonly children: ReactNode;
}

/** Compares a file that was dropped on a row before it is uploaded there. */
function useTakeOne(
  { read, encode }: Pick<AreaProps, 'read' | 'encode'>,
  setAsked: (asked: Asked) => void,
): Places['takeFile'] {
  const client = useQueryClient();
  const { choosePart } = useOpenPage().recoding;
  return (own, file) => {
    const load = () =>
      client.fetchQuery({ ...fingerprintsQuery(read, encode.inputs), retry: false });
    const late = AbortSignal.timeout(patience);
    const find = async () => {
      const { findOwnPlace } = await import('./own-place.ts');
      return findOwnPlace(file, own, load, late);
    };
    const expired = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(late.reason));
    });
    void Promise.race([find(), expired])
      // a comparison that fails keeps no file back: the server checks it all the same
      .catch(() => null)
      .then((found) => {
        if (found === 'zip') setAsked({ files: [file] });
        else if (found === null || found.place.kind === 'fits') choosePart(own, file);
        else setAsked({ file, own, found });
      });
  };
}

/** Whether files are dragged over the step, outside of a row that takes them itself. */
function useDrop(isOpen: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent): void => {
    const hasFiles = event.dataTransfer.types.includes('Files');
    setIsOver(isOpen && hasFiles && !event.defaultPrevented);
    if (event.defaultPrevented || !hasFiles) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = isOpen ? 'copy' : 'none';
  };
  return {
    isOver,
    handlers: {
      onDragEnter: over,
      onDragOver: over,
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent): void => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setIsOver(false);
      },
      onDrop: (event: DragEvent): void => {
        setIsOver(false);
        if (event.defaultPrevented || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        if (isOpen) onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

/** The button above the parts. Files can also be dropped anywhere on the step. */
export function ChooseFiles() {
  const { t } = useTexts();
  const places = use(PlacesContext);
  const input = useRef<HTMLInputElement>(null);
  if (places === null) return null;
  return (
    <div className="flex items-center gap-3">
      <span className="hidden text-sm text-ink-3 sm:inline">{t('recoding.places.hint')}</span>
      <Button
        size="small"
        icon={Files}
        isDisabled={!places.isOpen}
        onPress={() => input.current?.click()}
      >
        {t('recoding.places.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // the same files may be chosen again
          target.value = '';
          if (files.length > 0) places.takeFiles(files);
        }}
      />
    </div>
  );
}

export function PlacesArea({ read, encode, children }: AreaProps) {
  const { t } = useTexts();
  const isOpen = useEngineIsUp() && encode.at === 'preparing';
  const [asked, setAsked] = useState<Asked | null>(null);
  const takeFile = useTakeOne({ read, encode }, setAsked);
  const takeFiles = (files: readonly File[]): void => setAsked({ files });
  const { isOver, handlers } = useDrop(isOpen, takeFiles);
  const close = (): void => setAsked(null);
  return (
    <PlacesContext value={{ isOpen, takeFiles, takeFile }}>
      <div className="relative" {...handlers}>
        {children}
        {isOver && (
          <div
            aria-hidden="true"
            className="pointer-events-none absolute inset-0 rounded-l border-2 border-accent bg-accent-soft/80"
          >
            <p className="sticky top-1/2 mx-auto mt-6 flex w-fit max-w-[90%] items-center gap-3 rounded-m bg-surface px-5 py-3 text-lg font-semibold text-accent shadow-pop">
              <Icon of={Upload} size={24} className="shrink-0" />
              {t('recoding.places.drop')}
            </p>
          </div>
        )}
      </div>
      {asked !== null &&
        ('files' in asked ? (
          <PlacesDialog read={read} inputs={encode.inputs} onClose={close} {...asked} />
        ) : (
          <OwnPlaceDialog read={read} onClose={close} {...asked} />
        ))}
    </PlacesContext>
  );
}
