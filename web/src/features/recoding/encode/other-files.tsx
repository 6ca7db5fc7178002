/** What a row shows about files that it does not use: one that was refused, and one that was replaced or removed. */
import FileWarning from 'lucide-react/icons/triangle-alert';
import Undo from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { CopyCode } from '../../../ui/actions/copy-code.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { SupportLink } from '../../../ui/actions/support-link.tsx';
import { useEngineIsUp } from '../../service-status/service-status.ts';
import type { Part } from '../decoded-read.ts';
import { lookOf } from '../families/part-look.ts';
import { diagnosisOf, type Fault, mayBeTemporary, partProblemOf } from '../fault.ts';
import { type RefusedFile, refusedOf, type SettledPart } from '../inputs.ts';
import { BackToOldCode, isCodeChanged } from '../notices/code-changed.tsx';
import { useOpenPage } from '../flow/open-page.ts';
import { MisfitPanel } from './misfit/open-misfit.ts';

/**
 * Which file was refused, until another file replaces it. After its error is closed, the user can close the note too.
 */
function RefusedNote({
  part,
  refused,
  onClear,
}: {
  readonly part: Part;
  readonly refused: RefusedFile;
  readonly onClear: () => void;
}) {
  const { t } = useTexts();
  const { fault, isNoted } = refused;
  const file = refused.file.name || t(lookOf(part.name).label);
  const words = mayBeTemporary(fault) ? 'recoding.part.notUploaded' : 'recoding.part.refused';
  return (
    <div className="mt-1.5 flex items-center gap-x-3 text-sm text-bad">
      <Icon of={FileWarning} size={16} />
      <p className="min-w-0 flex-1">
        <LongText>{t(words, { file })}</LongText>
      </p>
      {isNoted && (
        <Button
          size="small"
          look="quiet"
          icon={X}
          label={t('ui.labelled', { label: t('recoding.part.dismiss'), value: file })}
          onPress={onClear}
        />
      )}
    </div>
  );
}

/** The file that was replaced or removed last, which the user can restore. */
function UndoLine({ part, state }: { readonly part: Part; readonly state: SettledPart }) {
  const { t } = useTexts();
  const { dispatch } = useOpenPage().recoding;
  const previous = state.at === 'removed' ? undefined : state.previous;
  if (previous === undefined) return null;
  const file = previous.file.name;
  const words = state.at === 'complete' ? 'recoding.part.replaced' : 'recoding.part.taken';
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <p className="min-w-0">
        <LongText>{t(words, { file })}</LongText>
      </p>
      <Button
        size="small"
        look="quiet"
        icon={Undo}
        aria-label={t('ui.labelled', { label: t('recoding.part.undo'), value: file })}
        onPress={() => dispatch({ type: 'part-undone', part: part.name })}
      >
        {t('recoding.part.undo')}
      </Button>
    </div>
  );
}

/** What a row shows below its file while its inputs can change. */
export function BelowFile({ part, state }: { readonly part: Part; readonly state: SettledPart }) {
  const { dispatch } = useOpenPage().recoding;
  const refused = refusedOf(state);
  return (
    <>
      {refused !== null && (
        <RefusedNote
          part={part}
          // the error of a part that is left out is not shown
          refused={state.at === 'removed' ? { ...refused, isNoted: true } : refused}
          onClear={() => dispatch({ type: 'part-refusal-cleared', part: part.name })}
        />
      )}
      <UndoLine part={part} state={state} />
    </>
  );
}

export interface PartFaultProps {
  readonly fault: Fault;
  readonly part: Part;
  /** Opens the file chooser. */
  readonly onAnother: () => void;
}

/** Why the last file was refused; the user can choose another one. */
export function PartFault({ fault, part: { name: part }, onAnother }: PartFaultProps) {
  const { t } = useTexts();
  const { dispatch, repeatPart } = useOpenPage().recoding;
  const isEngineUp = useEngineIsUp();
  const isRepeatable = mayBeTemporary(fault);
  const named = (label: string): string =>
    t('ui.labelled', { label, value: t(lookOf(part).label) });
  const again = t(diagnosisOf(fault) === null ? 'ui.tryAgain' : 'recoding.chooseAnother');
  const { headline, advice, code } = partProblemOf(t, fault);
  const diagnosis = diagnosisOf(fault);
  return (
    <div
      role="alert"
      className="col-span-full flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-s bg-bad-soft px-3.5 py-2.5"
    >
      <div className="min-w-0 flex-1 basis-64 text-md">
        <p className="text-sm text-bad">{t('ui.errorHeading')}</p>
        <p className="font-semibold">{headline}</p>
        <p className="text-ink-2">{advice}</p>
        {diagnosis !== null && (
          <div className="mt-2 border-t border-line pt-2">
            <MisfitPanel diagnosis={diagnosis} part={part} />
          </div>
        )}
      </div>
      <span className="flex flex-wrap items-center gap-2">
        {isCodeChanged(fault) && <BackToOldCode size="small" />}
        <Button
          size="small"
          isDisabled={!isEngineUp}
          aria-label={named(again)}
          onPress={() => {
            if (isRepeatable && repeatPart(part)) return;
            onAnother();
            // closes the error; a short note stays in the row
            dispatch({ type: 'part-refusal-noted', part });
          }}
        >
          {again}
        </Button>
        {isRepeatable && (
          <Button
            size="small"
            look="quiet"
            aria-label={named(t('recoding.part.dismiss'))}
            onPress={() => dispatch({ type: 'part-refusal-cleared', part })}
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
