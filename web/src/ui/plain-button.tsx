/** The bare button under all buttons. The browser's own: React Aria's would weigh as much as the whole home page's code. */
import {
  type ButtonHTMLAttributes,
  createContext,
  type FocusEvent,
  type Ref,
  use,
  useState,
} from 'react';

/** What a menu adds to the button that opens it. */
export const TriggerContext = createContext<TriggerProps | null>(null);

export type TriggerProps = Pick<
  ButtonHTMLAttributes<HTMLButtonElement>,
  | 'aria-haspopup'
  | 'aria-expanded'
  | 'aria-controls'
  | 'onClick'
  | 'onKeyDown'
  | 'onPointerEnter'
  | 'onFocus'
> & { readonly ref: Ref<HTMLButtonElement> };

export interface PlainButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick' | 'style'> {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onPress?: (() => void) | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Keeps the focus but does nothing, while what it began is still going on. */
  readonly isPending?: boolean | undefined;
}

/** Disabled while it has the focus it keeps it: the browser would put the keyboard's place at the page's beginning. */
export function PlainButton({
  onPress,
  isDisabled = false,
  isPending = false,
  onFocus,
  onBlur,
  onKeyDown,
  ...rest
}: PlainButtonProps) {
  const trigger = use(TriggerContext);
  const [isFocused, setIsFocused] = useState(false);
  const isIdle = isPending || isDisabled;
  return (
    <button
      type="button"
      {...rest}
      {...trigger}
      disabled={isDisabled && !isFocused}
      aria-disabled={isIdle || undefined}
      data-disabled={isDisabled || undefined}
      onClick={isIdle ? undefined : (trigger?.onClick ?? onPress)}
      onKeyDown={isIdle ? undefined : (trigger?.onKeyDown ?? onKeyDown)}
      onFocus={(event: FocusEvent<HTMLButtonElement>) => {
        setIsFocused(true);
        onFocus?.(event);
        trigger?.onFocus?.(event);
      }}
      onBlur={(event: FocusEvent<HTMLButtonElement>) => {
        setIsFocused(false);
        onBlur?.(event);
      }}
    />
  );
}
