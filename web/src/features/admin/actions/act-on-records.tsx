/** Buttons for what can be done with one or several records, the question before it, and the link that it returns. */
import { type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LossDialog } from '../../../ui/dialogs/loss.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { ConfirmOnDemand as ConfirmPassword } from './confirm-on-demand.ts';
import type { NamedFinding } from './findings-dialog.tsx';
import { isCalm } from '../records/record-actions.ts';
import { faultsOf, mustConfirm, needsOf, wouldLoseManager } from '../records/record-faults.ts';
import { type AnyRecord, type AnyResource, useAct } from '../records/records.ts';
import {
  actionQuestion,
  actionText,
  doneText,
  faultText,
  needText,
  optionText,
} from '../records/resource-words.ts';

/** Rarely needed. */
const LinkDialog = onDemand(async () => (await import('./link-dialog.tsx')).LinkDialog);
const FindingsDialog = onDemand(async () => (await import('./findings-dialog.tsx')).FindingsDialog);

export interface ActOnRecordsProps {
  readonly resource: AnyResource;
  /** At least one. */
  readonly records: readonly AnyRecord[];
  readonly actions: readonly string[];
  /** Called after an action that succeeded for all records; `made` is the record that it has added. */
  readonly onDone: (action: string, made: AnyRecord | null) => void;
}

/** Acts on one record after the other; the first refusal ends it, and the next attempt continues with that record. */
function useActions({ resource, records, onDone }: ActOnRecordsProps) {
  const { t } = useTexts();
  const { mutateAsync } = useAct(resource);
  const [running, setRunning] = useState<string | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [link, setLink] = useState<string | null>(null);
  const [found, setFound] = useState<readonly NamedFinding[]>([]);
  const done = useRef<ReadonlySet<string>>(new Set());
  const hasFound = useRef(false);
  const made = useRef<AnyRecord>(null);
  const begin = (): void => {
    done.current = new Set();
    hasFound.current = false;
    made.current = null;
    setError(null);
  };
  const act = async (action: string): Promise<boolean> => {
    setRunning(action);
    setLast(action);
    setError(null);
    const confirmed = wouldLoseManager(error) ? ({ withoutManager: 'true' } as const) : {};
    try {
      for (const record of records) {
        const { guid, [resource.title]: name } = record;
        if (done.current.has(guid)) continue;
        const acted = await mutateAsync({ of: record, action, confirmed });
        done.current = new Set([...done.current, guid]);
        const item = acted?.item ?? null;
        if (item !== null && item.guid !== guid) made.current = item;
        if (acted !== null && acted.link !== null) setLink(acted.link);
        const finding = acted?.finding ?? null;
        if (finding !== null) setFound((all) => [...all, { ...finding, name: String(name ?? '') }]);
        hasFound.current ||= finding !== null;
      }
      return true;
    } catch (thrown) {
      setError(thrown);
      return false;
    } finally {
      setRunning(null);
    }
  };
  const finish = (action: string): void => {
    // the records stay selected as long as the dialog shows what was found
    if (hasFound.current) return;
    showToast({
      title: doneText(t, resource, action),
      tone: 'good',
    });
    onDone(action, made.current);
  };
  return { begin, act, finish, running, last, error, link, setLink, found, setFound };
}

/** Why an action was refused, if the refusal names a reason. */
function Reason({ error }: { readonly error: unknown }): ReactNode {
  const { t } = useTexts();
  const [code] = Object.values(faultsOf(error));
  const needs = needsOf(error);
  return code === undefined ? null : (
    // a line of its own below the buttons, however long it is
    <span role="alert" className="mt-3 block w-0 min-w-full font-medium text-bad">
      {faultText(t, code)}
      {needs.length > 0 && (
        <span className="mt-1 block">
          {needs.map(([name, count]) => needText(t, name, count)).join(', ')}
        </span>
      )}
    </span>
  );
}

type Actions = ReturnType<typeof useActions>;

interface QuestionProps extends Pick<ActOnRecordsProps, 'resource'> {
  readonly action: string;
  readonly names: string;
  readonly acts: Pick<Actions, 'running' | 'error'>;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The question before an action, and why the action was refused. */
function Question({ resource, action, names, acts, onConfirm, onClose }: QuestionProps) {
  const { t } = useTexts();
  const { running, error } = acts;
  const hasReason = Object.keys(faultsOf(error)).length > 0;
  return (
    <LossDialog
      title={actionText(t, resource, action)}
      confirm={wouldLoseManager(error) ? t('admin.noManager') : actionText(t, resource, action)}
      isPending={running !== null}
      error={hasReason ? null : error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <span className="block font-medium text-ink">{names}</span>
      {actionQuestion(t, resource, action)}
      <Reason error={error} />
    </LossDialog>
  );
}

export function ActOnRecords(props: ActOnRecordsProps) {
  const { t } = useTexts();
  const { resource, records } = props;
  const acts = useActions(props);
  const { begin, act, finish, running, last, error, link, setLink, found, setFound } = acts;
  const unconfirmed = mustConfirm(error) ? last : null;
  const [chosen, setAsked] = useState<string | null>(null);
  // some actions are asked about only if an organization has no manager afterwards
  const asked = chosen ?? (wouldLoseManager(error) ? last : null);
  const nameOf = ({ [resource.title]: name }: AnyRecord): string =>
    resource.fields[resource.title]?.kind === 'choice'
      ? optionText(t, resource.title, String(name))
      : String(name ?? '');
  const names = records.map(nameOf).join(', ');
  const run = async (action: string): Promise<void> => {
    if (!(await act(action))) return;
    setAsked(null);
    finish(action);
  };
  const press = async (action: string): Promise<void> => {
    begin();
    if (actionQuestion(t, resource, action) !== null) return setAsked(action);
    await run(action);
  };
  const close = (): void => {
    setAsked(null);
    begin();
  };
  const closeFindings = (): void => {
    setFound([]);
    props.onDone('test', null);
  };
  return (
    <>
      {props.actions.map((action) => (
        <Button
          key={action}
          look={isCalm(action) ? 'secondary' : 'quiet'}
          isPending={running === action && asked === null}
          onPress={() => void press(action)}
        >
          {actionText(t, resource, action)}
        </Button>
      ))}
      {unconfirmed !== null && (
        <ConfirmPassword onConfirmed={() => void run(unconfirmed)} onClose={close} />
      )}
      {asked !== null && unconfirmed === null && (
        <Question
          {...{ resource, names, acts }}
          action={asked}
          onConfirm={() => void run(asked)}
          onClose={close}
        />
      )}
      {asked === null && <Reason error={error} />}
      {found.length > 0 && <FindingsDialog findings={found} onClose={closeFindings} />}
      {link !== null && <LinkDialog names={names} link={link} onClose={() => setLink(null)} />}
    </>
  );
}
