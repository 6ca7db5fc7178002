/**
 * What all settings pages share: the sections, each with its own address, a description of the open one, and the dialog
 * that adds something to it.
 */
import Plus from 'lucide-react/icons/plus';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useSession } from '../../features/session/session.ts';
import { type TextKey, useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { PlaceLink } from '../../ui/actions/link.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { PageTitle } from '../../ui/display/page-title.tsx';
import { LoadedPage, type LoadedPageProps } from '../loaded-page.tsx';

/** The links between sections, each with its own address. */
interface SectionLinksProps {
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
            <PlaceLink
              href={to}
              hasPagesBelow={!isExact}
              className={(isCurrent) =>
                classNames(
                  'flex min-h-9 items-center rounded-full px-3.5 text-md no-underline transition-colors',
                  isCurrent
                    ? 'bg-accent-soft font-semibold text-accent forced-colors:border-2 forced-colors:border-[Highlight]'
                    : 'text-ink-2 hover:bg-sunken hover:text-ink',
                )
              }
            >
              {text}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The text of each section's link, by its path. */
const sections = {
  '/settings': 'settings.general',
  '/settings/clients': 'clients.title',
  '/settings/webhooks': 'webhooks.title',
  '/settings/engines': 'engines.title',
  '/settings/storage': 'storage.title',
  '/admin/people': 'settings.people',
} as const satisfies Record<string, TextKey>;

export interface SettingsSectionsProps {
  readonly path: keyof typeof sections;
  readonly about?:
    | 'settings.about'
    | 'clients.about'
    | 'webhooks.about'
    | 'engines.about'
    | 'storage.about'
    | 'people.about'
    | undefined;
  /** The section's action. */
  readonly aside?: ReactNode;
  /** What to know before the content. */
  readonly note?: string | undefined;
}

export function SettingsSections({ path, about, aside, note }: SettingsSectionsProps) {
  const { t } = useTexts();
  const { customerCode, customerCodeNames } = useSession();
  const organisation = [customerCode, customerCodeNames[customerCode]].filter(Boolean).join(' ');
  const settings = t('menu.settings');
  return (
    <>
      <PageTitle
        title={settings}
        tabTitle={path === '/settings' ? settings : `${t(sections[path])} · ${settings}`}
      />
      <SectionLinks
        label={t('settings.sections')}
        sections={Object.entries(sections).map(([to, text]) => ({ to, text: t(text) }))}
      />
      {about !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 md:flex-nowrap">
          <p className="max-w-[70ch] text-pretty text-ink-2">
            <LongText>{t(about, { organisation })}</LongText>
          </p>
          {aside !== undefined && <div className="max-sm:w-full sm:shrink-0">{aside}</div>}
        </div>
      )}
      {note !== undefined && <p className="text-md text-ink-2">{note}</p>}
    </>
  );
}

export interface SettingsFrameProps<T>
  extends Omit<SettingsSectionsProps, 'aside' | 'note'>,
    Pick<LoadedPageProps<T>, 'query' | 'children'> {
  /** Whether only managers of the organisation can change what the section shows. */
  readonly isManaged?: boolean;
  /** The label of the section's button, and the dialog that it opens. */
  readonly add?: {
    readonly label: 'clients.add' | 'webhooks.add';
    readonly Dialog: ComponentType<{ readonly onClose: () => void }>;
  };
}

export function SettingsFrame<T>({
  query,
  children,
  isManaged = false,
  add,
  ...head
}: SettingsFrameProps<T>) {
  const { t } = useTexts();
  const { isManager } = useSession();
  const mayChange = isManager || !isManaged;
  const [isAdding, setIsAdding] = useState(false);
  const aside = add && mayChange && (
    <Button look="primary" icon={Plus} className="max-sm:w-full" onPress={() => setIsAdding(true)}>
      {t(add.label)}
    </Button>
  );
  return (
    <LoadedPage
      query={query}
      title={t('menu.settings')}
      head={
        <SettingsSections
          {...head}
          aside={aside || undefined}
          note={mayChange ? undefined : t('settings.managersOnly')}
        />
      }
    >
      {(data) => (
        <>
          {children(data)}
          {add && isAdding && <add.Dialog onClose={() => setIsAdding(false)} />}
        </>
      )}
    </LoadedPage>
  );
}
