/** Finds out whether an ad blocker is at work: by an element of ours with the names that all block lists hide. Nothing is fetched, nobody else is asked. */

/** Milliseconds that a blocker is given to hide the bait. */
const reaction = 100;

/** Names of the general block lists. The look is the page's own style sheet's, since the policy forbids inline styles. */
const baitClass =
  'ad-banner adsbox ad-placement pub_300x250 text-ad pointer-events-none fixed top-0 left-0 opacity-0';

function isHidden(bait: HTMLElement): boolean {
  return !bait.isConnected || bait.offsetHeight === 0 || getComputedStyle(bait).display === 'none';
}

/** Lays out the bait, looks, and takes it away again. */
export async function isAdBlockerAtWork(): Promise<boolean> {
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
