/** The contents of each step of a file's workflow, as the strip shows them. */
import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import PenLine from 'lucide-react/icons/pen-line';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { sizeText } from '../../../i18n/formats.ts';
import type { Language } from '../../../i18n/languages.ts';
import type { TextKey, TextOf } from '../../../i18n/texts.ts';
import type { ProgressStep, StepState } from '../../../ui/display/progress-strip.tsx';
import type { DecodedRead } from '../decoded-read.ts';
import { type Encode, isOpen } from './state/encode-flow.ts';
import { operationOf } from '../fault.ts';
import { isModified } from './part-state-text.ts';
import type { Flow } from './state/recoding-flow.ts';

type Place = readonly [state: StepState, detail: string | null];
/** Read file, decoded, modified, encoded. */
type Places = readonly [Place, Place, Place, Place];

const ahead: Place = ['waiting', null];

/** The text under "modified": the file name for an image, the number of files for components. */
function modifiedDetail(t: TextOf, read: DecodedRead, encode: Encode): string {
  const { parts } = encode.inputs;
  if (read.shape === 'image') {
    const part = parts['modified'];
    if (part?.at === 'complete') return part.file.name;
    return t(isOpen(encode) ? 'recoding.progress.waiting' : 'recoding.state.asDecoded');
  }
  const count = Object.values(parts).filter(isModified).length;
  return t('recoding.progress.modified', { modified: count, all: read.parts.length });
}

function decodedDetail(t: TextOf, read: DecodedRead, language: Language): string {
  if (read.shape === 'components')
    return t('recoding.progress.components', { count: read.parts.length });
  if (!read.decodedFile) return t('recoding.progress.noImage');
  const { size } = read.decodedFile;
  return size === null ? t('recoding.progress.done') : sizeText(size, language);
}

function encodedPlace(t: TextOf, encode: Encode): Place {
  switch (encode.at) {
    case 'preparing':
    case 'addressing':
      return ahead;
    case 'requesting':
    case 'encoding':
      return ['current', t('recoding.encoding')];
    case 'encoded':
      return ['done', encode.result.name];
    case 'sent':
      return encode.news === null
        ? ['current', t('recoding.encoding')]
        : ['done', encode.news.targetURLFileName ?? encode.mailTo];
    case 'failed':
      return ['failed', t('recoding.progress.failed')];
  }
}

/** The last two steps, by the state of the encode step. */
function encodePlaces(t: TextOf, encode: Encode, modified: string | null): readonly [Place, Place] {
  return [[isOpen(encode) ? 'current' : 'done', modified], encodedPlace(t, encode)];
}

function progressOf(t: TextOf, flow: Flow, language: Language): Places {
  switch (flow.at) {
    case 'choosing':
      return [['current', t('recoding.progress.waiting')], ahead, ahead, ahead];
    case 'uploading':
      return [['current', flow.file.name], ahead, ahead, ahead];
    case 'decoding':
      return [['done', flow.file?.name ?? null], ['current', t('recoding.decoding')], ahead, ahead];
    case 'failed': {
      const name = flow.file?.name ?? null;
      const hasRun = operationOf(flow.fault) !== null;
      return hasRun
        ? [['done', name], ['failed', t('recoding.progress.failed')], ahead, ahead]
        : [['failed', name], ahead, ahead, ahead];
    }
    case 'resumed':
      return [['done', null], ['done', null], ...encodePlaces(t, flow.encode, null)];
    case 'decoded': {
      const { read, encode } = flow;
      return [
        ['done', read.readFile.name],
        ['done', decodedDetail(t, read, language)],
        ...encodePlaces(t, encode, modifiedDetail(t, read, encode)),
      ];
    }
  }
}

/** The four steps of the strip. */
export function progressSteps(t: TextOf, flow: Flow, language: Language): ProgressStep[] {
  const [read, decoded, modified, encoded] = progressOf(t, flow, language);
  const step = (
    id: string,
    label: TextKey,
    icon: ProgressStep['icon'],
    [state, detail]: Place,
  ): ProgressStep => ({ id, label: t(label), icon, state, detail });
  return [
    step('read', 'recoding.progress.readFile', Lock, read),
    step('decoded', 'recoding.progress.decoded', LockOpen, decoded),
    step('modified', 'recoding.progress.modifiedFile', PenLine, modified),
    step('encoded', 'recoding.progress.encoded', ShieldCheck, encoded),
  ];
}
