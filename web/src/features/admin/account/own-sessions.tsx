/** The browsers in which the user is signed in, and how to sign them out. */
import type { AccountSession } from '@recodery/contract/admin/account';
import { useState } from 'react';
import { timeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Confirm } from '../../../ui/dialogs/confirm.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { deviceName } from './device-name.ts';
import { useEndSessions, useOwnSessions } from './own-account.ts';

interface SessionRowProps {
  readonly session: AccountSession;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { t, language } = useTexts();
  const [now] = useState(() => new Date());
  const { device, address, lastSeenOn, isCurrent } = session;
  const name = device === null ? t('account.unknownDevice') : deviceName(device);
  const seen = t('account.lastSeen', { time: timeText(lastSeenOn, now, language) });
  return (
    <li className="flex items-center gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium wrap-anywhere">
          {name}
          {isCurrent && <Badge state="good">{t('account.thisSession')}</Badge>}
        </p>
        <p className="text-md wrap-anywhere text-ink-2">
          {address === null ? seen : `${seen} · ${address}`}
        </p>
      </div>
      {!isCurrent && (
        <Button
          size="small"
          aria-label={t('account.endNamed', { name })}
          isPending={isEnding}
          onPress={onEnd}
        >
          {t('account.end')}
        </Button>
      )}
    </li>
  );
}

export function OwnSessions() {
  const { t } = useTexts();
  const query = useOwnSessions();
  const { mutate, isPending, variables } = useEndSessions();
  const [isAsking, setIsAsking] = useState(false);
  const hasOthers = query.data?.some(({ isCurrent }) => !isCurrent) === true;
  /** Ends one session; null: all others. */
  const end = (guid: string | null): void =>
    mutate(guid, { onError: (thrown) => showFailure(t, thrown) });
  return (
    <Panel
      title={t('account.sessions')}
      actions={
        hasOthers && (
          <Button isPending={isPending && variables === null} onPress={() => setIsAsking(true)}>
            {t('account.endOthers')}
          </Button>
        )
      }
    >
      <p className="max-w-[70ch] text-md text-pretty text-ink-2">{t('account.sessionsAbout')}</p>
      <Loaded query={query}>
        {(sessions) => (
          <ul className="mt-2 divide-y divide-line">
            {sessions.map((session) => (
              <SessionRow
                key={session.guid}
                session={session}
                isEnding={isPending && variables === session.guid}
                onEnd={() => end(session.guid)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {isAsking && (
        <Confirm
          title={t('account.endOthersTitle')}
          confirm={t('account.endOthers')}
          onCancel={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            end(null);
          }}
        >
          <p>{t('account.endOthersAbout')}</p>
        </Confirm>
      )}
    </Panel>
  );
}
