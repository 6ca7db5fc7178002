/** What the pool accepts from an engine. Code of a hostile file may have taken it over: every value is checked. */
import type { ImageCheck } from '@recodery/codec/preflight/checks';
import { recognition, recognizedFields } from '@recodery/contract/families/recognition';
import { informationKeys } from '@recodery/contract/families/information';
import { internalCodes } from '@recodery/codec/errors';
import { componentNames, modes } from '@recodery/contract/families/family';
import { diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { preflightCheck } from '@recodery/contract/features/recoding/preflight';
import { wrongSize } from '@recodery/contract/features/operations';
import { changes } from '@recodery/contract/features/recoding/recoding';
import * as z from 'zod/mini';
import { parseBoundedJson } from '../../config/bounded-json.ts';
import {
  type Answers,
  type DiagnoseAnswer,
  type EngineMessage,
  type EngineTask,
  machineFaults,
} from './task.ts';

/** The limits of a message, besides its length: a pre-flight of many checksum rules has the most values. */
const limits = { nesting: 16, values: 100_000 };
/** Items of a list, and characters of a text, that no engine exceeds. */
const most = { items: 1000, text: 4000 };

const text = z.string().check(z.maxLength(most.text));
const size = z.int().check(z.nonnegative());
const sha256 = z.string().check(z.regex(/^[\da-f]{64}$/));
const component = z.enum(componentNames);
const list = <S extends z.ZodMiniType>(item: S) => z.array(item).check(z.maxLength(most.items));
const maybe = z.nullable;

/** Characters of a value that is recognized. */
const mostRecognized = 100;
const recognized = recognition.check(
  z.refine(({ family, name, fields }) => {
    const texts = [family, name, ...fields.flatMap(({ value, text: found }) => [value, found])];
    const isShort = texts.every(({ length }) => length <= mostRecognized);
    const isInside = fields.every(({ offset }) => size.safeParse(offset).success);
    return isShort && isInside && fields.length <= recognizedFields.length;
  }),
);
const recognizedImage = z.object({ name: component, recognition: maybe(recognized) });

const decodeAnswer = z.object({
  protocol: z.object({ id: z.int(), name: text }),
  mode: z.enum(modes),
  components: z
    .array(z.object({ ...recognizedImage.shape, size, sha256 }))
    .check(z.maxLength(componentNames.length)),
  information: z.record(z.enum(informationKeys), maybe(text)),
  isChecksumRight: maybe(z.boolean()),
  isRecognised: maybe(z.boolean()),
  virtualReading: maybe(z.object({ protocolId: z.int(), hardware: text, software: text })),
  isImageMissing: z.boolean(),
  isChecksumCorrectionNeeded: z.boolean(),
  isCVNCorrectionPossible: z.boolean(),
  checksumRules: size,
  wrongChecksums: list(text),
  warnings: list(text),
});

const fault = z.object({
  internalCode: z.enum(internalCodes),
  detail: maybe(text),
  sizes: maybe(wrongSize),
});

// the values that the pre-flight shows, with the engine's names for everything around them
const imageCheck = z.union(
  preflightCheck.def.options.map(({ shape: { id, status, reason, values } }) =>
    z.object({ id, status, reason, values, component, fault: maybe(fault) }),
  ),
  // each option has the values of its id, which the union of all of them does not express
) as unknown as z.ZodMiniType<ImageCheck>;

const checkAnswer = z.object({ changes: maybe(changes), isSimilar: z.boolean() });

const repair = z.object({ component: maybe(component), isLossless: z.boolean(), size, sha256 });
const { kind: diagnosisKind, details } = diagnosis.shape;
const finding = z.object({ kind: diagnosisKind, details, repair: maybe(repair) });

const answers: { readonly [Kind in EngineTask['kind']]: z.ZodMiniType<Answers[Kind]> } = {
  decode: decodeAnswer,
  encode: z.object({ size, correctedChecksums: size }),
  'check-modified': checkAnswer,
  'check-original': checkAnswer,
  // the details have the codec's name of a component where the contract has any text
  diagnose: z.object({ finding: maybe(finding) }) as unknown as z.ZodMiniType<DiagnoseAnswer>,
  recognize: z.object({
    images: z.array(recognizedImage).check(z.maxLength(componentNames.length)),
  }),
  preflight: z.object({ found: list(imageCheck) }),
  correct: z.object({
    correction: maybe(z.object({ scheme: text, parts: list(text), bytes: size, sha256, size })),
  }),
};

const others = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('begun') }),
  z.object({ kind: z.literal('fault'), ...fault.shape }),
  z.object({ kind: z.literal('failure'), stack: z.string(), code: maybe(z.enum(machineFaults)) }),
]);

/** A message of an engine that works on a task of this kind, or on none; null if it is none that the engine may send. */
export function readMessage(bytes: Buffer, kind: EngineTask['kind'] | null): EngineMessage | null {
  const value = parseBoundedJson(bytes, limits);
  const other = others.safeParse(value);
  if (other.success) return other.data;
  if (kind === null) return null;
  const answer = z.object({ kind: z.literal('answer'), answer: answers[kind] }).safeParse(value);
  return answer.success ? answer.data : null;
}
