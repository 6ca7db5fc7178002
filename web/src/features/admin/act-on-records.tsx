/** Buttons for what can be done with one or several records, the question before it, and the link that it returns. */
import { type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { LossDialog } from '../../ui/loss.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { NamedFinding } from './findings-dialog.tsx';
import { isCalm } from './record-actions.ts';
import { faultsOf, wouldLoseManager } from './record-faults.ts';
import { type AnyRecord, type AnyResource, useAct } from './records.ts';
import { actionQuestion, actionText, faultText } from './resource-words.ts';

/** Rarely needed. */
const LinkDialog = onDemand(async () => (await import('./link-dialog.tsx')).LinkDialog);
const FindingsDialog = onDemand(async () => (await import('./findings-dialog.tsx')).FindingsDialog);

export interface ActOnRecordsProps {
  readonly resource: AnyResource;
  /** At least one. */
  readonly records: readonly AnyRecord[];
  readonly actions: readonly string[];
  /** Called after an action that succeeded for all records. */
  readonly onDone: (action: string) => void;
}

/** Acts on one record after the other; the first refusal ends it, and the next attempt continues with that record. */
function useActions({ resource, records, onDone }: ActOnRecordsProps) {
  const { t } = useTexts();
  const { mutateAsync } = useAct(resource);
  const [running, setRunning] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [link, setLink] = useState<string | null>(null);
  const [found, setFound] = useState<readonly NamedFinding[]>([]);
  const done = useRef<ReadonlySet<string>>(new Set());
  const hasFound = useRef(false);
  const begin = (): void => {
    done.current = new Set();
    hasFound.current = false;
    setError(null);
  };
  const act = async (action: string): Promise<boolean> => {
    setRunning(action);
    setError(null);
    const confirmed = wouldLoseManager(error) ? ({ withoutManager: 'true' } as const) : {};
    try {
      for (const { guid, [resource.title]: name } of records) {
        if (done.current.has(guid)) continue;
        const acted = await mutateAsync({ guid, action, confirmed });
        done.current = new Set([...done.current, guid]);
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
      title: t('admin.done', { action: actionText(t, resource, action) }),
      tone: 'good',
    });
    onDone(action);
  };
  return { begin, act, finish, running, error, link, setLink, found, setFound };
}

/** Why an action was refused, if the refusal names a reason. */
function Reason({ error }: { readonly error: unknown }): ReactNode {
  const { t } = useTexts();
  const [code] = Object.values(faultsOf(error));
  return code === undefined ? null : (
    <span role="alert" className="mt-3 block font-medium text-bad">
      {faultText(t, code)}
    </span>
  );
}

export function ActOnRecords(props: ActOnRecordsProps) {
  const { t } = useTexts();
  const { resource, records } = props;
  const actions = useActions(props);
  const { begin, act, finish, running, error, link, setLink, found, setFound } = actions;
  const [asked, setAsked] = useState<string | null>(null);
  const names = records.map((record) => String(record[resource.title] ?? '')).join(', ');
  const press = async (action: string): Promise<void> => {
    begin();
    if (actionQuestion(t, resource, action) !== null) return setAsked(action);
    if (await act(action)) finish(action);
  };
  const closeFindings = (): void => {
    setFound([]);
    props.onDone('test');
  };
  const hasReason = Object.keys(faultsOf(error)).length > 0;
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
      {asked !== null && (
        <LossDialog
          title={actionText(t, resource, asked)}
          confirm={wouldLoseManager(error) ? t('admin.noManager') : actionText(t, resource, asked)}
          isPending={running !== null}
          error={hasReason ? null : error}
          onConfirm={() => {
            void act(asked).then((isDone) => {
              if (!isDone) return;
              setAsked(null);
              finish(asked);
            });
          }}
          onClose={() => setAsked(null)}
        >
          <span className="block font-medium text-ink">{names}</span>
          {actionQuestion(t, resource, asked)}
          <Reason error={error} />
        </LossDialog>
      )}
      {found.length > 0 && <FindingsDialog findings={found} onClose={closeFindings} />}
      {link !== null && <LinkDialog names={names} link={link} onClose={() => setLink(null)} />}
    </>
  );
}
