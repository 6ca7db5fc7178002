/** What a refused save or action says about the record: its fields, devices that change their owner, a newer record. */
import { Refusal } from '@recodery/contract/refusal';
import type { AnyRecord } from './records.ts';

/** A device that a save would give to another owner. */
export interface Move {
  readonly device: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The details of a refusal, if they are an object. */
function detailsOf(thrown: unknown): Readonly<Record<string, unknown>> {
  if (!(thrown instanceof Refusal)) return {};
  const { details } = thrown;
  return details === undefined || Array.isArray(details) ? {} : { ...details };
}

/** The codes of the fields that are not accepted, by name. */
export function faultsOf(thrown: unknown): Readonly<Record<string, string>> {
  if (!(thrown instanceof Refusal) || thrown.code !== 'FIELDS_NOT_ACCEPTED') return {};
  return (detailsOf(thrown)['fields'] ?? {}) as Readonly<Record<string, string>>;
}

/** What still needs a record that cannot be removed: how many of each; empty if they are not counted. */
export function needsOf(thrown: unknown): readonly (readonly [name: string, count: string])[] {
  if (!Object.values(faultsOf(thrown)).includes('IN_USE')) return [];
  return Object.entries((detailsOf(thrown)['facts'] ?? {}) as Readonly<Record<string, string>>);
}

/** The devices whose move the user has to confirm. */
export function movesOf(thrown: unknown): readonly Move[] {
  if (!Object.values(faultsOf(thrown)).includes('MOVE_NOT_CONFIRMED')) return [];
  return (detailsOf(thrown)['moves'] ?? []) as readonly Move[];
}

/** Whether the user has to confirm that an organisation has no manager afterwards. */
export function wouldLoseManager(thrown: unknown): boolean {
  return Object.values(faultsOf(thrown)).includes('LAST_MANAGER');
}

/** What the user has to confirm: the code of the question, and the facts in it. */
export interface Question {
  readonly code: 'DIFFERS_NOT_CONFIRMED' | 'REMOVES_NOT_CONFIRMED';
  readonly facts: Readonly<Record<string, string>>;
}

const questions: readonly Question['code'][] = ['DIFFERS_NOT_CONFIRMED', 'REMOVES_NOT_CONFIRMED'];

/** What the user has to confirm, or null. */
export function askedOf(thrown: unknown): Question | null {
  const codes = Object.values(faultsOf(thrown));
  const code = questions.find((known) => codes.includes(known));
  const { facts = {} } = detailsOf(thrown);
  return code === undefined ? null : { code, facts: facts as Question['facts'] };
}

/** The record as someone else saved it; null if the refusal has another reason. */
export function newerOf(thrown: unknown): AnyRecord | null {
  if (!(thrown instanceof Refusal) || thrown.code !== 'RECORD_CHANGED') return null;
  return (detailsOf(thrown)['current'] ?? null) as AnyRecord | null;
}

/** Whether the password must be confirmed before the change can be repeated. */
export function mustConfirm(thrown: unknown): boolean {
  return thrown instanceof Refusal && thrown.code === 'CONFIRM_ACCOUNT';
}
