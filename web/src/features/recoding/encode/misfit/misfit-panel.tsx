/** Why a file does not fit, a picture of it, and the button that uses its repair. */
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { repairRoutes } from '@recodery/contract/features/recoding/repairs';
import { tabHeader } from '@recodery/contract/headers';
import Wrench from 'lucide-react/icons/wrench';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { tabName } from '../../../../api/tab.ts';
import { bytesText } from '../../../../i18n/formats.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Confirm } from '../../../../ui/dialogs/confirm.tsx';
import { useEngineIsUp } from '../../../service-status/service-status.ts';
import type { PartName } from '../../decoded-read.ts';
import { lookOf } from '../../families/part-look.ts';
import { diagnosisOf } from '../../fault.ts';
import { useOpenPage } from '../../flow/open-page.ts';
import { refusedOf } from '../../inputs.ts';
import { freePart } from '../dropped-files/put-file.ts';
import { MisfitPicture } from '../../../misfit/misfit-picture.tsx';
import { repairText, lengthOf, sentencesOf } from '../../../misfit/misfit-text.ts';

export interface MisfitPanelProps {
  readonly diagnosis: Diagnosis;
  /** The part that the file was uploaded for. */
  readonly part: PartName;
}

/** Uses the repair of a diagnosis; null if there is none, or nothing can be changed now. */
function useRepair({ diagnosis: { details, repair }, part }: MisfitPanelProps) {
  const { page, recoding } = useOpenPage();
  const { flow } = recoding;
  if (repair === null || flow.at !== 'decoded' || flow.encode.at !== 'preparing') return null;
  const { read } = flow;
  const { component } = details;
  const own = read.parts.find(({ name }) => name.toLowerCase() === component)?.name;
  return (): void => {
    const { guid: repairGUID, name, size } = repair;
    const target = own ?? part;
    const wrong = flow.encode.inputs.parts[part];
    const fault = refusedOf(wrong)?.fault;
    const isRefused = fault !== undefined && diagnosisOf(fault)?.repair?.guid === repairGUID;
    freePart(recoding, target);
    recoding.placePart(target, { name, size }, async (signal) => {
      const placed = await call(
        repairRoutes[page.family],
        { params: { slotGUID: read.slotGUID, repairGUID } },
        { signal, headers: { [tabHeader]: tabName() } },
      );
      if (target === part) return placed;
      // until now the explanation stays, and with it the repair
      if (isRefused) recoding.dispatch({ type: 'part-refusal-cleared', part });
      // the server has taken out a file that it had accepted for the wrong part
      else if (wrong?.at === 'complete')
        recoding.dispatch({ type: 'part-restored', part, fileGUID: wrong.fileGUID });
      return placed;
    });
  };
}

/** The button of a repair. One that takes bytes from the read asks first. */
function Repair({ diagnosis, part, use }: MisfitPanelProps & { readonly use: () => void }) {
  const words = useTexts();
  const { t, language } = words;
  const isEngineUp = useEngineIsUp();
  const [isAsked, setIsAsked] = useState(false);
  const isLossless = diagnosis.repair?.isLossless !== false;
  const action = repairText(words, diagnosis);
  const bytes = bytesText(lengthOf(diagnosis.details.missing), language);
  return (
    <>
      <p className="mt-1 text-ink-2">{t(isLossless ? 'misfit.lossless' : 'misfit.rest')}</p>
      <Button
        size="small"
        icon={Wrench}
        className="mt-2"
        isDisabled={!isEngineUp}
        aria-label={t('ui.labelled', { label: action, value: t(lookOf(part).label) })}
        onPress={() => (isLossless ? use() : setIsAsked(true))}
      >
        {action}
      </Button>
      {isAsked && (
        <Confirm
          title={t('misfit.ask.title')}
          confirm={action}
          stay={t('ui.cancel')}
          onCancel={() => setIsAsked(false)}
          onConfirm={() => {
            setIsAsked(false);
            use();
          }}
        >
          <p>{t('misfit.ask.text', { bytes })}</p>
        </Confirm>
      )}
    </>
  );
}

export function MisfitPanel(props: MisfitPanelProps) {
  const words = useTexts();
  const use = useRepair(props);
  return (
    <div className="min-w-0 text-md">
      <p className="font-semibold wrap-anywhere">
        {sentencesOf(words, props.diagnosis).join(words.language === 'zh-CN' ? '' : ' ')}
      </p>
      <MisfitPicture diagnosis={props.diagnosis} />
      {use !== null && <Repair {...props} use={use} />}
    </div>
  );
}
