/** The attempts to deliver messages to a receiver, newest first; a button sends a message again. */
import type { Delivery } from '@recodery/contract/features/webhooks';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Send from 'lucide-react/icons/send';
import { useState } from 'react';
import { trueTime } from '../../api/server-clock.ts';
import { numberText, timeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { showFailure, showToast } from '../../ui/toasts/toast.tsx';
import { useDeliveries, useReplay, useTestWebhook } from './webhooks.ts';

/** The number shown at first, and added by each press of "See more". */
const step = 5;

/** Whether it was delivered, and the status of the response or why there was none. */
function Result({ status, error }: Pick<Delivery, 'status' | 'error'>) {
  const { t } = useTexts();
  if (status === null) {
    return <Badge state="bad">{t(`webhooks.error.${error ?? 'CONNECTION_FAILED'}`)}</Badge>;
  }
  const isDelivered = status >= 200 && status < 300;
  return (
    <Badge state={isDelivered ? 'good' : 'bad'}>
      {`${t(isDelivered ? 'webhooks.delivered' : 'webhooks.refused')} · ${status}`}
    </Badge>
  );
}

interface RowProps {
  readonly delivery: Delivery;
  readonly now: Date;
  /** Absent: messages cannot be sent again. */
  readonly onReplayed: (() => void) | undefined;
}

function Row({ delivery, now, onReplayed }: RowProps) {
  const { t, language } = useTexts();
  const { mutate: replay, isPending } = useReplay();
  const { guid, type, status, error, durationMs, attemptedOn } = delivery;
  const time = timeText(attemptedOn, now, language);
  const message = `${t(`webhooks.type.${type}`)}, ${time}`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-t border-line py-2.5 md:grid-cols-[7.5rem_minmax(0,1fr)_minmax(0,14rem)_5.5rem_2.25rem]">
      <time dateTime={attemptedOn} className="text-sm text-ink-3 tabular-nums md:text-md">
        {time}
      </time>
      <p className="min-w-0 max-md:col-start-1 max-md:row-start-1">
        {t(`webhooks.type.${type}`)} <code className="font-mono text-xs text-ink-3">{type}</code>
      </p>
      <div className="max-md:col-start-1">
        <Result status={status} error={error} />
      </div>
      <p className="text-right text-sm text-ink-2 tabular-nums max-md:col-start-2 max-md:row-start-3">
        {t('webhooks.duration', { ms: numberText(durationMs, language) })}
      </p>
      {onReplayed && (
        <Button
          look="quiet"
          icon={RotateCw}
          label={t('webhooks.replayNamed', { message })}
          isPending={isPending}
          className="max-md:col-start-2 max-md:row-span-2 max-md:row-start-1 max-md:justify-self-end"
          onPress={() =>
            replay(guid, {
              onSuccess: () => {
                showToast({ title: t('webhooks.replayed'), detail: t('webhooks.replayedAbout') });
                onReplayed();
              },
              onError: (thrown) => showFailure(t, thrown),
            })
          }
        />
      )}
    </li>
  );
}

export interface DeliveryListProps {
  /** The GUID of an endpoint, or of a client application whose operations have callback addresses. */
  readonly receiverGuid: string;
  /** The text of an empty list. */
  readonly empty: string;
  /** Messages can be sent again, which is the default. */
  readonly canReplay?: boolean;
  /** The name of the button that sends a test message; absent: none can be sent. */
  readonly test?: string;
}

interface TestButtonProps {
  readonly guid: string;
  readonly label: string;
  readonly onSent: () => void;
}

function TestButton({ guid, label, onSent }: TestButtonProps) {
  const { t } = useTexts();
  const { mutate: send, isPending } = useTestWebhook();
  return (
    <Button
      size="small"
      icon={Send}
      aria-label={label}
      isPending={isPending}
      className="mt-2"
      onPress={() =>
        send(guid, {
          onSuccess: () => {
            showToast({ title: t('webhooks.tested'), detail: t('webhooks.replayedAbout') });
            onSent();
          },
          onError: (thrown) => showFailure(t, thrown),
        })
      }
    >
      {t('webhooks.test')}
    </Button>
  );
}

export function DeliveryList({ receiverGuid, empty, canReplay = true, test }: DeliveryListProps) {
  const { t } = useTexts();
  const [awaitedAfter, setAwaitedAfter] = useState<string | null>(null);
  const [shown, setShown] = useState(step);
  const query = useDeliveries(receiverGuid, awaitedAfter);
  const awaitResult = (): void => {
    setAwaitedAfter(query.data?.[0]?.guid ?? '');
    void query.refetch();
  };
  return (
    <Loaded query={query}>
      {(deliveries) => (
        <>
          {deliveries.length === 0 ? (
            <p className="text-md text-ink-2">{empty}</p>
          ) : (
            <ul>
              {deliveries.slice(0, shown).map((delivery) => (
                <Row
                  key={delivery.guid}
                  delivery={delivery}
                  now={trueTime(query.dataUpdatedAt)}
                  onReplayed={canReplay ? awaitResult : undefined}
                />
              ))}
            </ul>
          )}
          <div className="flex flex-wrap gap-2">
            {test !== undefined && (
              <TestButton guid={receiverGuid} label={test} onSent={awaitResult} />
            )}
            {deliveries.length > shown && (
              <Button size="small" className="mt-2" onPress={() => setShown(shown + 20)}>
                {t('notifications.more')}
              </Button>
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}
