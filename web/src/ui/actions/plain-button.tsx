/**
 * The unstyled button that all buttons use. It is the browser's own: React Aria's would be as large as the whole home
 * page's code.
 */
import {
  type ButtonHTMLAttributes,
  createContext,
  type FocusEvent,
  type Ref,
  use,
  useState,
} from 'react';

/** The props that a menu adds to the button that opens it. */
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
  /** Keeps the focus but does nothing while the action it started is still running. */
  readonly isPending?: boolean | undefined;
}

/**
 * A button that is disabled while it has the focus keeps it: the browser would otherwise move the keyboard position to
 * the start of the page.
 */
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
