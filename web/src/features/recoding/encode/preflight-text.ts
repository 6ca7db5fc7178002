/** The text of each check of a pre-flight: one sentence, and the next step if there is one; pure. */
import type { PreflightCheck } from '@recodery/contract/features/preflight';
import { listText, numberText, percentText, sizeText, timeText } from '../../../i18n/formats.ts';
import type { Language } from '../../../i18n/languages.ts';
import type { TextKey, TextOf } from '../../../i18n/texts.ts';

/** What the sentences are built from. `labelOf`: the page's name for a field of the identification. */
export interface Words {
  readonly t: TextOf;
  readonly language: Language;
  readonly now: Date;
  readonly labelOf: (field: string) => string;
}

export interface CheckText {
  readonly sentence: string;
  /** Null if nothing needs to be done. */
  readonly next: string | null;
}

/** An address in an image, as a hex editor shows it. */
export function addressText(offset: number): string {
  return `0x${offset.toString(16).toUpperCase()}`;
}

type CheckOf<Id extends PreflightCheck['id']> = Extract<PreflightCheck, { id: Id }>;

/** The rules that an encode corrects, and those that stay wrong. */
function rulesOf({ values }: CheckOf<'checksums'>, state: 'corrected' | 'wrong') {
  return (values?.rules ?? []).filter((rule) => rule.state === state);
}

/** The rules that the encode corrects. */
export function correctedRules(check: CheckOf<'checksums'>) {
  return rulesOf(check, 'corrected');
}

function checksumsText({ t, language }: Words, check: CheckOf<'checksums'>): CheckText {
  const names = (rules: readonly { readonly rule: string }[]) =>
    listText(
      rules.map(({ rule }) => rule),
      language,
    );
  switch (check.status) {
    case 'red':
      return {
        sentence: t('checks.checksums.red', { rules: check.error?.detail ?? '' }),
        next: t('checks.checksums.next'),
      };
    case 'amber': {
      const wrong = rulesOf(check, 'wrong');
      return {
        sentence: t('checks.checksums.amber', { count: wrong.length, rules: names(wrong) }),
        next: t('checks.checksums.look'),
      };
    }
    default: {
      const count = correctedRules(check).length;
      const isRight = check.status === 'unchecked' || count === 0;
      const sentence = isRight
        ? t(`checks.checksums.${check.status}`)
        : t('checks.checksums.corrected', { count });
      return { sentence, next: null };
    }
  }
}

function cvnText({ t }: Words, { status, values }: CheckOf<'cvn'>): CheckText {
  if (status === 'red') {
    const correct = t('recoding.correctCVN');
    return { sentence: t('checks.cvn.red'), next: t('checks.cvn.next', { correct }) };
  }
  if (values === null) return { sentence: t('checks.cvn.unchecked'), next: null };
  const { original, encoded } = values;
  const [before, after] = [original, encoded].map((cvn) => cvn.toUpperCase());
  return {
    sentence:
      original === encoded
        ? t('checks.cvn.green', { cvn: after })
        : t('checks.cvn.changes', { before, after }),
    next: status === 'amber' ? t('checks.cvn.look', { skip: t('recoding.skipChecksum') }) : null,
  };
}

function changedText({ t, language }: Words, check: CheckOf<'much-changed'>): CheckText {
  const { status, values } = check;
  const { bytes = 0, fraction = 0, calibration = null } = values ?? {};
  if (status !== 'amber') {
    const sentence = t('checks.much-changed.green', { bytes: numberText(bytes, language) });
    return { sentence, next: null };
  }
  // the larger of the two shares is the unusual one
  const isCalibration = calibration !== null && calibration > fraction;
  const share = percentText(isCalibration ? calibration : fraction, language);
  return {
    sentence: t(isCalibration ? 'checks.much-changed.calibration' : 'checks.much-changed.amber', {
      share,
    }),
    next: t('checks.much-changed.look'),
  };
}

function outsideText({ t, language }: Words, check: CheckOf<'outside-calibration'>): CheckText {
  const { status, values } = check;
  if (status !== 'amber' || values === null) {
    const isGreen = status === 'green';
    const sentence = t(
      isGreen ? 'checks.outside-calibration.green' : 'checks.outside-calibration.unchecked',
    );
    return { sentence, next: null };
  }
  const { bytes, protectedBytes, spans } = values;
  return {
    sentence: t('checks.outside-calibration.amber', {
      bytes: numberText(bytes, language),
      address: addressText(spans[0]?.offset ?? 0),
    }),
    next: t(
      protectedBytes > 0
        ? 'checks.outside-calibration.protected'
        : 'checks.outside-calibration.look',
    ),
  };
}

function knownText({ t, now }: Words, { values }: CheckOf<'known-elsewhere'>): CheckText {
  const newest = values?.newest ?? null;
  if (newest === null) return { sentence: t('checks.known-elsewhere.green'), next: null };
  const date = timeText(newest.decodedOn, now);
  return {
    sentence: t('checks.known-elsewhere.amber', { file: newest.readFileName, date }),
    next: t('checks.known-elsewhere.look'),
  };
}

function overwrittenText({ t, language }: Words, check: CheckOf<'overwritten'>): CheckText {
  const { bytes = 0, rules = [] } = check.values ?? {};
  const filled = { bytes: numberText(bytes, language), rules: listText(rules, language) };
  const step = { green: null, unchecked: null, amber: 'look', red: 'next' } as const;
  const next = step[check.status];
  return {
    sentence: t(`checks.overwritten.${check.status}`, filled),
    next: next && t(`checks.overwritten.${next}`),
  };
}

/** The checks whose sentence depends only on their status and a few values. */
function plainText(words: Words, check: PreflightCheck): CheckText {
  const { t, language, labelOf } = words;
  const { id, status } = check;
  const fields =
    id === 'identification' ? (check.values?.changed ?? []).map(({ name }) => labelOf(name)) : [];
  const size = id === 'size' ? sizeText(check.values?.actual ?? 0, language) : '';
  const bytes = id === 'already-tuned' ? numberText(check.values?.bytes ?? 0, language) : '';
  const filled = { fields: listText(fields, language), size, bytes };
  const step = { green: null, unchecked: null, amber: 'look', red: 'next' }[status];
  return {
    // checks.json has a text for every id and status that the server combines
    sentence: t(`checks.${id}.${status}` as TextKey, filled),
    next: step && t(`checks.${id}.${step}` as TextKey),
  };
}

/** The text of a check. */
export function checkText(words: Words, check: PreflightCheck): CheckText {
  const { reason } = check;
  // the texts of these name the engine, the library and the size
  const hasOwn = reason === 'engine-does-not-report' || reason === 'no-original-in-library';
  if (reason !== null && !hasOwn && check.id !== 'size')
    return { sentence: words.t(`checks.reason.${reason}`), next: null };
  switch (check.id) {
    case 'overwritten':
      return overwrittenText(words, check);
    case 'checksums':
      return checksumsText(words, check);
    case 'cvn':
      return cvnText(words, check);
    case 'much-changed':
      return changedText(words, check);
    case 'outside-calibration':
      return outsideText(words, check);
    case 'known-elsewhere':
      return knownText(words, check);
    default:
      return plainText(words, check);
  }
}
