/** Why a file does not fit, in one or two sentences, and what its repair does; pure. */
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { bytesText, hexAddress, numberText } from '../../i18n/formats.ts';
import type { Language } from '../../i18n/languages.ts';
import type { TextKey, TextOf } from '../../i18n/texts.ts';
import { lookOf } from '../recoding/families/part-look.ts';

export interface MisfitWords {
  readonly t: TextOf;
  readonly language: Language;
}

type Details = Diagnosis['details'];

/** A diagnosis, of whose repair matters only whether there is one. */
export interface Explanation extends Pick<Diagnosis, 'kind' | 'details'> {
  readonly repair: object | null;
}

/** The names of text formats that are the same in every language. */
const formatNames: Readonly<Partial<Record<Diagnosis['kind'], string>>> = {
  'intel-hex': 'Intel HEX',
  's-record': 'S-record',
  'ti-txt': 'TI-TXT',
  base64: 'Base64',
};

/** Bytes of several spans together. */
export function lengthOf(spans: readonly { readonly length: number }[] = []): number {
  return spans.reduce((sum, { length }) => sum + length, 0);
}

function transformed({ t }: MisfitWords, { transformation }: Details): string[] {
  return transformation === undefined ? [] : [t(`misfit.${transformation}`)];
}

function componentSentence({ t }: MisfitWords, { component = '' }: Details): string {
  return t('misfit.other-component', { component: t(lookOf(component).label) });
}

/** What is wrong with the content of a text, or with the file as another component. */
function contentSentences(words: MisfitWords, { details, repair }: Explanation): string[] {
  const { content, ...facts } = details;
  return content ? sentencesOf(words, { kind: content, details: facts, repair }) : [];
}

function formatSentences(words: MisfitWords, { kind, details, repair }: Explanation): string[] {
  const { t, language } = words;
  const format = formatNames[kind] ?? t(`misfit.format.${kind}` as TextKey);
  const { fault, missing, filled, outside, content } = details;
  const first = t('misfit.format', { format });
  if (fault) {
    const line = numberText(fault.line, language);
    return [
      first,
      t(fault.problem === 'checksum' ? 'misfit.line.checksum' : 'misfit.line', { line }),
    ];
  }
  if (details.component) return [first, componentSentence(words, details)];
  const bytes = (spans: Details['missing']) => bytesText(lengthOf(spans), language);
  if (missing) return [first, t('misfit.format.missing', { bytes: bytes(missing) })];
  if (outside?.[0])
    return [first, t('misfit.format.outside', { address: hexAddress(outside[0].offset) })];
  if (filled) return [first, t('misfit.format.filled', { bytes: bytes(filled) })];
  if (content) return [first, ...contentSentences(words, { kind, details, repair })];
  return [first, t(repair === null ? 'misfit.format.other' : 'misfit.format.whole')];
}

function copiesSentences({ t, language }: MisfitWords, { copies }: Details): string[] {
  const { count = 2, changed = [] } = copies ?? {};
  const [only] = changed;
  const number = numberText(count, language);
  const how =
    only === undefined
      ? t('misfit.repeated.equal')
      : changed.length > 1
        ? t('misfit.repeated.many')
        : t('misfit.repeated.one', { number: numberText(only + 1, language) });
  return [t('misfit.repeated', { number }), how];
}

function piecesSentences({ t, language }: MisfitWords, { lost }: Details): string[] {
  if (lost === undefined) return [t('misfit.pieces')];
  const bytes = bytesText(Math.abs(lost), language);
  return [t(lost > 0 ? 'misfit.pieces.lost' : 'misfit.pieces.inserted', { bytes })];
}

/** The values of an identification in one line. */
function idText(values: Readonly<Record<string, string>> | null): string | null {
  return values && Object.values(values).filter(Boolean).join(' · ');
}

function softwareSentences({ t }: MisfitWords, { identification }: Details): string[] {
  const file = idText(identification?.file ?? null);
  const expected = idText(identification?.read ?? null);
  const first = t('misfit.other-software');
  return file && expected ? [first, t('misfit.other-software.ids', { file, expected })] : [first];
}

/** What is wrong with a file, in one or two sentences. */
export function sentencesOf(words: MisfitWords, diagnosis: Explanation): string[] {
  const { t, language } = words;
  const { kind, details, repair } = diagnosis;
  switch (kind) {
    case 'archive':
      return [t(repair === null ? 'misfit.archive' : 'misfit.archive.image')];
    case 'intel-hex':
    case 's-record':
    case 'ti-txt':
    case 'hex-dump':
    case 'base64':
    case 'c-array':
      return formatSentences(words, diagnosis);
    case 'erased':
      return [
        t('misfit.erased', {
          value: (details.fill ?? 0xff).toString(16).padStart(2, '0').toUpperCase(),
        }),
      ];
    case 'line-ends':
    case 'utf-8':
    case 'utf-16':
    case 'seven-bit':
      return [
        t('misfit.as-text'),
        t(details.isReversible ? 'misfit.as-text.undo' : 'misfit.as-text.lost'),
      ];
    case 'repeated':
      return [...copiesSentences(words, details), ...transformed(words, details)];
    case 'pieces':
      return piecesSentences(words, details);
    case 'swapped':
    case 'inverted':
    case 'bit-order':
      return transformed(words, details);
    case 'inside':
    case 'partial': {
      const spans = kind === 'inside' ? details.outside : details.missing;
      const bytes = bytesText(lengthOf(spans), language);
      return [t(`misfit.${kind}`, { bytes }), ...transformed(words, details)];
    }
    case 'shifted': {
      const bytes = bytesText(Math.abs(details.shift ?? 0), language);
      return [t('misfit.shifted', { bytes }), ...transformed(words, details)];
    }
    case 'every-second-byte':
      return [t(`misfit.${details.lane ?? 'even'}`)];
    case 'other-component':
      return [componentSentence(words, details), ...contentSentences(words, diagnosis)];
    case 'erased-part': {
      const bytes = bytesText(lengthOf(details.missing), language);
      const address = hexAddress(details.missing?.[0]?.offset ?? 0);
      return [t('misfit.erased-part', { bytes, address })];
    }
    case 'other-software':
      return softwareSentences(words, details);
    default:
      return [t(`misfit.${kind}`)];
  }
}

/** The kinds whose repair is a part of the file. */
const parts: readonly Diagnosis['kind'][] = ['repeated', 'inside', 'archive'];

/** The button of a repair. */
export function repairText({ t }: MisfitWords, { kind, details, repair }: Diagnosis): string {
  if (details.component !== undefined) {
    return t('misfit.put', { component: t(lookOf(details.component).label) });
  }
  if (repair?.isLossless === false) return t('misfit.fill');
  if (kind === 'swapped') return t('misfit.swap');
  return t(parts.includes(kind) ? 'misfit.use' : 'misfit.convert');
}
