/** Sends the browser to sign in when the session has ended, here or in another tab. */
import { onSessionEnded, wasSignedOut } from '../api/session-id.ts';

/** The address that asks for a sign-in and comes back to where the user is. */
export function loginAddress(from: string): string {
  return from === '/' ? '/login' : `/login?from=${encodeURIComponent(from)}`;
}

/** The address that says "you are signed out" and asks for a sign-in only when told to. */
export function signedOutAddress(from: string): string {
  return `/login?signedOut=1&from=${encodeURIComponent(from)}`;
}

const here = (): string => `${location.pathname}${location.search}`;

/** Watches for the end of the session; called once at the start. */
export function watchSessionEnd(): void {
  // After a logout the provider may still let this tab in without asking, so the page waits until the user signs in.
  const leave = (): void =>
    location.assign(wasSignedOut() ? signedOutAddress(here()) : loginAddress(here()));
  onSessionEnded(leave);
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'LLC' && newValue === null) leave();
  });
}
