/** The account's menu: the signed-in user, their account, the dashboard, the theme, and sign-out. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import LogOut from 'lucide-react/icons/log-out';
import Settings from 'lucide-react/icons/settings';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useConfig } from '../features/service-status/service-status.ts';
import { useLogout, useSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { Confirm } from '../ui/dialogs/confirm.tsx';
import { Icon } from '../ui/display/icon.tsx';
import { Menu } from '../ui/actions/menu.tsx';
import { PlainButton } from '../ui/actions/plain-button.tsx';
import { showFailure } from '../ui/toasts/toast.tsx';
import { findUnsaved, type Unsaved } from '../ui/dialogs/unsaved-work.ts';
import { initialsOf } from './initials.ts';
import { chooseTheme, chosenTheme, type Theme, themes } from './theme.ts';

function Avatar({ name, logoURL }: { readonly name: string; readonly logoURL: string | null }) {
  return logoURL === null ? (
    // Rendered by CSS: the initials are not part of the button's accessible name.
    <span
      aria-hidden="true"
      data-initials={initialsOf(name)}
      className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent before:content-[attr(data-initials)]"
    />
  ) : (
    <img
      src={logoURL}
      alt=""
      width="28"
      height="28"
      className="size-7 shrink-0 rounded-s border border-line bg-surface object-contain"
    />
  );
}

const themeWords = {
  system: 'layout.theme.system',
  light: 'layout.theme.light',
  dark: 'layout.theme.dark',
} as const satisfies Record<Theme, string>;

const endWords = {
  upload: 'session.endsUpload',
  import: 'session.endsUpload',
  files: 'session.endsFiles',
  settings: 'session.endsChanges',
  changes: 'session.endsChanges',
} as const satisfies Record<Unsaved, string>;

/** Signs out; asks first while a file is uploading or something is unsaved in any tab, because it would be lost. */
function useSignOut(): { readonly signOut: () => Promise<void>; readonly question: ReactNode } {
  const { t } = useTexts();
  const { mutate: logout } = useLogout();
  const [asked, setAsked] = useState<Unsaved | null>(null);
  const end = (): void => {
    setAsked(null);
    logout(undefined, { onError: (thrown) => showFailure(t, thrown) });
  };
  const signOut = async (): Promise<void> => {
    const [unsaved] = await findUnsaved();
    if (unsaved) setAsked(unsaved);
    else end();
  };
  const question = asked !== null && (
    <Confirm
      title={t('session.signOutTitle')}
      confirm={t('layout.logout')}
      stay={t('session.staySignedIn')}
      onCancel={() => setAsked(null)}
      onConfirm={end}
    >
      <p>{t(endWords[asked])}</p>
    </Confirm>
  );
  return { signOut, question };
}

export function UserMenu() {
  const { question, signOut } = useSignOut();
  return (
    <>
      <AccountMenu onSignOut={() => void signOut()} />
      {question}
    </>
  );
}

function AccountMenu({ onSignOut }: { readonly onSignOut: () => void }) {
  const { t } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const { links } = useConfig();
  const [theme, setTheme] = useState(chosenTheme);
  const name = session.userDisplayName;
  return (
    <Menu
      label={t('layout.userMenu', { name })}
      trigger={
        <PlainButton className="flex min-h-9 items-center gap-2 rounded-s px-1.5 text-md transition-colors hover:bg-sunken">
          <Avatar name={name} logoURL={session.userOrganizationLogoURL} />
          <span className="sr-only">{t('layout.account')}</span>
          <span className="sr-only md:not-sr-only md:max-w-40 md:truncate">{name}</span>
          <Icon of={ChevronDown} size={16} className="hidden text-ink-2 xs:block" />
        </PlainButton>
      }
      groups={[
        {
          title: `${name} · ${session.userOrganizationName}`,
          items: [
            {
              id: 'account',
              text: t('layout.account'),
              icon: Settings,
              onAction: () => void navigate('/account'),
            },
            {
              id: 'dashboard',
              text: t('layout.dashboard'),
              icon: LayoutDashboard,
              onAction: () => void window.open(links.dashboard, '_blank', 'noopener'),
            },
          ].filter(({ id }) => id !== 'dashboard' || links.dashboard !== ''),
        },
        {
          title: t('layout.appearance'),
          chosen: theme,
          items: themes.map((offered) => ({
            id: offered,
            text: t(themeWords[offered]),
            onAction: () => {
              chooseTheme(offered);
              setTheme(offered);
            },
          })),
        },
        { items: [{ id: 'logout', text: t('layout.logout'), icon: LogOut, onAction: onSignOut }] },
      ]}
    />
  );
}
