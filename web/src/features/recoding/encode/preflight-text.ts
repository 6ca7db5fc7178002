/** The text of each check of a pre-flight: one sentence, and the next step if there is one; pure. */
import type { PreflightCheck } from '@recodery/contract/features/recoding/preflight';
import {
  hexAddress,
  listText,
  numberText,
  shareText,
  sizeText,
  timeText,
} from '../../../i18n/formats.ts';
import type { Language } from '../../../i18n/languages.ts';
import { lookOf } from '../families/part-look.ts';
import { currentLanguage, type TextKey, type TextOf } from '../../../i18n/texts.ts';

/** What the sentences are built from. `labelOf`: the page's name for a field of the identification. */
export interface Words {
  readonly t: TextOf;
  readonly language: Language;
  readonly now: Date;
  readonly labelOf: (field: string) => string;
}

export interface CheckText {
  readonly sentence: string;
  /** What to do, or why it was not checked; null if there is nothing to say. */
  readonly next: string | null;
}

type Id = PreflightCheck['id'];
type CheckOf<One extends Id> = Extract<PreflightCheck, { id: One }>;
type Checks = readonly PreflightCheck[];

const plain = (sentence: string): CheckText => ({ sentence, next: null });

/** The rules that an encode corrects, and those that stay wrong. */
function rulesOf({ values }: CheckOf<'checksums'>, state: 'corrected' | 'wrong' | 'right') {
  return (values?.rules ?? []).filter((rule) => rule.state === state);
}

/** The rules that the encode corrects. */
export function correctedRules(check: CheckOf<'checksums'>) {
  return rulesOf(check, 'corrected');
}

function checksumsText({ t, language }: Words, check: CheckOf<'checksums'>): CheckText {
  const wrong = rulesOf(check, 'wrong');
  if (check.status === 'red') {
    const rules = check.error?.detail;
    return {
      sentence: rules ? t('checks.checksums.red', { rules }) : t('checks.checksums.redUnnamed'),
      next: t('checks.checksums.next'),
    };
  }
  if (check.status === 'amber') {
    const rules = listText(
      wrong.map(({ rule }) => rule),
      language,
    );
    return {
      sentence: t('checks.checksums.amber', { count: wrong.length, rules }),
      next: t('checks.checksums.look'),
    };
  }
  const count = correctedRules(check).length;
  if (count > 0) return plain(t('checks.checksums.corrected', { count }));
  const isOff = rulesOf(check, 'right').length === 0 && (check.values?.rules.length ?? 0) > 0;
  return plain(t(isOff ? 'checks.checksums.off' : 'checks.checksums.green'));
}

/** The parts of a scheme in one sentence. */
function knownParts({ language }: Words, parts: readonly { readonly name: string }[]): string {
  return listText(
    parts.map(({ name }) => name),
    language,
  );
}

/** What is doubtful about the checksums of a real control unit: the most important sentence comes first. */
function knownDoubts(
  words: Words,
  values: NonNullable<CheckOf<'known-checksums'>['values']>,
): readonly string[] {
  const { t } = words;
  const { scheme, signature, parts, lost } = values;
  const doubts: string[] = [];
  const add = (key: TextKey, found: readonly { readonly name: string }[]): void => {
    if (found.length > 0) doubts.push(t(key, { scheme, parts: knownParts(words, found) }));
  };
  const key = 'checks.known-checksums';
  if (signature === 'wrong') doubts.push(t(`${key}.signed`, { scheme }));
  const wrong = parts.filter(({ state }) => state === 'wrong');
  const isOld = wrong.length > 0 && wrong.every(({ wasWrong }) => wasWrong);
  add(isOld ? `${key}.wasWrong` : `${key}.amber`, wrong);
  add(
    `${key}.off`,
    parts.filter(({ state }) => state === 'off'),
  );
  const names = lost.map((name) => ({ name }));
  add(`${key}.changed`, [...parts.filter(({ isTableChanged }) => isTableChanged), ...names]);
  const open = parts.filter(({ state }) => state === 'not-checked');
  add(`${key}.open`, signature === 'not-checked' ? [...open, { name: 'Signature' }] : open);
  return doubts;
}

function knownChecksumsText(words: Words, check: CheckOf<'known-checksums'>): CheckText {
  const { t } = words;
  const { status, values } = check;
  const key = 'checks.known-checksums';
  const correct = t('recoding.correctChecksums');
  if (status === 'red' || values === null)
    return { sentence: t(`${key}.red`), next: t(`${key}.next`, { correct }) };
  const { scheme, isProved, parts, signature, canCorrect } = values;
  const experimental = isProved ? null : t(`${key}.experimental`);
  if (status === 'amber') {
    const doubts = knownDoubts(words, values);
    // a scheme that was never tried on a real image is doubtful even if everything is right
    const [first = t(`${key}.green`, { scheme }), second] = doubts;
    const isWrong = parts.some(({ state }) => state === 'wrong');
    const other = signature === null ? 'checks.checksums.look' : `${key}.sealed`;
    return {
      sentence: second === undefined ? first : t('ui.sentences', { first, second }),
      next: experimental ?? (isWrong && canCorrect ? t(`${key}.look`, { correct }) : t(other)),
    };
  }
  const corrected = parts.filter(({ state }) => state === 'corrected');
  return corrected.length > 0
    ? plain(t(`${key}.corrected`, { scheme, parts: knownParts(words, corrected) }))
    : { sentence: t(`${key}.green`, { scheme }), next: experimental };
}

