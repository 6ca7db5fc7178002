/**
 * Finds text that is unreadable: cut off, outside its box, off the screen, or under other text. The functions run in
 * the page, so they depend only on each other and the document.
 */
import type { Page } from '@playwright/test';

/** A text or an icon, and the visible part of it. */
interface Piece {
  readonly name: string;
  readonly element: Element;
  /** A layer of the page: the page itself, its header, a popup. */
  readonly layer: Element;
  readonly boxes: readonly DOMRect[];
}

/** Pixels by which a letter may exceed its box without a finding. */
const slack = 1.5;

/** Whether an element is visible at all; text that is only for screen readers is one pixel wide. */
function isSeen(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { position, clipPath } = getComputedStyle(one);
    const { width, height } = one.getBoundingClientRect();
    if (position === 'absolute' && (width <= 1 || height <= 1 || clipPath === 'inset(50%)')) {
      return false;
    }
  }
  return true;
}

/** Whether a color is opaque. */
function isOpaque(color: string): boolean {
  return !/^rgba\(|\/ 0|^transparent$/.test(color);
}

function layerOf(element: Element): Element {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { position, zIndex, backgroundColor } = getComputedStyle(one);
    const isLifted = position !== 'static' && position !== 'relative' && zIndex !== 'auto';
    const covers = position === 'absolute' && isOpaque(backgroundColor);
    if (isLifted || covers || position === 'fixed') return one;
  }
  return document.body;
}

function piecesOf(root: Element): Piece[] {
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const name = (node.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
    if (element === null || name === '' || element.closest('script, style, noscript')) continue;
    if (!isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(
      ({ width, height }) => width > 0 && height > 0,
    );
    pieces.push({ name: `“${name.slice(0, 60)}”`, element, layer: layerOf(element), boxes });
  }
  for (const element of root.querySelectorAll('svg, img')) {
    if (element.parentElement?.closest('svg') || !isSeen(element)) continue;
    const boxes = [element.getBoundingClientRect()];
    pieces.push({ name: 'an icon', element, layer: layerOf(element), boxes });
  }
  return pieces;
}

/** The part of a box that the elements around it do not clip or scroll away. */
function visiblePart(box: DOMRect, element: Element): DOMRect {
  let { left, top, right, bottom } = box;
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { overflowX, overflowY, position } = getComputedStyle(one);
    const around = one.getBoundingClientRect();
    if (one !== document.body && one !== document.documentElement) {
      if (overflowX !== 'visible') {
        left = Math.max(left, around.left);
        right = Math.min(right, around.right);
      }
      if (overflowY !== 'visible') {
        top = Math.max(top, around.top);
        bottom = Math.min(bottom, around.bottom);
      }
    }
    if (position === 'fixed') break;
  }
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
}

/** Whether the full text of a shortened one is available in the title of an ancestor. */
function hasFullTitle({ element, name }: Piece): boolean {
  const title = element.closest('[title]')?.getAttribute('title') ?? '';
  return title.replaceAll(/\s+/g, ' ').includes(name.slice(1, -1));
}

/** What hides a part of a box, or requires sideways scrolling to see it; null if nothing does. */
function faultAround(box: DOMRect, piece: Piece): string | null {
  let isScrolledDown = false;
  for (let one: Element | null = piece.element; one !== null; one = one.parentElement) {
    if (one === document.body || one === document.documentElement) break;
    const { overflowX, overflowY, position } = getComputedStyle(one);
    const around = one.getBoundingClientRect();
    const overflowsSide = box.left < around.left - slack || box.right > around.right + slack;
    const overflowsEnd = box.top < around.top - slack || box.bottom > around.bottom + slack;
    if (overflowsSide && (overflowX === 'hidden' || overflowX === 'clip')) return 'is cut off';
    if (overflowsSide && overflowX !== 'visible') return 'is scrolled sideways';
    const isCutter = overflowY === 'hidden' || overflowY === 'clip';
    if (!isScrolledDown && overflowsEnd && isCutter) return 'is cut off below';
    isScrolledDown ||= overflowY === 'auto' || overflowY === 'scroll';
    if (position === 'fixed') break;
  }
  return null;
}

/** Whether a box extends sideways beyond what is painted behind it. */
function isOutsideItsBox(box: DOMRect, { element, layer }: Piece): boolean {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { backgroundColor, borderLeftWidth, borderRightWidth, display } = getComputedStyle(one);
    const isPainted = !/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor);
    const hasEdges = parseFloat(borderLeftWidth) > 0 && parseFloat(borderRightWidth) > 0;
    if ((isPainted || hasEdges) && display !== 'inline') {
      const around = one.getBoundingClientRect();
      return box.left < around.left - slack || box.right > around.right + slack;
    }
    if (one === layer) return false;
  }
  return false;
}

/** Whether two boxes overlap so much that one of them cannot be read. */
function overlap(one: DOMRect, other: DOMRect): boolean {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > 2 && down > 0.35 * Math.min(one.height, other.height);
}

function findOverlaps(pieces: readonly Piece[]): string[] {
  const parts = pieces.map((piece) => ({
    ...piece,
    boxes: piece.boxes
      .map((box) => visiblePart(box, piece.element))
      .filter(({ width, height }) => width > 0 && height > 0),
  }));
  return parts.flatMap((one, at) =>
    parts
      .slice(at + 1)
      .filter(({ layer, element }) => layer === one.layer && element !== one.element)
      .filter(({ boxes }) => boxes.some((box) => one.boxes.some((mine) => overlap(mine, box))))
      .map((other) => `${one.name} and ${other.name} lie over each other`),
  );
}

function faultOfPiece(piece: Piece): string | null {
  const wide = document.documentElement.clientWidth;
  // code keeps its lines, and scrolls
  if (piece.element.closest('pre') !== null) return null;
  for (const box of piece.boxes) {
    // a link that is above the page until it has the focus
    if (box.bottom <= 0 && getComputedStyle(piece.layer).position === 'fixed') continue;
    const around = faultAround(box, piece);
    if (around !== null) return hasFullTitle(piece) ? null : `${piece.name} ${around}`;
    if (box.left < -slack || box.right > wide + slack) return `${piece.name} is off the screen`;
    if (isOutsideItsBox(box, piece)) return `${piece.name} is outside its box`;
  }
  return null;
}

/** Placeholders in fields too narrow for them. */
function findCutExamples(): string[] {
  return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')]
    .filter((field) => isSeen(field) && field.value === '')
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + slack)
    .map(({ placeholder }) => `the example “${placeholder}” is cut off`);
}

function findAll(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const pieces = piecesOf(document.body);
  const wider = scrollWidth - clientWidth;
  return [
    ...(wider > 0 ? [`the page is ${wider} px wider than the screen`] : []),
    ...pieces.flatMap((piece) => faultOfPiece(piece) ?? []),
    ...findOverlaps(pieces),
    ...findCutExamples(),
  ];
}

const script = `(() => {
  const slack = ${slack};
  ${[isSeen, isOpaque, layerOf, piecesOf, visiblePart, hasFullTitle, faultAround, isOutsideItsBox].join('\n')}
  ${[overlap, findOverlaps, faultOfPiece, findCutExamples, findAll].join('\n')}
  return findAll();
})()`;

/** A line for each unreadable text of the page in its current state on its screen. */
export async function findTextFaults(page: Page): Promise<readonly string[]> {
  return [...new Set(await page.evaluate<string[]>(script))];
}
