/** The links between the sections of a page, each with its own address. */
import { NavLink } from 'react-router';
import { classNames } from './class-names.ts';

export interface SectionLinksProps {
  readonly label: string;
  readonly sections: readonly {
    readonly to: string;
    readonly text: string;
    /** Whether only this address belongs to the section, and none below it. */
    readonly isExact?: boolean;
  }[];
}

export function SectionLinks({ label, sections }: SectionLinksProps) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-1">
        {sections.map(({ to, text, isExact = true }) => (
          <li key={to}>
            <NavLink
              end={isExact}
              to={to}
              className={({ isActive }) =>
                classNames(
                  'flex min-h-9 items-center rounded-full px-3.5 text-md no-underline transition-colors',
                  isActive
                    ? 'bg-accent-soft font-semibold text-accent forced-colors:border-2 forced-colors:border-[Highlight]'
                    : 'text-ink-2 hover:bg-sunken hover:text-ink',
                )
              }
            >
              {text}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
