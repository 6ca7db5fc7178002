/** How everything that floats over the page is drawn. */
export const popoverClass =
  'pop-in rounded-m border border-line bg-surface text-ink shadow-pop outline-none overflow-hidden';
