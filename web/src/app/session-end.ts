/** Sends the browser to sign in when the session has ended, here or in another tab. */
import { onSessionEnded } from '../api/session-id.ts';

/** The address that asks for a sign-in and comes back to where the user is. */
export function loginAddress(from: string): string {
  return from === '/' ? '/login' : `/login?from=${encodeURIComponent(from)}`;
}

function goToLogin(): void {
  location.assign(loginAddress(`${location.pathname}${location.search}`));
}

/** Watches for the end of the session; called once at the start. */
export function watchSessionEnd(): void {
  onSessionEnded(goToLogin);
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'LLC' && newValue === null) goToLogin();
  });
}