function cvnText({ t }: Words, { status, values }: CheckOf<'cvn'>): CheckText {
  if (status === 'red' || values === null) {
    const correct = t('recoding.correctCVN');
    return { sentence: t('checks.cvn.red'), next: t('checks.cvn.next', { correct }) };
  }
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
    return plain(
      bytes === 0
        ? t('checks.much-changed.none')
        : t('checks.much-changed.green', {
            bytes: numberText(bytes, language),
            share: shareText(fraction, language),
          }),
    );
  }
  // the larger of the two shares is the unusual one
  const isCalibration = calibration !== null && calibration > fraction;
  const share = shareText(isCalibration ? calibration : fraction, language);
  return {
    sentence: t(isCalibration ? 'checks.much-changed.calibration' : 'checks.much-changed.amber', {
      share,
    }),
    next: t('checks.much-changed.look'),
  };
}

function outsideText({ t, language }: Words, check: CheckOf<'outside-calibration'>): CheckText {
  const { bytes = 0, protectedBytes = 0, hasCalibration = true, spans = [] } = check.values ?? {};
  const { identificationBytes = 0, checksumBytes = 0 } = check.values ?? {};
  const hasFields = identificationBytes + checksumBytes > 0;
  const key = 'checks.outside-calibration';
  if (bytes === 0) {
    if (!hasCalibration) return plain(t(`${key}.greenProtected`));
    return plain(t(hasFields ? `${key}.greenFields` : `${key}.green`));
  }
  const values = {
    bytes: numberText(bytes, language),
    address: hexAddress(spans[0]?.offset ?? 0),
  };
  // all of them are protected: the sentence says so
  if (protectedBytes === bytes || !hasCalibration)
    return { sentence: t(`${key}.amberProtected`, values), next: t('checks.identification.look') };
  return {
    sentence: t(hasFields ? `${key}.amberFields` : `${key}.amber`, values),
    next:
      protectedBytes > 0
        ? t(`${key}.protected`, { bytes: numberText(protectedBytes, language) })
        : t(`${key}.look`),
  };
}

function knownText({ t, now }: Words, { values }: CheckOf<'known-elsewhere'>): CheckText {
  const { newest = null, otherPart = null } = values ?? {};
  if (otherPart !== null) {
    const part = t(lookOf(otherPart).label);
    return {
      sentence: t('checks.known-elsewhere.own', { part }),
      next: t('checks.size.next'),
    };
  }
  if (newest === null) return plain(t('checks.known-elsewhere.green'));
  const date = timeText(newest.decodedOn, now, currentLanguage());
  return {
    sentence: t('checks.known-elsewhere.amber', { file: newest.readFileName, date }),
    next: t('checks.known-elsewhere.look'),
  };
}

function overwrittenText({ t, language }: Words, check: CheckOf<'overwritten'>): CheckText {
  const { bytes = 0, spans = [], rules = [] } = check.values ?? {};
  const names = listText(rules, language) || (check.error?.detail ?? '—');
  if (check.status === 'red') {
    const sentence = t('checks.overwritten.red', { rules: names });
    return { sentence, next: t('checks.overwritten.next') };
  }
  if (check.status === 'green') return plain(t('checks.overwritten.green'));
  return {
    sentence: t('checks.overwritten.amber', {
      bytes: numberText(bytes, language),
      address: hexAddress(spans[0]?.offset ?? 0),
      rules: names,
    }),
    next: t('checks.overwritten.look'),
  };
}

/** Why a file may not be the original. */
function doubtOf(
  { t, language }: Pick<Words, 't' | 'language'>,
  { bytes, isModified, rules }: NonNullable<CheckOf<'original'>['values']>,
): string {
  if (isModified) return t('checks.original.same');
  // a read without the image leaves only the original's own checksums; otherwise, those of the read are checked with it
  if (bytes === null) return t('checks.original.wrongRules', { rules: listText(rules, language) });
  return bytes === 0
    ? t('checks.original.rules', { rules: listText(rules, language) })
    : t('checks.original.differs', { bytes: numberText(bytes, language) });
}

function originalText({ t, language }: Words, check: CheckOf<'original'>): CheckText {
  const { status, values } = check;
  if (status !== 'amber' || values === null) {
    if (status === 'red')
      return { sentence: t('checks.original.red'), next: t('checks.original.next') };
    return plain(t('checks.original.green'));
  }
  return {
    sentence: doubtOf({ t, language }, values),
    next: t('checks.original.look'),
  };
}

