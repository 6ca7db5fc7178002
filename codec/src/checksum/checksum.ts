/** Verifies and corrects the checksums of an image, as defined by its protocol's scheme. */

import { type Calculation, calculate, type Meter, newMeter } from './calculate.ts';
import {
  evaluateRule,
  isDisabled,
  type RuleReport,
  type RuleResult,
  type Write,
  writePlaces,
} from './judge.ts';
import { bytesOf } from './numbers.ts';
import { mergeRanges, rulesAtMost, tablePlaces, touches } from './ranges.ts';
import type { ChecksumRule, ChecksumScheme, Range } from './scheme.ts';
import { CodecError } from '../errors.ts';

export type { RuleReport } from './judge.ts';
export type { ChecksumRule, ChecksumScheme } from './scheme.ts';

/** The maximum number of passes over the rules in one correction. */
const passesAtMost = 4;

/** One image with its rules, and the results calculated so far. */
interface Examination {
  readonly image: Uint8Array;
  meter: Meter;
  readonly calculations: Map<ChecksumRule, Known | null>;
}

/** A calculated result and the bytes it depends on: it is valid until one of them is written. */
interface Known extends Calculation {
  readonly inputs: readonly Range[];
}

function examine(image: Uint8Array): Examination {
  return { image, meter: newMeter(image.length), calculations: new Map() };
}

/** The result of a rule over the image; cached until a byte that it reads is written. */
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

function judgeRule(rule: ChecksumRule, now: Examination, original: Examination | null): RuleResult {
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
  return evaluateRule(
    rule,
    { image: now.image, calculation },
    before && original && { image: original.image, calculation: before },
  );
}

function report(rule: ChecksumRule, finding: RuleResult): RuleReport {
  const { remedy: _, ...shown } = finding;
  return { rule: rule.name, ...shown };
}

/** An original of a different size cannot be compared with this image. */
function examineOriginal(image: Uint8Array, original: Uint8Array | undefined): Examination | null {
  return original && original.length === image.length ? examine(original) : null;
}

function requireFewRules(scheme: ChecksumScheme): void {
  if (scheme.length > rulesAtMost) {
    throw new RangeError(`a checksum scheme has at most ${rulesAtMost} rules`);
  }
}

/**
 * The report of each rule for an image, in the scheme's order. Writes nothing. `original` is the untouched image of the
 * same size, for rules that need it; without it they are `uncheckable`.
 */
export function verifyChecksums(
  scheme: ChecksumScheme,
  image: Uint8Array,
  original?: Uint8Array,
): RuleReport[] {
  requireFewRules(scheme);
  const now = examine(image);
  const before = examineOriginal(image, original);
  return scheme.map((rule) => report(rule, judgeRule(rule, now, before)));
}

/** Whether any rule of the scheme cannot be computed from a modified image alone. */
export function needsOriginal(scheme: ChecksumScheme): boolean {
  return scheme.some((rule) => rule.needsOriginal === true);
}

/** Whether a report means that the image is wrong: a required rule that is wrong, impossible or uncheckable. */
export function isChecksumFault(scheme: ChecksumScheme, { rule, state }: RuleReport): boolean {
  const isRequiredRule = scheme.some(({ name, required }) => name === rule && required !== false);
  return isRequiredRule && (state === 'mismatch' || state === 'invalid');
}

/** The bytes of the image that determine the report of an enabled rule, except the place of its result. */
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
 * The rules, sorted so that none precedes one whose result it covers. Rules in a cycle keep their order; the later
 * passes converge or give up.
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

/** Writes, and discards cached results that depend on changed bytes. */
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

/** Refuses what no pass can fix: an impossible rule, or one without its original. */
function refuseImpossible(
  findings: ReadonlyMap<ChecksumRule, RuleResult>,
  original: Uint8Array | undefined,
): void {
  const required = [...findings].filter(([rule]) => isRequired(rule));
  const names = (state: RuleResult['state']): string =>
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
 * Corrects every checksum of an image, or refuses as a whole. Rules run in dependency order and are evaluated again
 * after each write to bytes that they read, in at most four passes. The input image is never modified; it is returned
 * if nothing had to be corrected.
 * @throws CodecError CHECKSUM_UNCORRECTABLE (the rules' names) if a required rule is impossible, signed and wrong,
 * unreachable or does not converge; ORI_MISSING, ORI_MISMATCH if one needs an original of this size.
 */
export function correctChecksums(
  rules: ChecksumScheme,
  image: Uint8Array,
  original?: Uint8Array,
): { image: Uint8Array; reports: RuleReport[] } {
  requireFewRules(rules);
  const before = examineOriginal(image, original);
  let now = examine(image);
  let findings = judgeAll(rules, now, before);
  refuseImpossible(findings, original);
  if (isAnyWrong(findings)) {
    // Not `slice`, which does not copy a Buffer. The copy starts with the cached results of its source.
    now = { ...now, image: new Uint8Array(image) };
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
): Map<ChecksumRule, RuleResult> {
  return new Map(rules.map((rule) => [rule, judgeRule(rule, now, original)]));
}

function isAnyWrong(findings: ReadonlyMap<ChecksumRule, RuleResult>): boolean {
  return [...findings.values()].some(({ state }) => state === 'mismatch');
}

/** One pass: corrects each rule that is currently wrong. */
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
    const writes = finding.remedy?.();
    if (writes) {
      apply(writes, now);
    } else if (isRequired(rule)) {
      throw new CodecError('CHECKSUM_UNCORRECTABLE', rule.name);
    }
  }
}
