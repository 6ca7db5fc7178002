/** The screen sizes of the audit, in CSS pixels. */

/** The screen on which the scenes run. */
export const wideScreen = { width: 1440, height: 900 };
/** The screen on which the menu is hidden until it is opened. */
export const narrowScreen = { width: 480, height: 800 };
/** Further screens for the text checks: a phone, the narrowest (a zoom of 400 %), and the wide one at 200 %. */
export const tightScreens = [
  { name: '360 px', size: { width: 360, height: 740 } },
  { name: '320 px', size: { width: 320, height: 640 } },
  { name: '200 % zoom', size: { width: 720, height: 450 } },
] as const;
