/** The one form of the administration, and its fields. */
import { users as declaredUsers } from '@recodery/contract/admin/resources';
import type { ReactNode } from 'react';
import type { RecordFieldProps } from '../../../src/features/admin/form/field-props.ts';
import { FindingsDialog } from '../../../src/features/admin/actions/findings-dialog.tsx';
import { FileField } from '../../../src/features/admin/form/file-field.tsx';
import { ImageField } from '../../../src/features/admin/form/image-field.tsx';
import { RecordConflict } from '../../../src/features/admin/form/record-conflict.tsx';
import { RecordEditor } from '../../../src/features/admin/form/record-editor.tsx';
import { RecordField } from '../../../src/features/admin/form/record-field.tsx';
import { RecordPage } from '../../../src/features/admin/record-page.tsx';
import { declaredResource } from '../../../src/features/admin/resource-pages.ts';
import { useTexts } from '../../../src/i18n/texts.ts';
import {
  engine,
  logo,
  noSuggestions,
  now,
  record,
  user,
  vendorEngine,
} from '../../made/admin-records.ts';
import { guidOf } from '../../made/answers.ts';
import { Part, report, State } from '../../state.tsx';

/** Passes on the texts to what needs them as a value. */
export function Words({
  children,
}: {
  readonly children: (t: ReturnType<typeof useTexts>) => ReactNode;
}) {
  return children(useTexts());
}

const inputs: readonly Pick<RecordFieldProps, 'name' | 'field' | 'label' | 'value' | 'error'>[] = [
  { name: 'name', field: { kind: 'text', edit: 'always' }, label: 'Text', value: 'A', error: null },
  {
    name: 'serial',
    field: { kind: 'text', edit: 'always' },
    label: 'Refused',
    value: 'KS3',
    error: 'This already exists.',
  },
  {
    name: 'count',
    field: { kind: 'number', edit: 'always' },
    label: 'Number',
    value: 7,
    error: null,
  },
  {
    name: 'quota',
    field: { kind: 'bytes', edit: 'always' },
    label: 'Size',
    value: 5_368_709_120,
    error: null,
  },
  {
    name: 'operator',
    field: { kind: 'switch', edit: 'always' },
    label: 'Switch',
    value: true,
    error: null,
  },
  {
    name: 'culture',
    field: { kind: 'choice', edit: 'always', options: ['it-IT', 'de-DE'] },
    label: 'Choice',
    value: null,
    error: null,
  },
  {
    name: 'rights',
    field: { kind: 'choices', edit: 'always', options: ['kess3', 'recod'] },
    label: 'Choices',
    value: ['recod'],
    error: null,
  },
  {
    name: 'groupCodes',
    field: { kind: 'list', edit: 'always' },
    label: 'List',
    value: ['G-10', 'G-11'],
    error: null,
  },
  {
    name: 'owner',
    field: { kind: 'reference', edit: 'always', to: 'organisations', by: 'customerCode' },
    label: 'Reference',
    value: null,
    error: null,
  },
];

function Fields() {
  return (
    <>
      <Part file="features/admin/form/record-field.tsx">
        <State name="kinds" given={noSuggestions}>
          <div className="flex flex-col gap-4">
            {inputs.map((input) => (
              <RecordField
                key={input.name}
                {...input}
                hint={null}
                onChange={(value) => report(JSON.stringify(value))}
              />
            ))}
          </div>
        </State>
      </Part>
      <Part file="features/admin/form/image-field.tsx">
        {(
          [
            ['a logo', logo, null],
            ['none, refused', null, 'This is too long.'],
          ] as const
        ).map(([name, value, error]) => (
          <State key={name} name={name}>
            <ImageField
              name="logo"
              field={{ kind: 'image', edit: 'always', most: 131_072 }}
              label="Logo"
              hint={null}
              {...{ value, error }}
              onChange={(next) => report(JSON.stringify(next).slice(0, 25))}
            />
          </State>
        ))}
      </Part>
      <Part file="features/admin/form/file-field.tsx">
        {(
          [
            ['a present file', 'ab'.repeat(32), null],
            ['none, refused', null, 'This is too long.'],
          ] as const
        ).map(([name, value, error]) => (
          <State key={name} name={name}>
            <FileField
              name="image"
              field={{ kind: 'file', edit: 'always', most: 1024 }}
              label="Image"
              hint={null}
              {...{ value, error }}
              onChange={(next) => report(String(next).slice(0, 8))}
            />
          </State>
        ))}
      </Part>
    </>
  );
}

function Editors() {
  return (
    <>
      <Part file="features/admin/form/record-conflict.tsx">
        {(['clash', 'other fields'] as const).map((name) => (
          <State key={name} name={name}>
            <Words>
              {({ t, language }) => (
                <RecordConflict
                  resource={declaredUsers}
                  writing={{ t, language, now }}
                  overtaken={{
                    taken: [{ field: 'operator', before: false, theirs: true }],
                    clashes:
                      name === 'clash'
                        ? [{ field: 'name', before: 'Anna', theirs: 'Anna C.', mine: 'Anna Conti' }]
                        : [],
                  }}
                  onDecide={(takesTheirs) => report(takesTheirs ? 'theirs' : 'mine')}
                />
              )}
            </Words>
          </State>
        ))}
      </Part>
      <Part file="features/admin/form/record-editor.tsx">
        <State name="a new user" given={noSuggestions}>
          <RecordEditor
            resource={declaredResource('users')}
            record={null}
            defaults={{ portalAccess: true }}
            create="Add user"
            onSaved={() => report('saved')}
          />
        </State>
        <State name="an existing user" given={noSuggestions}>
          <RecordEditor
            resource={declaredResource('users')}
            record={user}
            defaults={{}}
            create=""
            onSaved={() => report('saved')}
          />
        </State>
      </Part>
    </>
  );
}

function Records() {
  return (
    <>
      <Part file="features/admin/record-page.tsx">
        <State name="read only" given={[record('engines', guidOf(960), { data: engine })]}>
          <RecordPage
            resource={declaredResource('engines')}
            guid={guidOf(960)}
            list={{ href: '/admin/engines', text: 'Engines' }}
            add=""
            defaults={{}}
            related={[]}
          />
        </State>
        <State
          name="a vendor's engine"
          given={[record('engines', vendorEngine.guid, { data: vendorEngine })]}
        >
          <RecordPage
            resource={declaredResource('engines')}
            guid={vendorEngine.guid}
            list={{ href: '/admin/engines', text: 'Engines' }}
            add="Add engine"
            defaults={{}}
            related={[]}
          />
        </State>
      </Part>
      <Part file="features/admin/actions/findings-dialog.tsx">
        <State name="two engines" window={420}>
          <FindingsDialog
            findings={[
              {
                name: 'acme',
                state: 'ok',
                text: 'https://api.vendor.example accepts the credentials.',
              },
              {
                name: 'a vendor with a long name',
                state: 'wrong',
                text: 'The service does not respond (connect ECONNREFUSED 127.0.0.1:443). Check the address.',
              },
            ]}
            onClose={() => report('closed')}
          />
        </State>
      </Part>
    </>
  );
}

export function FormParts() {
  return (
    <>
      <Fields />
      <Editors />
      <Records />
    </>
  );
}
