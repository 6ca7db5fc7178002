/** All texts of this language but those of the sign-in page, as one bundle that is loaded when needed. */
import around from './around.json';
import errors from './errors.json';
import recoding from './recoding.json';
import shell from './shell.json';

export const texts = { ...shell, ...recoding, ...errors, ...around };
