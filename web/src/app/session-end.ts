/** Sends the browser to the sign-in when the session has ended, here or in another tab. */
import {
  forgetSessionId,
  onSessionEnded,
  wasSignedOut,
  watchSessionOfTabs,
} from '../api/session-id.ts';
import { discardUnsaved } from '../ui/dialogs/unsaved-work.ts';

/** The address that starts a sign-in and returns to the current page. */
export function loginAddress(from: string): string {
  return from === '/' ? '/login' : `/login?from=${encodeURIComponent(from)}`;
}

/** The address that shows "you are signed out" and starts a sign-in only on request. */
export function signedOutAddress(from: string): string {
  return `/login?signedOut=1&from=${encodeURIComponent(from)}`;
}

const here = (): string => `${location.pathname}${location.search}${location.hash}`;

/** Watches for the end of the session; called once at the start. */
export function watchSessionEnd(): void {
  const leave = (): void => {
    // After a sign-out the provider may still sign this tab in without asking, so the page waits until the user signs in.
    const isSignedOut = wasSignedOut();
    if (isSignedOut) {
      forgetSessionId();
      // the tab that signed out has already asked on behalf of all tabs
      discardUnsaved();
    }
    location.assign(isSignedOut ? signedOutAddress(here()) : loginAddress(here()));
  };
  onSessionEnded(leave);
  watchSessionOfTabs();
}
