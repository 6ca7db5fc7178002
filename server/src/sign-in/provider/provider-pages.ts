/** The pages of the embedded provider: plain forms that work without JavaScript, in the product's look. */
import { html, type Markup, plainPage } from '../../http/pages/plain-page.ts';
import { fill, type Localization, type ServerTextKey } from '../../texts/texts.ts';
import { passkeyForm, passkeyScripts } from './factor-pages.ts';
import {
  longestPassword,
  type PasswordFault,
  shortestPassword,
} from './passwords/password-rules.ts';

function problem(text: string | null): Markup | null {
  return text === null ? null : html`<p class="problem" id="problem" role="alert">${text}</p>`;
}

/** What the sign-in page shows in addition to its form. */
export interface SignInPage {
  /** The path of this interaction; the form is posted to its own URL. */
  readonly action: string;
  /** The previous input, or empty. */
  readonly email: string;
  readonly outcome: 'none' | 'wrong' | 'busy' | 'passkey' | { readonly waitMinutes: number };
  /** The path of the page for users who have forgotten their password; null if there is none. */
  readonly forgotten: string | null;
  /** Whether browsers offer passkeys at this address. */
  readonly canUsePasskey: boolean;
  /** An account that anyone can try, with its password. */
  readonly demo: { readonly email: string; readonly password: string } | null;
}

/** The page that asks for account and password. */
export function signInPage(language: Localization, shown: SignInPage): string {
  const { texts } = language;
  const trouble =
    typeof shown.outcome === 'string'
      ? wordsOfOutcome(language, shown.outcome)
      : fill(texts.signInWait, shown.outcome.waitMinutes);
  const described = html`${trouble === null ? null : html` aria-describedby="problem" aria-invalid="true"`}`;
  // Focuses the first empty field.
  const focusEmail = shown.email === '' ? html` autofocus` : null;
  const focusPassword = shown.email === '' ? null : html` autofocus`;
  return plainPage(
    language.locale,
    texts.signInTitle,
    html`${problem(trouble)}<form method="post" action="${shown.action}">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" value="${shown.email}" autocomplete="${shown.canUsePasskey ? 'username webauthn' : 'username'}" autocapitalize="none" spellcheck="false" maxlength="254" required${focusEmail}${described}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="${String(longestPassword)}" required${focusPassword}${described}>
<button type="submit">${texts.signInButton}</button>
</form>${shown.canUsePasskey ? passkeyForm(language, shown.action) : null}${forgottenLink(language, shown.forgotten)}${demoHint(language, shown.demo)}`,
    shown.canUsePasskey ? passkeyScripts : [],
  );
}

function wordsOfOutcome({ texts }: Localization, outcome: Extract<SignInPage['outcome'], string>) {
  return {
    none: null,
    wrong: texts.signInWrong,
    busy: texts.signInBusy,
    passkey: texts.passkeyFailed,
  }[outcome];
}

function forgottenLink({ texts }: Localization, path: string | null): Markup | null {
  return path === null
    ? null
    : html`
<p><a href="${path}">${texts.forgotLink}</a></p>`;
}

function demoHint(language: Localization, demo: SignInPage['demo']): Markup | null {
  if (demo === null) return null;
  const code = (text: string): Markup => html`<code>${text}</code>`;
  const [before = '', between = '', after = ''] = language.texts.demoHint.split(/\{[01]\}/);
  return html`
<p class="hint">${before}${code(demo.email)}${between}${code(demo.password)}${after}</p>`;
}

/** The page on which users ask for a link with which they set a new password. */
export function forgottenPage(language: Localization, action: string): string {
  const { texts } = language;
  return plainPage(
    language.locale,
    texts.forgotTitle,
    html`<p>${texts.forgotText}</p>
<form method="post" action="${action}">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus>
<button type="submit">${texts.forgotButton}</button>
</form>`,
  );
}

/** The same for every address, so that it shows nothing about accounts. */
export function forgottenDonePage(language: Localization): string {
  return noticePage(language, ['forgotDoneTitle', 'forgotDoneText', 'backToSignIn']);
}

/** A page with one message, and a link to the portal's first page. */
function noticePage(
  { locale, texts }: Localization,
  [title, text, link]: readonly [ServerTextKey, ServerTextKey, ServerTextKey],
  detail: string | null = null,
): string {
  return plainPage(
    locale,
    texts[title],
    html`<p>${texts[text]}</p>
${detail ? html`<p class="hint"><code>${detail}</code></p>` : null}
<p><a class="button" href="/">${texts[link]}</a></p>`,
  );
}

/** For a sign-in that has expired or is already complete. */
export function expiredPage(language: Localization): string {
  return noticePage(language, ['expiredTitle', 'expiredText', 'startAgain']);
}

/** Shown when too many requests are waiting. */
export function busyPage(language: Localization): string {
  return noticePage(language, ['errorTitle', 'signInBusy', 'startAgain']);
}

/** For a request that the provider refuses; `code` is the OpenID Connect error code. */
export function errorPage(language: Localization, code: string): string {
  return noticePage(language, ['errorTitle', 'errorText', 'startAgain'], code);
}

/** Asks whether to sign out. `form` is the provider's form, whose id is `op.logoutForm`. */
export function signOutPage(language: Localization, form: string): string {
  const { texts } = language;
  return plainPage(
    language.locale,
    texts.signOutTitle,
    html`<p>${texts.signOutText}</p>
${{ markup: form }}
<button type="submit" form="op.logoutForm" name="logout" value="yes">${texts.signOutButton}</button>`,
  );
}

function wordsOfFault({ texts }: Localization, fault: PasswordFault): string {
  return {
    PASSWORD_TOO_SHORT: fill(texts.passwordTooShort, shortestPassword),
    PASSWORD_TOO_LONG: fill(texts.passwordTooLong, longestPassword),
    PASSWORD_TOO_COMMON: texts.passwordTooCommon,
  }[fault];
}

/** The page on which an invited user sets a password. */
export function passwordPage(
  language: Localization,
  shown: { action: string; email: string; fault: PasswordFault | null },
): string {
  const { texts } = language;
  const trouble = shown.fault === null ? null : wordsOfFault(language, shown.fault);
  return plainPage(
    language.locale,
    texts.passwordTitle,
    html`<p>${fill(texts.passwordFor, shown.email)}</p>
${problem(trouble)}<form method="post" action="${shown.action}">
<input type="hidden" name="username" autocomplete="username" value="${shown.email}">
<label for="password">${texts.newPassword}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${String(shortestPassword)}" required autofocus aria-describedby="rule">
<p class="hint" id="rule">${fill(texts.passwordRule, shortestPassword)}</p>
<button type="submit">${texts.passwordButton}</button>
</form>`,
  );
}

/** Confirms that the password was set. */
export function passwordDonePage(language: Localization): string {
  return noticePage(language, ['passwordDoneTitle', 'passwordDoneText', 'signInButton']);
}

/** For a link that has expired or was used. */
export function invalidLinkPage(language: Localization): string {
  return noticePage(language, ['linkDeadTitle', 'linkDeadText', 'backToSignIn']);
}
