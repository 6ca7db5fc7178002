/** How the hex view shows its rows, by the width that it has. */

/** The layout of a row: its bytes, whether both files are on one line, and its type. */
export interface HexLayout {
  readonly bytes: 8 | 16;
  readonly isSideBySide: boolean;
  /** Whether the bytes are also shown as characters. */
  readonly hasCharacters: boolean;
  readonly type: 'sm' | 'xs';
}

/** Px of a character of the monospaced font. */
const characterWidth = { sm: 7.8, xs: 7.2 } as const;
/** Px of the padding of a row and of its scroll bar, of the gap between columns, and before the characters. */
const padding = 24 + 16;
const gap = 16;
const gapBeforeCharacters = 12;

/** From the one with the most bytes on a line to the narrowest. */
const layouts: readonly HexLayout[] = [
  { bytes: 16, isSideBySide: true, hasCharacters: true, type: 'sm' },
  { bytes: 16, isSideBySide: true, hasCharacters: true, type: 'xs' },
  { bytes: 8, isSideBySide: true, hasCharacters: true, type: 'sm' },
  { bytes: 8, isSideBySide: false, hasCharacters: true, type: 'sm' },
  { bytes: 8, isSideBySide: false, hasCharacters: true, type: 'xs' },
];
const narrowest: HexLayout = { bytes: 8, isSideBySide: false, hasCharacters: false, type: 'xs' };

/** Px of a row, with addresses of this many digits. */
function widthOf({ bytes, isSideBySide, type }: HexLayout, digits: number): number {
  const character = characterWidth[type];
  const side = (bytes * 3 - 1 + bytes) * character + gapBeforeCharacters;
  // without columns, each line begins with a sign and a space
  const sides = isSideBySide ? 2 * side + gap : side + 2 * character;
  return padding + digits * character + gap + sides;
}

/** The layout that shows most in `width` px. Both files are shown as characters too, except on the narrowest phones. */
export function layoutFor(width: number, digits: number): HexLayout {
  return layouts.find((layout) => widthOf(layout, digits) <= width) ?? narrowest;
}
