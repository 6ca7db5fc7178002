/**
 * Detects an ad blocker with an element whose class names all block lists hide. It downloads nothing and contacts no
 * third party.
 */

/** Milliseconds that a blocker has to hide the bait. */
const reaction = 100;

/**
 * Names from the general block lists. The style is in the page's own style sheet, since the policy forbids inline
 * styles.
 */
const baitClass =
  'ad-banner adsbox ad-placement pub_300x250 text-ad pointer-events-none fixed top-0 left-0 opacity-0';

function isHidden(bait: HTMLElement): boolean {
  return !bait.isConnected || bait.offsetHeight === 0 || getComputedStyle(bait).display === 'none';
}

/** Adds the bait, checks it, and removes it. */
export async function isAdBlockerActive(): Promise<boolean> {
  const bait = document.createElement('div');
  bait.className = baitClass;
  bait.setAttribute('aria-hidden', 'true');
  bait.textContent = '\u00a0';
  document.body.append(bait);
  await new Promise((resolve) => setTimeout(resolve, reaction));
  const found = isHidden(bait);
  bait.remove();
  return found;
}