/** Whether the modified file is compared with the uploaded original, because the read does not contain the image. */
function isAgainstOriginal(all: Checks): boolean {
  const original = all.find((check) => check.id === 'original');
  if (original === undefined || original.status === 'red') return false;
  return original.values === null || original.values.bytes === null;
}

/** Whether the encode changes an image that the user did not change. */
function isCorrected(all: Checks, part: string | null): boolean {
  return all.some(
    (check) => check.id === 'checksums' && check.part === part && correctedRules(check).length > 0,
  );
}

function identicalText({ t }: Words, check: CheckOf<'identical'>, all: Checks): CheckText {
  const isOriginal = isAgainstOriginal(all);
  if (check.status === 'green')
    return plain(t(isOriginal ? 'checks.identical.originalGreen' : 'checks.identical.green'));
  const first = t(isOriginal ? 'checks.identical.originalAmber' : 'checks.identical.amber');
  const second = isCorrected(all, check.part)
    ? t('checks.identical.onlyChecksums')
    : t('checks.identical.nothing');
  return { sentence: t('ui.sentences', { first, second }), next: t('checks.identical.look') };
}

/** What it means that a check could not be made, and why it could not. */
function uncheckedText({ t }: Words, { id, reason }: PreflightCheck): CheckText {
  // a vendor's service may correct them, but does not say so
  const isUnknown = id === 'checksums' && reason === 'engine-does-not-report';
  return {
    // checks.json has a text for every check that can be left out
    sentence: t(isUnknown ? 'checks.checksums.unknown' : (`checks.${id}.unchecked` as TextKey)),
    next: reason && t(`checks.reason.${reason}`),
  };
}

/** Fields that only differ in an image of other software; a user who edits an image changes other ones. */
const identifying = ['family', 'hardware', 'software', 'program', 'calibration', 'partNumber'];

function identificationText(words: Words, check: CheckOf<'identification'>): CheckText {
  const changed = check.values?.changed ?? [];
  if (!changed.some(({ name }) => identifying.includes(name))) return plainText(words, check);
  const { t, language } = words;
  const changes = changed.map(({ before, after }) => `${before ?? '–'} → ${after ?? '–'}`);
  return {
    sentence: t('checks.identification.amberOther', { changes: listText(changes, language) }),
    next: t('checks.identification.next'),
  };
}

/** The checks whose sentence depends only on their status and a few values. */
function plainText(words: Words, check: PreflightCheck): CheckText {
  const { t, language, labelOf } = words;
  const { id, status } = check;
  const fields =
    id === 'identification' ? (check.values?.changed ?? []).map(({ name }) => labelOf(name)) : [];
  const rules = id === 'read-checksums' ? (check.values?.rules ?? []) : [];
  const size = id === 'size' ? sizeText(check.values?.actual ?? 0, language) : '';
  const bytes = id === 'already-tuned' ? numberText(check.values?.bytes ?? 0, language) : '';
  const filled = {
    ...{ size, bytes },
    fields: listText(fields, language),
    rules: listText(rules, language),
  };
  const step = { green: null, unchecked: null, amber: 'look', red: 'next' }[status];
  return {
    // checks.json has a text for every id and status that the server combines
    sentence: t(`checks.${id}.${status}` as TextKey, filled),
    next: step && t(`checks.${id}.${step}` as TextKey),
  };
}

/** The comparison with an original that a user keeps: what is certain is who kept it, not that it was never tuned. */
function tunedText(words: Words, check: CheckOf<'already-tuned'>): CheckText {
  const plain = plainText(words, check);
  if (!check.values?.kept) return plain;
  const { t, language, now } = words;
  const { bytes, kept } = check.values;
  const values = {
    facts: [timeText(kept.keptOn, now, language), kept.keptBy].filter(Boolean).join(' · '),
    bytes: numberText(bytes, language),
  };
  const key = `checks.already-tuned.kept${bytes === 0 ? 'Green' : 'Amber'}` as const;
  return { ...plain, sentence: t(key, values) };
}

/** The text of a check. `all`: the checks of its answer, with which the sentence must agree. */
export function checkText(words: Words, check: PreflightCheck, all: Checks): CheckText {
  if (check.status === 'unchecked') return uncheckedText(words, check);
  switch (check.id) {
    case 'identification':
      return identificationText(words, check);
    case 'checksums':
      return checksumsText(words, check);
    case 'known-checksums':
      return knownChecksumsText(words, check);
    case 'cvn':
      return cvnText(words, check);
    case 'much-changed':
      return changedText(words, check);
    case 'outside-calibration':
      return outsideText(words, check);
    case 'already-tuned':
      return tunedText(words, check);
    case 'known-elsewhere':
      return knownText(words, check);
    case 'overwritten':
      return overwrittenText(words, check);
    case 'original':
      return originalText(words, check);
    case 'identical':
      return identicalText(words, check, all);
    default:
      return plainText(words, check);
  }
}
