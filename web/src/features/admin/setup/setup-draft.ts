/** The values of the setup's form, and what is not accepted in them; pure. */
import { errorOf } from '@recodery/contract/admin/check-fields';
import type { Field, FieldValue } from '@recodery/contract/admin/resource';
import { masters, organisations, slaves, users } from '@recodery/contract/admin/resources';
import type { SetupValues } from '@recodery/contract/admin/setup';

/** Each field has the same name as in the server's refusals. */
export const setupFields = {
  'operator.email': users.fields.email,
  'operator.name': users.fields.name,
  'organisation.name': organisations.fields.name,
  'organisation.customerCode': organisations.fields.customerCode,
  'organisation.culture': organisations.fields.culture,
  groupCode: masters.fields.groupCode,
} as const satisfies Record<string, Field>;
export type SetupField = keyof typeof setupFields;

export interface MasterRow {
  /** Identifies the row while its values change. */
  readonly id: number;
  readonly family: string;
  readonly serial: string;
}

/** A slave, which has the family of its master. */
export interface SlaveRow {
  readonly id: number;
  readonly serial: string;
  /** The row of its master. */
  readonly master: number | null;
}

/** How the operator signs in. */
export const signInWays = ['both', 'passkey', 'password'] as const;
export type SignInWay = (typeof signInWays)[number];

export interface SetupDraft {
  readonly texts: Readonly<Partial<Record<SetupField, FieldValue>>>;
  readonly password: string;
  readonly way: SignInWay;
  readonly masters: readonly MasterRow[];
  readonly slaves: readonly SlaveRow[];
}

/** The codes of the fields that are not accepted, by name. */
export type SetupFaults = Readonly<Record<string, string>>;

/** The draft as it is sent, still without the passkey; `token` is that of the link. */
export function setupValuesOf(draft: SetupDraft, token: string, isExternal: boolean): SetupValues {
  const text = (name: SetupField): string => String(draft.texts[name] ?? '').trim();
  return {
    token,
    operator: {
      email: text('operator.email'),
      name: text('operator.name'),
      password: isExternal || draft.way === 'passkey' ? null : draft.password,
      passkey: null,
    },
    organisation: {
      customerCode: text('organisation.customerCode'),
      name: text('organisation.name'),
      culture: text('organisation.culture'),
    },
    groupCode: text('groupCode'),
    masters: draft.masters.map(({ family, serial }) => ({ family, serial: serial.trim() })),
    slaves: draft.slaves.map(({ serial, master }) => {
      const of = draft.masters.find(({ id }) => id === master);
      return {
        family: of?.family ?? '',
        serial: serial.trim(),
        masterSerial: of?.serial.trim() ?? '',
      };
    }),
  };
}

/** What the browser can see before it sends the values: the same codes as the server. */
export function faultsOfSetup(values: SetupValues): SetupFaults {
  const { operator, organisation } = values;
  const checked: (readonly [name: string, field: Field, value: string | null])[] = [
    ['operator.email', setupFields['operator.email'], operator.email],
    ['operator.name', setupFields['operator.name'], operator.name],
    ['organisation.name', setupFields['organisation.name'], organisation.name],
    [
      'organisation.customerCode',
      setupFields['organisation.customerCode'],
      organisation.customerCode,
    ],
    ['groupCode', setupFields.groupCode, values.groupCode],
    ...values.masters.map(
      ({ serial }, at) => [`masters.${at}.serial`, masters.fields.serial, serial] as const,
    ),
    ...values.slaves.flatMap(({ serial, masterSerial }, at) => [
      [`slaves.${at}.serial`, slaves.fields.serial, serial] as const,
      [`slaves.${at}.masterSerial`, slaves.fields.masterSerial, masterSerial] as const,
    ]),
  ];
  const faults = checked.flatMap(([name, field, value]) => {
    const code = errorOf(field, value);
    return code === null ? [] : [[name, code] as const];
  });
  const password = operator.password === '' ? { 'operator.password': 'REQUIRED' } : {};
  return { ...Object.fromEntries(faults), ...password };
}
