/** A button that shows and hides the deliveries to a receiver, which are requested when they are shown. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/display/icon.tsx';
import { PlainButton } from '../../ui/actions/plain-button.tsx';
import { DeliveryList, type DeliveryListProps } from './delivery-list.tsx';

export interface DeliveriesProps extends DeliveryListProps {
  readonly title: string;
  /** The title with the receiver, for screen readers. */
  readonly label: string;
  readonly isOpenAtFirst?: boolean;
}

export function Deliveries({ title, label, isOpenAtFirst = false, ...list }: DeliveriesProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <div>
      <PlainButton
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={label}
        onPress={() => setIsOpen(!isOpen)}
        className="-ml-1.5 inline-flex min-h-8 items-center gap-1.5 rounded-s px-1.5 text-md font-medium text-ink-2 hover:text-ink"
      >
        <Icon
          of={ChevronDown}
          size={16}
          className={classNames('transition-transform', !isOpen && '-rotate-90')}
        />
        {title}
      </PlainButton>
      <div id={id} hidden={!isOpen} className="pt-1">
        {isOpen && <DeliveryList {...list} />}
      </div>
    </div>
  );
}
