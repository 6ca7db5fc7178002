/** The layout of the hex view at the widths that it has on common screens. */
import { expect, test } from 'vitest';
import { layoutFor } from '../../src/features/change-map/hex-layout.ts';

test('shows characters on every screen, from a phone to a desktop', () => {
  for (const width of [350, 390, 640, 900, 1047, 1300])
    expect(layoutFor(width, 5), String(width)).toMatchObject({ hasCharacters: true });
});

test('shows 16 bytes of both files side by side on a screen 1440 px wide, and one below the other on a phone', () => {
  expect(layoutFor(1063, 6)).toMatchObject({ bytes: 16, isSideBySide: true });
  expect(layoutFor(350, 6)).toMatchObject({ bytes: 8, isSideBySide: false });
});

test('omits the characters where nothing else fits', () => {
  expect(layoutFor(250, 6)).toMatchObject({ bytes: 8, hasCharacters: false });
});
