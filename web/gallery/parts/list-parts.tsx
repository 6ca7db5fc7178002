/** The components around the workflow: lists, log, settings. */
import { describeNameFormats, familiesWithNameFormat } from '@recodery/contract/families/registry';
import { AdBlockWarning } from '../../src/features/ad-block/ad-block-warning.tsx';
import { NotificationList } from '../../src/features/notifications/notification-list.tsx';
import { NotificationRow } from '../../src/features/notifications/notification-row.tsx';
import { ReceivedFiles } from '../../src/features/notifications/received-files.tsx';
import { LastOperations } from '../../src/features/last-operations/last-operations.tsx';
import { OperationLine } from '../../src/features/last-operations/operation-row.tsx';
import { LogDownloads } from '../../src/features/operations-log/log-downloads.tsx';
import { PreferenceField } from '../../src/features/preferences/preference-field.tsx';
import { NameFields, SendingFields } from '../../src/features/preferences/preference-fields.tsx';
import { TimeZoneField } from '../../src/features/preferences/time-zone-field.tsx';
import { PreferencesForm } from '../../src/features/preferences/preferences-form.tsx';
import { TextField } from '../../src/ui/fields/text-field.tsx';
import {
  type Answer,
  broken,
  notifications,
  notificationsAre,
  operations,
  preferences,
} from '../made/answers.ts';
import { Part, report, State } from '../state.tsx';

const now = new Date();
const mayEnterAll = (): boolean => true;
const lastOperations = (answer: Omit<Answer, 'key'>): Answer[] => [
  { key: ['code', 'last-operations'], ...answer },
];
/** Records which fields would change, and their values. */
const reportFields = (change: object): void => report(JSON.stringify(change));
const values = {
  ...describeNameFormats((family) => (family === 'ktag' ? 'tuned_%r' : '')),
  decodedFileNameFormat: '%c_%v_%t',
  timeZone: '',
  action: null,
  isPrivate: null,
};

function Operations() {
  return (
    <>
      <Part file="features/last-operations/last-operations.tsx">
        <State name="filled">
          <LastOperations mayEnter={mayEnterAll} />
        </State>
        <State name="empty" given={lastOperations({ data: { pages: [[]], pageParams: [null] } })}>
          <LastOperations mayEnter={mayEnterAll} />
        </State>
        <State name="loading" given={lastOperations({})}>
          <LastOperations mayEnter={mayEnterAll} />
        </State>
        <State name="error" given={lastOperations({ thrown: broken })}>
          <LastOperations mayEnter={mayEnterAll} />
        </State>
      </Part>
      <Part file="features/last-operations/operation-row.tsx">
        {operations.slice(0, 1).map((operation) => (
          <State key={operation.guid} name="its page may not be entered">
            <table className="block w-full">
              <tbody className="block">
                <OperationLine operation={operation} mayEnter={() => false} now={now} />
              </tbody>
            </table>
          </State>
        ))}
        {operations.slice(0, 3).map((operation) => (
          <State key={operation.guid} name={operation.status}>
            <table className="block w-full">
              <tbody className="block">
                <OperationLine operation={operation} mayEnter={mayEnterAll} now={now} />
              </tbody>
            </table>
          </State>
        ))}
      </Part>
    </>
  );
}

function Lists() {
  return (
    <>
      <Part file="features/notifications/notification-row.tsx">
        {notifications.map(([name, seen]) => (
          <State key={name} name={name}>
            <ul>
              <NotificationRow seen={seen} now={now} onRevoke={() => report('revoke')} />
            </ul>
          </State>
        ))}
      </Part>
      <Part file="features/notifications/received-files.tsx">
        <State name="filled">
          <ReceivedFiles organization="Garage Rossi" />
        </State>
        <State name="empty" given={notificationsAre('latest', { data: [] })}>
          <ReceivedFiles organization="Garage Rossi" />
        </State>
        <State name="loading" given={notificationsAre('latest', {})}>
          <ReceivedFiles organization="Garage Rossi" />
        </State>
        <State name="error" given={notificationsAre('latest', { thrown: broken })}>
          <ReceivedFiles organization="Garage Rossi" />
        </State>
      </Part>
      <Part file="features/notifications/notification-list.tsx">
        <State name="filled">
          <NotificationList notifications={notifications.map(([, seen]) => seen)} now={now} />
        </State>
        <State name="empty">
          <NotificationList notifications={[]} now={now} />
        </State>
      </Part>
    </>
  );
}

export function ListParts() {
  return (
    <>
      <Operations />
      <Lists />
      <Part file="features/operations-log/log-downloads.tsx">
        <State name="ready; press one for the rest">
          <LogDownloads families={['kessv2', 'ktag', 'kess3']} />
        </State>
      </Part>
      <Part file="features/preferences/preferences-form.tsx">
        <State name="as saved; change a field for the rest">
          <PreferencesForm
            families={familiesWithNameFormat}
            preferences={preferences}
            customerCode="CC-1001"
          />
        </State>
      </Part>
      <Part file="features/preferences/preference-fields.tsx">
        <State name="defaults and one of one's own">
          <NameFields families={familiesWithNameFormat} values={values} onChange={reportFields} />
          <SendingFields values={values} onChange={reportFields} />
        </State>
        <State name="a format that is wrong">
          <NameFields
            families={familiesWithNameFormat}
            values={{ ...values, encodedKESSv2FileNameFormat: '%x/' }}
            onChange={reportFields}
          />
        </State>
      </Part>
      <Part file="features/preferences/time-zone-field.tsx">
        {['', 'Europe/Rome', 'Mars/Olympus'].map((timeZone) => (
          <State key={timeZone} name={timeZone || 'the default'}>
            <TimeZoneField values={{ ...values, timeZone }} onChange={reportFields} />
          </State>
        ))}
      </Part>
      <Part file="features/preferences/preference-field.tsx">
        {[true, false].map((isDefault) => (
          <State key={String(isDefault)} name={isDefault ? 'default' : "one's own"}>
            <PreferenceField name="Name" isDefault={isDefault} onReset={() => report('reset')}>
              <TextField label="Name" value="tuned_%r" onChange={report} />
            </PreferenceField>
          </State>
        ))}
      </Part>
      <Part file="features/ad-block/ad-block-warning.tsx">
        <State name="shows nothing until a blocker is at work">
          <AdBlockWarning isReady={false} />
        </State>
      </Part>
    </>
  );
}
