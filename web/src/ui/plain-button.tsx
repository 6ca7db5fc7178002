/** The bare button under all buttons. The browser's own: React Aria's would weigh as much as the whole home page's code. */
import { type ButtonHTMLAttributes, createContext, type Ref, use } from 'react';

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
  readonly onPress?: (() => void) | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Keeps the focus but does nothing, while what it began is still going on. */
  readonly isPending?: boolean | undefined;
}

export function PlainButton({
  onPress,
  isDisabled = false,
  isPending = false,
  ...rest
}: PlainButtonProps) {
  const trigger = use(TriggerContext);
  return (
    <button
      type="button"
      {...rest}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      onClick={isPending ? undefined : onPress}
      {...(isPending ? {} : trigger)}
    />
  );
}
