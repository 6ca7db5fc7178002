/** The master and slave devices that the setup adds: one row each. */
import { mostSetupDevices } from '@recodery/contract/admin/setup';
import { containerFamilies } from '@recodery/contract/families/registry';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import type { ReactElement } from 'react';
import { type TextKey, useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { faultText, optionText } from '../records/resource-words.ts';
import type { MasterRow, SetupDraft, SetupFaults, SlaveRow } from './setup-draft.ts';

export interface DeviceRowsProps {
  readonly draft: Pick<SetupDraft, 'masters' | 'slaves'>;
  readonly faults: SetupFaults;
  readonly onChange: (next: Partial<Pick<SetupDraft, 'masters' | 'slaves'>>) => void;
}

interface RowProps {
  /** The name of the row for screen readers. */
  readonly name: string;
  readonly choice: {
    readonly label: string;
    readonly value: string | null;
    readonly options: readonly { readonly id: string; readonly text: string }[];
    readonly fault: string | undefined;
    readonly onChange: (id: string) => void;
  };
  readonly serial: string;
  readonly fault: string | undefined;
  readonly onSerial: (serial: string) => void;
  readonly onRemove: () => void;
}

function DeviceRow({ name, choice, serial, fault, onSerial, onRemove }: RowProps) {
  const { t } = useTexts();
  return (
    <div
      role="group"
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-3 sm:grid-cols-[1fr_1fr_auto]"
    >
      <Select
        className="max-sm:col-span-2"
        label={choice.label}
        value={choice.value}
        options={choice.options}
        hint={
          choice.fault !== undefined && (
            <p className="mt-1.5 text-sm text-bad">{faultText(t, choice.fault)}</p>
          )
        }
        onChange={choice.onChange}
      />
      <TextField
        label={t('admin.field.serial')}
        value={serial}
        autoComplete="off"
        isMono
        maxLength={32}
        error={fault === undefined ? null : faultText(t, fault)}
        onChange={onSerial}
      />
      <Button
        look="quiet"
        icon={X}
        label={t('setup.removeNamed', { name })}
        onPress={onRemove}
        className="mt-7"
      />
    </div>
  );
}

interface RowsProps {
  readonly title: TextKey;
  readonly add: TextKey;
  readonly isFull: boolean;
  readonly onAdd: () => void;
  readonly children: readonly ReactElement[];
}

function Rows({ title, add, isFull, onAdd, children }: RowsProps) {
  const { t } = useTexts();
  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-md font-semibold">{t(title)}</h3>
      {children.length > 0 && (
        <ul className="flex flex-col gap-5">
          {children.map((row) => (
            <li key={row.key}>{row}</li>
          ))}
        </ul>
      )}
      <div>
        <Button icon={Plus} isDisabled={isFull} onPress={onAdd} className="max-sm:w-full">
          {t(add)}
        </Button>
      </div>
    </div>
  );
}

/** The id of a new row. */
const nextId = (rows: readonly { readonly id: number }[]): number =>
  Math.max(0, ...rows.map(({ id }) => id)) + 1;

function changed<R extends { readonly id: number }>(
  rows: readonly R[],
  id: number,
  change: Partial<R>,
): readonly R[] {
  return rows.map((row) => (row.id === id ? { ...row, ...change } : row));
}

/** Only families of the built-in engine: a connection to a maker's service is added later. */
function Masters({ draft, faults, onChange }: DeviceRowsProps) {
  const { t } = useTexts();
  const { masters, slaves } = draft;
  const change = (id: number, next: Partial<MasterRow>): void =>
    onChange({ masters: changed(masters, id, next) });
  return (
    <Rows
      title="admin.masters.title"
      add="admin.masters.add"
      isFull={masters.length >= mostSetupDevices}
      onAdd={() => {
        const family = masters.at(-1)?.family ?? containerFamilies.at(-1) ?? '';
        onChange({ masters: [...masters, { id: nextId(masters), family, serial: '' }] });
      }}
    >
      {masters.map(({ id, family, serial }, at) => (
        <DeviceRow
          key={id}
          name={`${t('admin.field.masterSerial')} ${at + 1}`}
          choice={{
            label: t('admin.field.family'),
            value: family,
            options: containerFamilies.map((one) => ({
              id: one,
              text: optionText(t, 'family', one),
            })),
            fault: faults[`masters.${at}.family`] ?? faults[`masters.${at}.engine`],
            onChange: (next) => change(id, { family: next }),
          }}
          serial={serial}
          fault={faults[`masters.${at}.serial`]}
          onSerial={(next) => change(id, { serial: next })}
          onRemove={() =>
            onChange({
              masters: masters.filter((row) => row.id !== id),
              slaves: slaves.map((row) => (row.master === id ? { ...row, master: null } : row)),
            })
          }
        />
      ))}
    </Rows>
  );
}

function Slaves({ draft, faults, onChange }: DeviceRowsProps) {
  const { t } = useTexts();
  const { masters, slaves } = draft;
  const change = (id: number, next: Partial<SlaveRow>): void =>
    onChange({ slaves: changed(slaves, id, next) });
  return (
    <Rows
      title="admin.slaves.title"
      add="admin.slaves.add"
      isFull={slaves.length >= mostSetupDevices || masters.length === 0}
      onAdd={() => {
        const master = slaves.at(-1)?.master ?? masters[0]?.id ?? null;
        onChange({ slaves: [...slaves, { id: nextId(slaves), serial: '', master }] });
      }}
    >
      {slaves.map(({ id, serial, master }, at) => (
        <DeviceRow
          key={id}
          name={`${t('setup.slave')} ${at + 1}`}
          choice={{
            label: t('admin.field.masterSerial'),
            value: master === null ? null : String(master),
            options: masters.map((one, index) => ({
              id: String(one.id),
              text: `${optionText(t, 'family', one.family)} ${one.serial || index + 1}`,
            })),
            fault: faults[`slaves.${at}.masterSerial`] ?? faults[`slaves.${at}.family`],
            onChange: (next) => change(id, { master: Number(next) }),
          }}
          serial={serial}
          fault={faults[`slaves.${at}.serial`]}
          onSerial={(next) => change(id, { serial: next })}
          onRemove={() => onChange({ slaves: slaves.filter((row) => row.id !== id) })}
        />
      ))}
    </Rows>
  );
}

export function DeviceRows(props: DeviceRowsProps) {
  return (
    <div className="flex flex-col gap-6">
      <Masters {...props} />
      <Slaves {...props} />
    </div>
  );
}
