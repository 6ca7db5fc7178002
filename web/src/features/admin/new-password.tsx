/** The field for a new password, which the user can make visible instead of entering it twice. */
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { faultText } from './records/resource-words.ts';

export interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  /** The code of the fault. */
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

export function NewPassword({ label, value, fault, onChange }: NewPasswordProps) {
  const { t } = useTexts();
  const [isVisible, setIsVisible] = useState(false);
  return (
    <div className="flex flex-col gap-1">
      <TextField
        label={label}
        value={value}
        type={isVisible ? 'text' : 'password'}
        autoComplete="new-password"
        maxLength={200}
        hint={fault === undefined && t('admin.password.hint')}
        error={fault === undefined ? null : faultText(t, fault)}
        onChange={onChange}
      />
      <Checkbox isSelected={isVisible} onChange={setIsVisible}>
        {t('admin.password.show')}
      </Checkbox>
    </div>
  );
}
