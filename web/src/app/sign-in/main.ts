/**
 * The sign-in page: `/login` redirects to the sign-in server, `/loggedin` exchanges its token for a session. Kept
 * small: no React here.
 */
import type { SignInError } from '@recodery/contract/features/session';
import { signedInPath, signInStartPath } from '@recodery/contract/sign-in-paths';
import { chooseLanguage, storedLanguage } from '../../i18n/languages.ts';
import { readSessionId } from '../../api/session-id.ts';
import { trade } from './exchange-token.ts';
import { rememberPlace, safePath, takePlace } from './return-path.ts';

type Texts = typeof import('../../i18n/locales/en-US/sign-in.json');

const language = chooseLanguage(storedLanguage(), null, navigator.languages);
const loaders = import.meta.glob<Texts>('../../i18n/locales/*/sign-in.json', { import: 'default' });

/** The text for each reason that the server reports. */
const failures = {
  SIGN_IN_REFUSED: 'failed.refused',
  SIGN_IN_EXPIRED: 'failed.expired',
  SIGN_IN_ACCOUNT_UNKNOWN: 'failed.unknown',
  SIGN_IN_EMAIL_MISSING: 'failed.noEmail',
  SIGN_IN_EMAIL_UNVERIFIED: 'failed.unverified',
  SIGN_IN_NO_ORGANISATION: 'failed.noOrganisation',
  SIGN_IN_UNAVAILABLE: 'failed.unavailable',
} as const satisfies Record<SignInError, keyof Texts>;

function isKnown(reason: string): reason is SignInError {
  return Object.hasOwn(failures, reason);
}

/** The text for a reason. Anyone can write a link to this page, so it shows nothing from the link itself. */
function failureOf(reason: string | null): keyof Texts {
  if (reason === null) return 'failed.expired';
  return isKnown(reason) ? failures[reason] : 'failed.generic';
}

/** The page is invisible until it has a message; `role` makes screen readers announce a failure. */
function show(role: 'status' | 'alert', ...lines: readonly HTMLElement[]): void {
  const place = document.getElementById('sign-in');
  const card = document.createElement('div');
  card.setAttribute('role', role);
  card.className = 'card';
  card.append(...lines);
  place?.replaceChildren(card);
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function buttonTo(href: string, text: string): HTMLElement {
  const link = element('a', text);
  link.setAttribute('href', href);
  link.className = 'button';
  return link;
}

function showFailure(texts: Texts, advice: string): void {
  const retry = buttonTo('/', texts.tryAgain);
  show('alert', element('h1', texts['failed.title']), element('p', advice), retry);
}

/** Resolves when the page becomes visible: to true immediately, to false after a wait. */
async function canBeSeen(): Promise<boolean> {
  if (document.visibilityState !== 'hidden') return true;
  await new Promise((resolve) => {
    document.addEventListener('visibilitychange', resolve, { once: true });
  });
  return false;
}

function showSignedOut(texts: Texts, from: string): void {
  const title = element('h1', texts['signedOut.title']);
  const advice = element('p', texts['signedOut.advice']);
  const address = from === '/' ? '/login' : `/login?from=${encodeURIComponent(from)}`;
  show('alert', title, advice, buttonTo(address, texts.signIn));
}

async function begin(texts: Texts, query: URLSearchParams): Promise<void> {
  const from = safePath(query.get('from'));
  if (query.has('signedOut')) {
    showSignedOut(texts, from);
    return;
  }
  show('status', element('h1', texts.going));
  rememberPlace(from);
  // A sign-in expires after minutes: if started in a background tab, it would have expired by the time the user
  // returns.
  const isAtOnce = await canBeSeen();
  const isSignedIn = !isAtOnce && readSessionId() !== null;
  location.replace(isSignedIn ? from : `${signInStartPath}?returnTo=${encodeURIComponent(from)}`);
}

async function finish(texts: Texts, query: URLSearchParams): Promise<void> {
  const token = query.get('__dbSSO_token__');
  const place = query.get('from');
  // The token can be used once; it must appear neither in the address bar nor in the history.
  history.replaceState(null, '', signedInPath);
  if (token === null) {
    showFailure(texts, texts[failureOf(query.get('error'))]);
    return;
  }
  show('status', element('h1', texts.signingIn));
  const outcome = await trade(token);
  if (outcome !== 'signed in') {
    showFailure(texts, texts[outcome]);
    return;
  }
  const remembered = takePlace();
  location.replace(place === null ? remembered : safePath(place));
}

const texts = await loaders[`../../i18n/locales/${language}/sign-in.json`]?.();
if (texts === undefined) throw new Error(`${language} has no sign-in.json`);
document.documentElement.lang = language;
const query = new URLSearchParams(location.search);
await (location.pathname === signedInPath ? finish(texts, query) : begin(texts, query));
