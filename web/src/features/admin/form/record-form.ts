/** The state of a record's form: the draft, its faults, what someone else saved meanwhile, and the save. */
import { checkFields } from '@recodery/contract/admin/check-fields';
import { inputsOf } from '@recodery/contract/admin/resource';
import { useState } from 'react';
import { comparing, type Overtaken, type Values, withoutClashes } from '../records/record-draft.ts';
import { faultsOf, movesOf, newerOf, askedOf, wouldLoseManager } from '../records/record-faults.ts';
import {
  type AnyRecord,
  type AnyResource,
  type Confirmation,
  useSaveRecord,
} from '../records/records.ts';

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

/** The revision that the form is based on, the user's changes, and what someone else saved meanwhile. */
function useDraft({ resource, record, defaults }: RecordFormOptions, isIdle: boolean) {
  const { withChange, overtake } = comparing(resource);
  const [base, setBase] = useState(record);
  const [seen, setSeen] = useState(record?.revision);
  const [changes, setChanges] = useState<Values>({});
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const saved: Values = base ?? emptyValues({ resource, defaults });
  const rebase = (newer: AnyRecord): void => {
    if (base !== null && Object.keys(changes).length > 0)
      setOvertaken(overtake(base, newer, changes));
    setBase(newer);
    setChanges((mine) => withChange({}, mine, newer));
  };
  // an action of the page, or another request, has read a newer revision
  if (isIdle && record !== null && record.revision !== seen) {
    setSeen(record.revision);
    if (record.revision !== base?.revision) rebase(record);
  }
  return {
    base,
    saved,
    changes,
    overtaken,
    rebase,
    change: (next: Values): void => setChanges((mine) => withChange(mine, next, saved)),
    restart: (from: AnyRecord | null): void => {
      setBase(from);
      setChanges({});
      setOvertaken(null);
    },
    /** Decides about the fields that both changed. */
    decide: (takesTheirs: boolean): void => {
      if (takesTheirs && overtaken !== null)
        setChanges((mine) => withoutClashes(mine, overtaken.clashes));
      setOvertaken(null);
    },
  };
}

/** Commands that also remove what the last save reported. */
function afterClearing(clear: () => void, { change, decide }: ReturnType<typeof useDraft>) {
  return {
    change: (next: Values): void => {
      clear();
      change(next);
    },
    decide: (takesTheirs: boolean): void => {
      clear();
      decide(takesTheirs);
    },
  };
}

export function useRecordForm(options: RecordFormOptions) {
  const { resource, record, onSaved } = options;
  const form = record === null ? 'create' : 'update';
  const { mutate, isPending, error, reset, progress } = useSaveRecord(resource);
  const draft = useDraft(options, !isPending && error === null);
  const { base, changes, overtaken } = draft;
  const [isTried, setIsTried] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const values = { ...draft.saved, ...changes };
  const sent = tidied(base === null ? values : changes);
  const own = checkFields(resource, sent, form);
  const isChanged = Object.keys(changes).length > 0;
  const hasClashes = (overtaken?.clashes.length ?? 0) > 0;
  const finish = (now: AnyRecord): void => {
    draft.restart(now);
    setIsTried(false);
    setIsSaved(true);
    onSaved(now);
  };
  const compare = (thrown: unknown): void => {
    const newer = newerOf(thrown);
    if (newer !== null) draft.rebase(newer);
  };
  const clear = (): void => {
    if (error !== null) reset();
    setIsSaved(false);
  };
  const discard = (): void => {
    clear();
    setIsTried(false);
    draft.restart(base);
  };
  return {
    form,
    inputs: inputsOf(resource, form),
    values,
    faults: { ...faultsOf(error), ...(isTried ? own : noFaults) },
    moves: movesOf(error),
    losesManager: wouldLoseManager(error),
    question: askedOf(error),
    progress,
    overtaken,
    hasClashes,
    isChanged,
    isSaved: isSaved && !isChanged,
    isPending,
    error,
    dismiss: reset,
    save: (confirmed: Confirmation = {}): void => {
      setIsTried(true);
      const isSound = Object.keys(own).length === 0 && !isPending && !hasClashes;
      if (!isSound || (form === 'update' && !isChanged)) return;
      mutate({ of: base, values: sent, confirmed }, { onSuccess: finish, onError: compare });
    },
    discard,
    ...afterClearing(clear, draft),
  };
}

export type RecordFormState = ReturnType<typeof useRecordForm>;
