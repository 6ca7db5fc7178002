/** A link in running text. */
import { classNames } from '../class-names.ts';
import { Link, type LinkProps } from './link.tsx';

export function TextLink({ className, ...rest }: LinkProps) {
  return (
    <Link
      {...rest}
      className={classNames(
        'rounded-[3px] text-accent underline decoration-from-font underline-offset-2 hover:text-accent-hover',
        className,
      )}
    />
  );
}
