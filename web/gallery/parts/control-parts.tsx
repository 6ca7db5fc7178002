/** The controls of `src/ui`, buttons and fields, in all their states. */
import Download from 'lucide-react/icons/download';
import Send from 'lucide-react/icons/send';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState } from 'react';
import { Button } from '../../src/ui/actions/button.tsx';
import { Checkbox } from '../../src/ui/fields/checkbox.tsx';
import { LinkButton } from '../../src/ui/actions/link-button.tsx';
import { PlainButton } from '../../src/ui/actions/plain-button.tsx';
import { Select } from '../../src/ui/fields/select.tsx';
import { SplitButton } from '../../src/ui/actions/split-button.tsx';
import { Switch } from '../../src/ui/fields/switch.tsx';
import { TextField, type TextFieldProps } from '../../src/ui/fields/text-field.tsx';
import { Part, Row, State, report } from '../state.tsx';

const looks = ['primary', 'secondary', 'quiet', 'danger'] as const;
const sizes = ['small', 'medium', 'large'] as const;

function Buttons() {
  return (
    <>
      <Part file="ui/actions/button.tsx">
        {looks.map((look) => (
          <State key={look} name={look}>
            <Row>
              {sizes.map((size) => (
                <Button
                  key={size}
                  look={look}
                  size={size}
                  icon={Download}
                  onPress={() => report(size)}
                >
                  {size}
                </Button>
              ))}
              <Button look={look}>Words alone</Button>
              <Button look={look} icon={Download} label="Icon alone" />
              <Button look={look} isPending onPress={() => report('pending')}>
                Pending
              </Button>
              <Button look={look} isDisabled icon={Download} onPress={() => report('disabled')}>
                Disabled
              </Button>
            </Row>
          </State>
        ))}
      </Part>
    </>
  );
}

function OtherButtons() {
  return (
    <>
      <Part file="ui/actions/split-button.tsx">
        {[{}, { isPending: true }, { isDisabled: true }].map((props, at) => (
          <State key={at} name={Object.keys(props)[0] ?? 'ready'}>
            <SplitButton
              {...props}
              more="More ways to encode"
              actions={[
                {
                  id: 'send',
                  text: 'Encode and send',
                  icon: Send,
                  onAction: () => report('send'),
                },
                {
                  id: 'encode',
                  text: 'Encode',
                  icon: ShieldCheck,
                  onAction: () => report('encode'),
                },
              ]}
            />
          </State>
        ))}
      </Part>
      <Part file="ui/actions/link-button.tsx">
        <State name="looks">
          <Row>
            {looks.map((look) => (
              <LinkButton key={look} look={look} href="/">
                {look}
              </LinkButton>
            ))}
          </Row>
        </State>
      </Part>
      <Part file="ui/actions/plain-button.tsx">
        <State name="bare">
          <PlainButton onPress={() => report('pressed')}>It has no look of its own</PlainButton>
        </State>
      </Part>
    </>
  );
}

function AField({ value: beginning, ...props }: Omit<TextFieldProps, 'label' | 'onChange'>) {
  const [value, setValue] = useState(beginning);
  return (
    <div className="g-narrow">
      <TextField label="Recipient e-mail" value={value} onChange={setValue} {...props} />
    </div>
  );
}

function ASelect({ isDisabled = false }: { readonly isDisabled?: boolean }) {
  const [value, setValue] = useState<string | null>('one');
  return (
    <Select
      label="Master device"
      value={value}
      onChange={setValue}
      isDisabled={isDisabled}
      options={[
        { id: 'one', text: 'KS3-M-0001 G-10' },
        { id: 'two', text: 'KS3-M-0002-OF-A-VERY-LONG-SERIAL-NUMBER G-11-LIKEWISE-LONG' },
      ]}
    />
  );
}

function ASwitch({ isDisabled = false }: { readonly isDisabled?: boolean }) {
  const [isSelected, setIsSelected] = useState(isDisabled);
  return (
    <Switch isSelected={isSelected} onChange={setIsSelected} isDisabled={isDisabled}>
      Correct the CVN
    </Switch>
  );
}

function ACheckbox() {
  const [isSelected, setIsSelected] = useState(true);
  return (
    <Checkbox isSelected={isSelected} onChange={setIsSelected}>
      I accept the terms of use
    </Checkbox>
  );
}

function Fields() {
  return (
    <>
      <Part file="ui/fields/text-field.tsx">
        {(
          [
            ['empty', { value: '', hint: 'Without an address the file is downloaded here.' }],
            ['with a placeholder', { value: '', placeholder: '%d', isMono: true }],
            ['filled', { value: 'garage@rossi.test', hint: 'Garage Rossi' }],
            [
              'wrong',
              { value: 'garage@', hint: 'Garage Rossi', error: 'This is not a complete address.' },
            ],
            ['several lines', { value: 'Stage 1\nEGR as it was', lines: 4 }],
          ] as const
        ).map(([name, props]) => (
          <State key={name} name={name}>
            <AField {...props} />
          </State>
        ))}
      </Part>
      <Part file="ui/fields/select.tsx">
        <State name="ready and disabled">
          <div className="g-narrow">
            <ASelect />
            <ASelect isDisabled />
          </div>
        </State>
      </Part>
      <Part file="ui/fields/checkbox.tsx">
        <State name="ready">
          <ACheckbox />
        </State>
      </Part>
      <Part file="ui/fields/switch.tsx">
        <State name="ready and disabled">
          <ASwitch />
          <ASwitch isDisabled />
        </State>
      </Part>
    </>
  );
}

export function ControlParts() {
  return (
    <>
      <Buttons />
      <OtherButtons />
      <Fields />
    </>
  );
}
