/** The checks of a pre-flight as a list: an icon and a word for the status, a sentence, and the next step. */
import type { PreflightCheck } from '@recodery/contract/features/recoding/preflight';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import OctagonX from 'lucide-react/icons/octagon-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { type TextKey, useTexts } from '../../../i18n/texts.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Icon, type IconPart } from '../../../ui/display/icon.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { MisfitPanel } from './misfit/open-misfit.ts';
import { checkEntries, type CheckEntry, partsText } from './preflight-summary.ts';
import { hexAddress } from '../../../i18n/formats.ts';
import { checkText, correctedRules, type Words } from './preflight-text.ts';

type Status = PreflightCheck['status'];

/** The icon and color of each status; the color only repeats the icon and the word. */
export const statusLooks: Readonly<
  Record<Status, { readonly icon: IconPart; readonly ink: string }>
> = {
  green: { icon: CircleCheck, ink: 'text-good' },
  amber: { icon: TriangleAlert, ink: 'text-modified' },
  red: { icon: OctagonX, ink: 'text-bad' },
  unchecked: { icon: CircleDashed, ink: 'text-ink-3' },
};

/** The names of the fields of the identification that can be edited. */
const fieldLabels: Readonly<Record<string, TextKey>> = {
  hardwareVersion: 'recoding.information.hardwareVersion',
  softwareVersion: 'recoding.information.softwareVersion',
  softwareDate: 'recoding.information.softwareDate',
  spare: 'recoding.information.spare',
  system: 'recoding.information.system',
  engine: 'recoding.information.engine',
  vin: 'recoding.information.vin',
  serialNumber: 'recoding.information.serialNumber',
};

/** What the sentences of the checks are built from. */
export function useWords(): Words {
  const { t, language } = useTexts();
  const [now] = useState(() => new Date());
  const labelOf = (field: string): string => {
    const label = fieldLabels[field];
    return label === undefined ? field : t(label);
  };
  return { t, language, now, labelOf };
}

/** Where each checksum is, and its old and new value. */
function Corrections({ check }: { readonly check: Extract<PreflightCheck, { id: 'checksums' }> }) {
  return (
    <ul className="mt-1 flex flex-col gap-0.5 font-mono text-xs text-ink-2">
      {correctedRules(check).flatMap(({ rule, places }) =>
        places.map(({ at, shownAt, before, after }) => (
          <li key={`${rule} ${at}`} className="wrap-anywhere">
            {`${rule} · ${hexAddress(shownAt)} · ${before} → ${after}`}
          </li>
        )),
      )}
    </ul>
  );
}

/** The single image of an OBD read needs no name; its original does. */
const hasName = (part: string): boolean => part !== 'modified';

interface LineProps extends Pick<PreflightLinesProps, 'all' | 'canRepair'> {
  readonly entry: CheckEntry;
}

function Line({ entry: { check, parts }, all, canRepair = false }: LineProps) {
  const words = useWords();
  const { t, language } = words;
  const { sentence, next } = checkText(words, check, all);
  const { icon, ink } = statusLooks[check.status];
  const named = parts.filter(hasName);
  return (
    <li className="flex gap-3 py-1.5">
      <Icon of={icon} size={18} className={classNames('mt-px', ink)} />
      <div className="min-w-0 flex-1 text-md">
        <p>
          <span className={classNames('font-semibold', ink)}>
            {t(`checks.word.${check.status}`)}
          </span>
          {named.length > 0 && (
            <span className="font-semibold"> · {partsText(t, language, named)}</span>
          )}
          {' · '}
          <LongText>{sentence}</LongText>
        </p>
        {next !== null && <p className="text-sm text-ink-2">{next}</p>}
        {canRepair && check.id === 'fit' && check.values !== null && check.part !== null && (
          <div className="mt-1">
            <MisfitPanel diagnosis={check.values} part={check.part} />
          </div>
        )}
        {check.id === 'checksums' && check.status === 'green' && <Corrections check={check} />}
      </div>
    </li>
  );
}

export interface PreflightLinesProps {
  readonly checks: readonly PreflightCheck[];
  /** All checks of the answer, with which the sentences must agree. */
  readonly all: readonly PreflightCheck[];
  /** Whether a file that does not fit is explained, with its repair; absent: no. */
  readonly canRepair?: boolean;
}

export function PreflightLines({ checks, all, canRepair = false }: PreflightLinesProps) {
  return (
    <ul>
      {checkEntries(checks).map((entry) => (
        <Line
          key={`${entry.check.id} ${entry.check.reason} ${entry.check.part}`}
          entry={entry}
          all={all}
          canRepair={canRepair}
        />
      ))}
    </ul>
  );
}

/** Why the checks block the encode, next to its button. */
export function PreflightReason({ checks }: Pick<PreflightLinesProps, 'checks'>) {
  const words = useWords();
  const red = checks.find(({ status }) => status === 'red');
  if (red === undefined) return null;
  const { sentence } = checkText(words, red, checks);
  return (
    <p className="flex items-start gap-2 text-md text-bad sm:justify-end">
      <Icon of={OctagonX} size={18} className="mt-px" />
      <span>{words.t('checks.blocked', { reason: sentence })}</span>
    </p>
  );
}
