/** The records of a list as a table: sorted by its headings, selected with checkboxes, walked through with the arrow keys. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/display/icon.tsx';
import { Link } from '../../../ui/actions/link.tsx';
import { PlainButton } from '../../../ui/actions/plain-button.tsx';

export interface TableColumn {
  readonly name: string;
  readonly label: string;
  readonly isSortable: boolean;
  /** Numbers and sizes are aligned at their end. */
  readonly isNumber: boolean;
}

export interface TableRow {
  readonly id: string;
  /** What identifies the record for people. */
  readonly title: string;
  readonly href: string;
  /** One cell for each column but the first, which is the title. */
  readonly cells: readonly ReactNode[];
  /** What a phone shows instead of the cells. */
  readonly summary: ReactNode;
  /** Whether the record is archived, suspended or revoked. */
  readonly isInactive: boolean;
}

export interface RecordTableProps {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** The name of the column, with a minus before it for the other direction. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** The IDs of the selected rows; null if nothing can be done with several. */
  readonly selected: ReadonlySet<string> | null;
  readonly onSelect: (id: string, isSelected: boolean) => void;
  readonly isBusy: boolean;
  readonly body: Ref<HTMLTableSectionElement>;
}

/** Phones show the first column, narrow tablets two, wide ones three, laptops five, wider windows all. */
const widths = ['', 'max-sm:hidden', 'max-md:hidden', 'max-lg:hidden', 'max-lg:hidden'];
const shownFrom = (column: number): string => widths[column] ?? 'max-xl:hidden';

const directions = { up: 'ascending', down: 'descending' } as const;

function directionOf(sort: string, name: string): keyof typeof directions | null {
  if (sort === name) return 'up';
  return sort === `-${name}` ? 'down' : null;
}

interface HeadingProps extends Pick<RecordTableProps, 'sort' | 'onSort'> {
  readonly column: TableColumn;
  readonly className: string;
}

function Heading({ column, className, sort, onSort }: HeadingProps) {
  const { name, label, isSortable, isNumber } = column;
  const direction = directionOf(sort, name);
  return (
    <th
      scope="col"
      aria-sort={direction === null ? undefined : directions[direction]}
      className={classNames(
        'px-3 py-2 text-sm font-medium text-ink-2',
        isNumber ? 'text-right' : 'text-left',
        className,
      )}
    >
      {isSortable ? (
        <PlainButton
          onPress={() => onSort(direction === 'up' ? `-${name}` : name)}
          className={classNames(
            '-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-s px-1.5 font-medium hover:bg-sunken hover:text-ink',
            isNumber && 'flex-row-reverse',
          )}
        >
          {label}
          {/* the space stays reserved, so that the columns do not move */}
          <Icon
            of={direction === 'down' ? ArrowDown : ArrowUp}
            size={14}
            className={direction === null ? 'invisible' : ''}
          />
        </PlainButton>
      ) : (
        label
      )}
    </th>
  );
}

interface RowProps extends Pick<RecordTableProps, 'columns' | 'selected' | 'onSelect'> {
  readonly row: TableRow;
}

function Row({ row, columns, selected, onSelect }: RowProps) {
  const { t } = useTexts();
  const { id, title, href, cells, summary, isInactive } = row;
  return (
    <tr
      className={classNames(
        'relative border-t border-line transition-colors hover:bg-sunken',
        selected?.has(id) === true && 'bg-accent-soft',
      )}
    >
      {selected !== null && (
        // above the link that covers the row; the checkbox has the label
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label
        <td className="relative z-10 w-8 py-1.5 pl-4 align-top">
          <Checkbox
            isSelected={selected.has(id)}
            onChange={(isSelected) => onSelect(id, isSelected)}
          >
            <span className="sr-only">{t('admin.selectNamed', { name: title })}</span>
          </Checkbox>
        </td>
      )}
      <th scope="row" className="px-3 py-2.5 text-left font-semibold">
        <Link
          href={href}
          className={classNames(
            'wrap-anywhere no-underline after:absolute after:inset-0 hover:underline',
            isInactive ? 'text-ink-2' : 'text-ink',
          )}
        >
          {title}
        </Link>
        <div className="mt-0.5 text-sm font-normal text-ink-2 sm:hidden">{summary}</div>
      </th>
      {cells.map((cell, at) => (
        <td
          key={columns[at + 1]?.name}
          className={classNames(
            'px-3 py-2.5 wrap-anywhere text-ink-2',
            columns[at + 1]?.isNumber === true && 'text-right tabular-nums',
            shownFrom(at + 1),
          )}
        >
          {cell}
        </td>
      ))}
    </tr>
  );
}

/** Moves the focus from the name of a record to that of another one. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('th[scope=row] a')];
  const at = links.findIndex((link) => link === document.activeElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: links.length - 1,
  };
  const target = targets[event.key];
  const next = target === undefined || at < 0 ? undefined : links[target];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

export function RecordTable(props: RecordTableProps) {
  const { label, columns, rows, sort, onSort, selected, onSelect, isBusy, body } = props;
  const { t } = useTexts();
  return (
    <div className="overflow-x-auto rounded-l border border-line bg-surface">
      <table aria-label={label} aria-busy={isBusy || undefined} className="w-full text-md">
        <thead>
          <tr>
            {selected !== null && (
              // the checkbox has the label
              // oxlint-disable-next-line jsx-a11y/control-has-associated-label
              <td className="w-8 pl-4">
                <Checkbox
                  isSelected={rows.length > 0 && rows.every(({ id }) => selected.has(id))}
                  onChange={(isSelected) => {
                    for (const { id } of rows) onSelect(id, isSelected);
                  }}
                >
                  <span className="sr-only">{t('admin.selectAll')}</span>
                </Checkbox>
              </td>
            )}
            {columns.map((column, at) => (
              <Heading key={column.name} {...{ column, sort, onSort }} className={shownFrom(at)} />
            ))}
          </tr>
        </thead>
        {/* the keys move between the links, which stay in the order of the Tab key */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody ref={body} onKeyDown={walk}>
          {rows.map((row) => (
            <Row key={row.id} {...{ row, columns, selected, onSelect }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
