/**
 * Replaces every private page for an account that can sign in but not open the portal: whom to contact, and how to sign
 * out.
 */
import { useMatches } from 'react-router';
import { useLogout, useSession } from '../features/session/session.ts';
import { type TextOf, useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/actions/button.tsx';
import { ForbiddenScreen } from '../ui/loading/forbidden-screen.tsx';
import { showFailure } from '../ui/toasts/toast.tsx';

/** Static data of a route. */
export interface RouteHandle {
  /** The name of its page. */
  readonly title: (t: TextOf) => string;
}

function isRouteHandle(handle: unknown): handle is RouteHandle {
  return typeof handle === 'object' && handle !== null && 'title' in handle;
}

export function NoAccess() {
  const { t } = useTexts();
  const { userDisplayName: name } = useSession();
  const leave = useLogout();
  const handle = useMatches()
    .map((match) => match.handle)
    .find(isRouteHandle);
  return (
    <ForbiddenScreen
      {...(handle === undefined ? {} : { pageTitle: handle.title(t) })}
      headline={t('USER_NO_RIGHTS_TITLE')}
      advice={t('noAccess.advice', { name })}
      code="USER_NO_RIGHTS"
      way={
        <Button
          size="large"
          isPending={leave.isPending}
          onPress={() => leave.mutate(undefined, { onError: (thrown) => showFailure(t, thrown) })}
        >
          {t('layout.logout')}
        </Button>
      }
    />
  );
}
