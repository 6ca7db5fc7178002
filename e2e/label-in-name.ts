/** Finds controls that speech input cannot reach by the words that people see on them (WCAG 2.5.3, Label in Name). */
import type { Page } from '@playwright/test';

/** A line for each visible control whose accessible name lacks its visible words. Runs in the page. */
function findUnnamed(): string[] {
  const plain = (text: string): string =>
    text
      .normalize('NFKC')
      .replaceAll('\u00ad', '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const isSeen = (element: Element): boolean =>
    element.closest('[aria-hidden=true]') === null &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    // a text for screen readers only is one pixel wide
    element.getBoundingClientRect().width > 1;
  const wordsOf = (root: Element): string => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const seen: string[] = [];
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement;
      if (parent !== null && isSeen(parent)) seen.push(texts.currentNode.textContent ?? '');
    }
    return plain(seen.join(' '));
  };
  /** The name that replaces the content or the label, if there is one. */
  const nameOf = (control: Element): string | null => {
    const ids = control.getAttribute('aria-labelledby')?.split(/\s+/);
    const parts = ids?.map((id) => document.getElementById(id)?.textContent ?? '');
    return parts?.join(' ') ?? control.getAttribute('aria-label');
  };
  const named = '[aria-label], [aria-labelledby]';
  const controls = document.querySelectorAll(
    `:is(button, a[href], summary, input, select, textarea, [role=button], [role=link], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=option], [role=tab]):is(${named})`,
  );
  return [...controls].flatMap((control) => {
    const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
    const words = plain([control, ...labels].map(wordsOf).join(' '));
    const name = plain(nameOf(control) ?? '');
    return words === '' || name.includes(words) ? [] : [`“${words}” is not in the name “${name}”`];
  });
}

/** Returns a line for each control in the page's current state whose visible words are not in its name. */
export function findMisnamed(page: Page): Promise<readonly string[]> {
  return page.evaluate(findUnnamed);
}
