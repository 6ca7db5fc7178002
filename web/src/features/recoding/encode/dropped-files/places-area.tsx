/** Lets the whole encode step accept files: whether dropped or chosen, each goes to its part once the user agrees. */
import type { PartFingerprint } from '@recodery/contract/fingerprints';
import Files from 'lucide-react/icons/files';
import Upload from 'lucide-react/icons/upload';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type DragEvent,
  type ReactNode,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTexts, withTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Icon } from '../../../../ui/display/icon.tsx';
import { onDemand } from '../../../../ui/loading/on-demand.tsx';
import { useEngineIsUp } from '../../../service-status/service-status.ts';
import type { DecodedRead, PartName } from '../../decoded-read.ts';
import { useOpenPage } from '../../flow/open-page.ts';
import type { Encode } from '../../flow/state/encode-flow.ts';
import { fingerprintsQuery } from './fingerprints-query.ts';
import type { OwnPlaceFound } from './own-place.ts';

const loadPlacesDialog = async () =>
  (await withTexts(import('./places-dialog.tsx'), 'places')).PlacesDialog;
const loadOwnPlaceDialog = async () =>
  (await withTexts(import('./own-place-dialog.tsx'), 'places')).OwnPlaceDialog;
const PlacesDialog = onDemand(loadPlacesDialog);
const OwnPlaceDialog = onDemand(loadOwnPlaceDialog);

/** Milliseconds after which a file is uploaded to its row without being compared. */
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

/** What a row does with a file: compares it first if possible, or uploads it. */
export function useTakeFile(): Places['takeFile'] {
  const places = use(PlacesContext);
  const { choosePart } = useOpenPage().recoding;
  return places?.takeFile ?? choosePart;
}

/** The subject of a question: several files, or one that may be on the wrong row. */
type Asked =
  | { readonly files: readonly File[] }
  | { readonly file: File; readonly own: PartName; readonly found: OwnPlaceFound };

interface AreaProps {
  readonly read: DecodedRead;
  readonly encode: Encode;
  readonly children: ReactNode;
}

/**
 * What to ask about a file that was dropped on the row of a part; null if it goes there, or could not be compared: the
 * server checks it in any case. The dialog is loaded with it, so that it opens immediately.
 */
async function compare(
  own: PartName,
  file: File,
  load: () => Promise<readonly PartFingerprint[]>,
  signal: AbortSignal,
): Promise<Asked | null> {
  const { findOwnPlace } = await import('./own-place.ts');
  const found = await findOwnPlace(file, own, load, signal);
  if (found === 'zip') {
    await loadPlacesDialog();
    return { files: [file] };
  }
  if (found === null || found.place.kind === 'fits') return null;
  await loadOwnPlaceDialog();
  return { file, own, found };
}

/**
 * Compares a file that was dropped on a row before it is uploaded there; during the comparison, its part counts as
 * uploading.
 */
function useTakeOne(
  { read, encode }: Pick<AreaProps, 'read' | 'encode'>,
  ask: (asked: Asked) => void,
): Places['takeFile'] {
  const client = useQueryClient();
  const { choosePart } = useOpenPage().recoding;
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (own, file) => {
    const load = () =>
      client.fetchQuery({ ...fingerprintsQuery(read, encode.inputs), retry: false });
    choosePart(own, file, async (signal) => {
      const late = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
      const expired = new Promise<null>((resolve) => {
        late.addEventListener('abort', () => resolve(null));
      });
      const asked = await Promise.race([compare(own, file, load, late).catch(() => null), expired]);
      // once the user has left the page, no question can be shown
      if (asked === null || signal.aborted || !isShown.current) return true;
      ask(asked);
      return false;
    });
  };
}

/** The questions, one after the other; `number` distinguishes them. */
function useQuestions() {
  const [{ number, waiting }, setQuestions] = useState<{
    readonly number: number;
    readonly waiting: readonly Asked[];
  }>({ number: 0, waiting: [] });
  return {
    number,
    asked: waiting[0] ?? null,
    ask: (asked: Asked): void =>
      setQuestions((now) => ({ ...now, waiting: [...now.waiting, asked] })),
    close: (): void =>
      setQuestions((now) => ({ number: now.number + 1, waiting: now.waiting.slice(1) })),
  };
}

/** Whether files are dragged over the step, outside of a row that accepts them itself. */
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
  const { number, asked, ask, close } = useQuestions();
  const takeFile = useTakeOne({ read, encode }, ask);
  const takeFiles = (files: readonly File[]): void => ask({ files });
  const { isOver, handlers } = useDrop(isOpen, takeFiles);
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
          <PlacesDialog
            key={number}
            read={read}
            inputs={encode.inputs}
            onClose={close}
            {...asked}
          />
        ) : (
          <OwnPlaceDialog
            key={number}
            read={read}
            inputs={encode.inputs}
            onClose={close}
            {...asked}
          />
        ))}
    </PlacesContext>
  );
}
