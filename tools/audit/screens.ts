/** The screens that the audit looks at a page on, in CSS pixels. */

/** Where the pages are played through. */
export const wideScreen = { width: 1440, height: 900 };
/** Where the menu is away until it is opened. */
export const narrowScreen = { width: 480, height: 800 };
/** Where the texts are looked at besides: a phone, the narrowest (a zoom of 400 %), and what 200 % leave of the wide one. */
export const tightScreens = [
  { name: '360 px', size: { width: 360, height: 740 } },
  { name: '320 px', size: { width: 320, height: 640 } },
  { name: '200 % zoom', size: { width: 720, height: 450 } },
] as const;
