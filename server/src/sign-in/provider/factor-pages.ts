/** What the sign-in pages show of second factors: the page that asks for a code, and the button for a passkey. */
import { html, type Markup, plainPage } from '../../http/pages/plain-page.ts';
import { fill, type Localization } from '../../texts/texts.ts';
import type { FactorKinds } from '../factors/factors.ts';

/** The script behind {@link passkeyForm}. */
export const passkeyScripts = ['/passkey.js'];

/** The button for a passkey, which is hidden without JavaScript. `path`: that of the interaction. */
export function passkeyForm({ texts }: Localization, path: string): Markup {
  return html`
<div id="passkey-way" class="way" hidden>
<form id="passkey" method="post" action="${path}/passkey" data-options="${path}/passkey-options"><input type="hidden" name="credential"></form>
<p class="problem" role="alert" hidden>${texts.passkeyFailed}</p>
<button type="submit" form="passkey" class="second">${texts.passkeyButton}</button>
</div>`;
}

/** What the page that asks for the second factor shows. */
export interface FactorPage extends FactorKinds {
  /** The path of the interaction. */
  readonly path: string;
  readonly canUsePasskey: boolean;
  readonly outcome: 'none' | 'wrong' | { readonly waitMinutes: number };
}

/** The page that asks for the second factor, after the right password. */
export function factorPage(language: Localization, shown: FactorPage): string {
  const { texts, locale } = language;
  const { outcome, path, hasApp } = shown;
  const trouble =
    typeof outcome === 'string'
      ? { none: null, wrong: texts.factorWrong }[outcome]
      : fill(texts.signInWait, outcome.waitMinutes);
  const hasPasskey = shown.hasPasskey && shown.canUsePasskey;
  const about = hasApp ? texts.factorAppText : texts.factorCodeText;
  const label = hasApp ? texts.factorCode : texts.factorRecoveryCode;
  const problem = html`<p class="problem" id="problem" role="alert">${trouble ?? ''}</p>`;
  const described = html`${trouble === null ? null : html` aria-describedby="problem" aria-invalid="true"`}`;
  return plainPage(
    locale,
    texts.factorTitle,
    html`${trouble === null ? null : problem}${hasPasskey ? passkeyForm(language, path) : null}
<p>${about}</p>
<form method="post" action="${path}/factor">
<label for="code">${label}</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="40" required autofocus${described}>
<button type="submit">${texts.signInButton}</button>
</form>
<p class="hint">${hasApp ? texts.factorRecoveryHint : texts.factorLostHint}</p>`,
    hasPasskey ? passkeyScripts : [],
  );
}
