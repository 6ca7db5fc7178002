/** Verifies and corrects the checksums of an image, as its protocol's scheme says. */

import { type Calculation, calculate, type Meter, newMeter } from './calculate.ts';
import { type Finding, isDisabled, judge, type Write, writePlaces } from './judge.ts';
import { bytesOf } from './numbers.ts';
import { mergeRanges, rulesAtMost, tablePlaces, touches } from './ranges.ts';
import type { ChecksumRule, ChecksumScheme, Range } from './scheme.ts';
import { CodecError } from '../errors.ts';

export type { ChecksumRule, ChecksumScheme } from './scheme.ts';

/**
 * What became of a rule: right · wrong · asleep by a condition in the image · in need of the original, which is not
 * here · impossible in this image (ranges outside it, a broken table, over the bounds). Values are hexadecimal.
 */
export interface RuleReport {
  readonly rule: string;
  readonly state: 'ok' | 'mismatch' | 'disabled' | 'uncheckable' | 'invalid';
  readonly stored?: string;
  readonly calculated?: string;
}

/** A correction takes at most so many passes over the rules. */
const passesAtMost = 4;

/** One image with its rules, and what has been calculated of it so far. */
interface Examination {
  readonly image: Uint8Array;
  meter: Meter;
  readonly calculations: Map<ChecksumRule, Known | null>;
}

/** What was calculated, and of which bytes: it holds until one of them is written. */
interface Known extends Calculation {
  readonly inputs: readonly Range[];
}

function examine(image: Uint8Array): Examination {
  return { image, meter: newMeter(image.length), calculations: new Map() };
}

/** What a rule calculates over the image; done once until something that it reads is written. */
function calculated(examination: Examination, rule: ChecksumRule): Known | null {
  const { image, meter, calculations } = examination;
  const known = calculations.get(rule);
  if (known !== undefined) {
    return known;
  }
  const calculation = calculate(rule, image, meter);
  const fresh = calculation && {
    ...calculation,
    inputs: inputsOf(rule, image, calculation.ranges),
  };
  calculations.set(rule, fresh);
  return fresh;
}

function judgeRule(rule: ChecksumRule, now: Examination, original: Examination | null): Finding {
  if (isDisabled(rule, now.image)) {
    return { state: 'disabled' };
  }
  if (rule.needsOriginal && original === null) {
    return { state: 'uncheckable' };
  }
  const calculation = calculated(now, rule);
  if (calculation === null) {
    return { state: 'invalid' };
  }
  const before = rule.needsOriginal && original ? calculated(original, rule) : null;
  return judge(
    rule,
    { image: now.image, calculation },
    before && original && { image: original.image, calculation: before },
  );
}

function report(rule: ChecksumRule, finding: Finding): RuleReport {
  const { state } = finding;
  const values =
    'stored' in finding && finding.stored !== undefined && finding.calculated !== undefined
      ? { stored: finding.stored, calculated: finding.calculated }
      : {};
  return { rule: rule.name, state, ...values };
}

/** An original of another size says nothing about this image. */
function examineOriginal(image: Uint8Array, original: Uint8Array | undefined): Examination | null {
  return original && original.length === image.length ? examine(original) : null;
}

function rulesOf(scheme: ChecksumScheme): readonly ChecksumRule[] {
  if (scheme.rules.length > rulesAtMost) {
    throw new RangeError(`a checksum scheme has at most ${rulesAtMost} rules`);
  }
  return scheme.rules;
}

/**
 * What each rule says about an image, in the scheme's order. Writes nothing. `original` is the untouched image of the
 * same size, for rules that need it; without it they are `uncheckable`.
 */
export function verifyChecksums(
  scheme: ChecksumScheme,
  image: Uint8Array,
  original?: Uint8Array,
): RuleReport[] {
  const now = examine(image);
  const before = examineOriginal(image, original);
  return rulesOf(scheme).map((rule) => report(rule, judgeRule(rule, now, before)));
}

/** Whether any rule of the scheme cannot be computed from a modified image alone. */
export function needsOriginal(scheme: ChecksumScheme): boolean {
  return scheme.rules.some((rule) => rule.needsOriginal === true);
}

/** Whether a report says that the image is wrong: a required rule that does not hold, or cannot be looked at. */
export function isChecksumFault(scheme: ChecksumScheme, { rule, state }: RuleReport): boolean {
  const isRequiredRule = scheme.rules.some(
    ({ name, required }) => name === rule && required !== false,
  );
  return isRequiredRule && (state === 'mismatch' || state === 'invalid');
}

/** The bytes of the image that decide what an awake rule says, its result's own place apart. */
function inputsOf(
  rule: ChecksumRule,
  image: Uint8Array,
  ranges: readonly Range[],
): readonly Range[] {
  const { algorithm, result } = rule;
  const signature: Range[] =
    algorithm.kind === 'signature' && result.kind === 'store-bytes'
      ? [{ at: result.at, length: algorithm.length }]
      : [];
  return mergeRanges([...ranges, ...tablePlaces(rule.ranges, image), ...signature]);
}

