/** Whether the configured address and the headers of a proxy match what the browser uses. */
import type { SeenConnection } from '@recodery/contract/admin/setup';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { type ConnectionFault, faultsOfConnection } from './connection-faults.ts';

function Fault({ fault }: { readonly fault: ConnectionFault }) {
  const { t } = useTexts();
  switch (fault.kind) {
    case 'origin':
      return t('setup.fault.origin', fault);
    case 'proxy':
      return t('setup.fault.proxy', fault);
    case 'protocol':
      return t('setup.fault.protocol', fault);
    case 'host':
      return t('setup.fault.host', fault);
  }
}

export interface ConnectionPanelProps {
  readonly connection: SeenConnection;
  /** The origin of the page in the browser. */
  readonly origin: string;
}

export function ConnectionPanel({ connection, origin }: ConnectionPanelProps) {
  const { t } = useTexts();
  const { publicUrl, protocol, host, address } = connection;
  const faults = faultsOfConnection(connection, origin);
  const seen = [
    [t('setup.seen.browser'), origin],
    [t('setup.seen.configured'), publicUrl],
    [t('setup.seen.request'), `${protocol}://${host}`],
    [t('setup.seen.client'), address],
  ] as const;
  const isRight = faults.length === 0;
  return (
    <Panel
      title={t('setup.connection')}
      actions={
        <Badge state={isRight ? 'good' : 'modified'}>
          {t(isRight ? 'admin.finding.ok' : 'admin.finding.warning')}
        </Badge>
      }
    >
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
        {seen.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-ink-3">{label}</dt>
            <dd className="font-mono text-md wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {!isRight && (
        <ul className="mt-4 flex flex-col gap-2">
          {faults.map((fault) => (
            <li
              key={fault.kind}
              className="rounded-s bg-modified-soft px-3 py-2 text-md text-pretty wrap-anywhere text-modified"
            >
              <Fault fault={fault} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
