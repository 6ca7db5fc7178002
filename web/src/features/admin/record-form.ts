/** The state of a record's form: the draft, its faults, what someone else saved meanwhile, and the save. */
import { checkFields } from '@recodery/contract/admin/check-fields';
import { inputsOf } from '@recodery/contract/admin/resource';
import { useState } from 'react';
import {
  type Overtaken,
  overtake,
  type Values,
  withChange,
  withoutClashes,
} from './record-draft.ts';
import { faultsOf, type Move, movesOf, newerOf } from './record-faults.ts';
import { type AnyRecord, type AnyResource, useSaveRecord } from './records.ts';

export interface RecordFormOptions {
  readonly resource: AnyResource;
  /** The record as it was read; null for a new one. */
  readonly record: AnyRecord | null;
  /** The values with which the form for a new record begins. */
  readonly defaults: Values;
  readonly onSaved: (record: AnyRecord) => void;
}

/** Lists as they are sent: without empty lines, and each entry once. */
function tidied(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...new Set(value.filter((entry) => entry !== ''))] : value,
    ]),
  );
}

/** The values of a new record's form before anything is entered. */
function emptyValues({ resource, defaults }: Pick<RecordFormOptions, 'resource' | 'defaults'>) {
  const empty = inputsOf(resource, 'create').map(([name, { kind }]) => {
    if (kind === 'switch') return [name, false] as const;
    const isList = kind === 'choices' || kind === 'list' || kind === 'references';
    return [name, isList ? [] : null] as const;
  });
  return { ...Object.fromEntries(empty), ...defaults };
}

const noFaults: Readonly<Record<string, string>> = {};

export function useRecordForm({ resource, record, defaults, onSaved }: RecordFormOptions) {
  const form = record === null ? 'create' : 'update';
  const { mutate, isPending, error, reset } = useSaveRecord(resource.name);
  /** The revision that the form is based on: a newer one is shown before it becomes the base. */
  const [base, setBase] = useState(record);
  const [changes, setChanges] = useState<Values>({});
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const [isTried, setIsTried] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  // an action of the page, or another request, has read a newer revision
  if (
    record !== null &&
    base !== null &&
    record.revision !== base.revision &&
    !isPending &&
    error === null
  ) {
    if (Object.keys(changes).length > 0) setOvertaken(overtake(base, record, changes));
    setBase(record);
    setChanges((mine) => withChange({}, mine, record));
  }
  const saved: Values = base ?? emptyValues({ resource, defaults });
  const values = { ...saved, ...changes };
  const sent = tidied(base === null ? values : changes);
  const ownFaults = isTried ? checkFields(resource, sent, form) : noFaults;
  const isChanged = Object.keys(changes).length > 0;
  const hasClashes = (overtaken?.clashes.length ?? 0) > 0;
  const save = (isMoveConfirmed = false): void => {
    setIsTried(true);
    const isSound = Object.keys(checkFields(resource, sent, form)).length === 0;
    if (!isSound || isPending || hasClashes || (form === 'update' && !isChanged)) return;
    mutate(
      { of: base, values: sent, isMoveConfirmed },
      {
        onSuccess: (now) => {
          setBase(now);
          setChanges({});
          setOvertaken(null);
          setIsTried(false);
          setIsSaved(true);
          onSaved(now);
        },
        onError: (thrown) => {
          const newer = newerOf(thrown);
          if (newer === null || base === null) return;
          setOvertaken(overtake(base, newer, changes));
          setBase(newer);
          setChanges((mine) => withChange({}, mine, newer));
        },
      },
    );
  };
  return {
    form,
    inputs: inputsOf(resource, form),
    values,
    changes,
    faults: { ...faultsOf(error), ...ownFaults },
    moves: movesOf(error) as readonly Move[],
    overtaken,
    hasClashes,
    isChanged,
    isSaved: isSaved && !isChanged,
    isPending,
    error,
    save,
    change: (next: Values): void => {
      if (error !== null) reset();
      setIsSaved(false);
      setChanges((mine) => withChange(mine, next, saved));
    },
    discard: (): void => {
      if (error !== null) reset();
      setChanges({});
      setOvertaken(null);
      setIsTried(false);
    },
    /** Decides about the fields that both changed. */
    decide: (takesTheirs: boolean): void => {
      if (error !== null) reset();
      if (takesTheirs && overtaken !== null)
        setChanges((mine) => withoutClashes(mine, overtaken.clashes));
      setOvertaken(null);
    },
    dismiss: reset,
  };
}

export type RecordFormState = ReturnType<typeof useRecordForm>;
