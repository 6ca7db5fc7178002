/** The bytes of both files around a position, side by side, or one below the other on a phone. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import { type FormEvent, useId, useRef, useState } from 'react';
import { numberText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { addressText, bareAddress, readAddress } from './addresses.ts';
import { layoutFor } from './hex-layout.ts';
import { HexTable, type ShownBytes } from './hex-table.tsx';
import { useWidth } from './use-width.ts';

export interface HexViewProps extends ShownBytes {
  /** To the next change, or the one before. */
  readonly onStep: (by: 1 | -1) => void;
  readonly onJump: (offset: number) => void;
}

function AddressForm({ size, onJump }: { size: number; onJump: (offset: number) => void }) {
  const { t } = useTexts();
  const [text, setText] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const offset = readAddress(text, size);
    setIsWrong(offset === null);
    if (offset !== null) onJump(offset);
  };
  return (
    <form onSubmit={submit} noValidate className="flex min-w-0 items-start gap-2">
      <div className="w-44">
        <TextField
          label={t('changes.address')}
          value={text}
          onChange={(value) => {
            setText(value);
            setIsWrong(false);
          }}
          isMono
          maxLength={12}
          autoComplete="off"
          error={isWrong ? t('changes.addressFault', { last: addressText(size - 1, size) }) : null}
        />
      </div>
      <Button type="submit" className="mt-[26px]">
        {t('changes.go')}
      </Button>
    </form>
  );
}

export function HexView(props: HexViewProps) {
  const { t, language } = useTexts();
  const { comparison, region, onStep, onJump } = props;
  const { regionCount, size } = comparison;
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const layout = width === null ? null : layoutFor(width, bareAddress(0, size).length);
  const label = useId();
  return (
    <section className="flex min-h-0 min-w-0 flex-col gap-2" aria-labelledby={label}>
      <h3 id={label} className="sr-only">
        {t('changes.hex')}
      </h3>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-center gap-2 lg:pt-[26px]">
          <Button icon={ChevronUp} isDisabled={region?.number === 0} onPress={() => onStep(-1)}>
            {t('changes.previous')}
          </Button>
          <Button
            icon={ChevronDown}
            isDisabled={region?.number === regionCount - 1}
            onPress={() => onStep(1)}
          >
            {t('changes.next')}
          </Button>
          <p role="status" className="text-sm text-ink-2 tabular-nums">
            {region !== null &&
              t('changes.current', {
                number: numberText(region.number + 1, language),
                count: numberText(regionCount, language),
                address: addressText(region.offset, size),
              })}
          </p>
        </div>
        <AddressForm size={size} onJump={onJump} />
      </div>
      <div ref={ref} className="flex h-[26rem] flex-col lg:h-auto lg:min-h-0 lg:flex-1">
        {layout && (
          <HexTable
            // another layout has different rows; it begins at the same position
            key={`${layout.bytes} ${layout.isSideBySide}`}
            {...props}
            layout={layout}
            labelledBy={label}
          />
        )}
      </div>
    </section>
  );
}