function outputsOf(rule: ChecksumRule, calculation: Calculation | null): readonly Range[] {
  if (calculation === null || typeof calculation.value === 'boolean') {
    return [];
  }
  const { value } = calculation;
  return writePlaces(rule, typeof value === 'bigint' ? 0 : value.length);
}

/**
 * The rules so that none comes before one whose result it covers. Rules in a circle keep their order; the passes that
 * follow bring them to rest or give up.
 */
function inOrder(rules: readonly ChecksumRule[], now: Examination): ChecksumRule[] {
  const waiting = rules.map((rule) => {
    const known = now.calculations.get(rule) ?? null;
    const condition = rule.disabledWhen;
    const woken = condition ? [{ at: condition.at, length: bytesOf(condition.type) }] : [];
    return {
      rule,
      inputs: mergeRanges([...(known?.inputs ?? []), ...woken]),
      outputs: outputsOf(rule, known),
    };
  });
  const ordered: ChecksumRule[] = [];
  while (waiting.length > 0) {
    const free = waiting.findIndex(
      ({ inputs }, index) =>
        !waiting.some(
          (other, place) => place !== index && other.outputs.some((at) => touches(inputs, at)),
        ),
    );
    for (const { rule } of waiting.splice(Math.max(free, 0), 1)) {
      ordered.push(rule);
    }
  }
  return ordered;
}

/** Writes, and forgets what was calculated of bytes that changed. */
function apply(writes: readonly Write[], { image, calculations }: Examination): void {
  for (const { at, bytes } of writes) {
    for (const [rule, calculation] of calculations) {
      if (calculation === null || touches(calculation.inputs, { at, length: bytes.length })) {
        calculations.delete(rule);
      }
    }
    image.set(bytes, at);
  }
}

const isRequired = (rule: ChecksumRule): boolean => rule.required !== false;

/** Refuses what no pass can mend: an impossible rule, or one that lacks its original. */
function refuseImpossible(
  findings: ReadonlyMap<ChecksumRule, Finding>,
  original: Uint8Array | undefined,
): void {
  const required = [...findings].filter(([rule]) => isRequired(rule));
  const names = (state: Finding['state']): string =>
    required
      .filter(([, finding]) => finding.state === state)
      .map(([rule]) => rule.name)
      .join(', ');
  if (names('invalid') !== '') {
    throw new CodecError('CHECKSUM_UNCORRECTABLE', names('invalid'));
  }
  if (names('uncheckable') !== '') {
    throw new CodecError(original ? 'ORI_MISMATCH' : 'ORI_MISSING', names('uncheckable'));
  }
}

/**
 * Brings every checksum of an image right, or refuses as a whole. Rules go by dependency and are judged again after
 * each write that touches what they read, in at most four passes. The image handed in is never written to; it is
 * handed back where nothing had to be corrected.
 * @throws CodecError CHECKSUM_UNCORRECTABLE (the rules' names) where a required rule is impossible, signed and wrong,
 * out of reach or never comes to rest; ORI_MISSING, ORI_MISMATCH where one needs an original of this size.
 */
export function correctChecksums(
  scheme: ChecksumScheme,
  image: Uint8Array,
  original?: Uint8Array,
): { image: Uint8Array; reports: RuleReport[] } {
  const rules = rulesOf(scheme);
  const before = examineOriginal(image, original);
  let now = examine(image);
  let findings = judgeAll(rules, now, before);
  refuseImpossible(findings, original);
  if (isAnyWrong(findings)) {
    // The copy starts with what was calculated of its source: the bytes are still the same.
    now = { ...now, image: image.slice() };
    const ordered = inOrder(rules, now);
    for (let pass = 0; pass < passesAtMost && isAnyWrong(findings); pass += 1) {
      now.meter = newMeter(image.length);
      correctOnce(ordered, now, before);
      findings = judgeAll(rules, now, before);
      refuseImpossible(findings, original);
    }
  }
  const wrong = [...findings].filter(
    ([rule, { state }]) => isRequired(rule) && state === 'mismatch',
  );
  if (wrong.length > 0) {
    throw new CodecError('CHECKSUM_UNCORRECTABLE', wrong.map(([rule]) => rule.name).join(', '));
  }
  return {
    image: now.image,
    reports: rules.map((rule) => report(rule, findings.get(rule) ?? { state: 'invalid' })),
  };
}

function judgeAll(
  rules: readonly ChecksumRule[],
  now: Examination,
  original: Examination | null,
): Map<ChecksumRule, Finding> {
  return new Map(rules.map((rule) => [rule, judgeRule(rule, now, original)]));
}

function isAnyWrong(findings: ReadonlyMap<ChecksumRule, Finding>): boolean {
  return [...findings.values()].some(({ state }) => state === 'mismatch');
}

/** One pass: each rule that is wrong by now gets what makes it right. */
function correctOnce(
  ordered: readonly ChecksumRule[],
  now: Examination,
  original: Examination | null,
): void {
  for (const rule of ordered) {
    const finding = judgeRule(rule, now, original);
    if (finding.state !== 'mismatch') {
      continue;
    }
    const writes = finding.remedy();
    if (writes) {
      apply(writes, now);
    } else if (isRequired(rule)) {
      throw new CodecError('CHECKSUM_UNCORRECTABLE', rule.name);
    }
  }
}
