/** An icon of two letters, for what has no symbol of its own. The letters are strokes, like those of the other icons. */
import { createLucideIcon } from 'lucide-react';
import type { IconPart } from './icon.tsx';

/** The strokes of each letter, in the left and in the right half of a square of 24. */
const left = {
  A: 'm5.5 16 2.75-8L11 16M6.5 13.25h3.5',
  F: 'M6.5 16V8H11M6.5 12H10',
  b: 'M6.5 8v8h2a2.25 2.25 0 0 0 0-4.5h-2',
} as const;
const right = {
  F: 'M14 16V8h4.5M14 12h3.5',
  T: 'M13 8h6M16 8v8',
  x: 'M13.5 11l4.5 5M18 11l-4.5 5',
} as const;

/** The icon of these two letters, in a frame. */
export function monogram(first: keyof typeof left, second: keyof typeof right): IconPart {
  return createLucideIcon(`monogram-${first}${second}`, [
    ['rect', { x: 2, y: 2, width: 20, height: 20, rx: 4, key: 'frame' }],
    ['path', { d: left[first] + right[second], key: 'letters' }],
  ]);
}
