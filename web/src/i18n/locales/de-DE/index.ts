/** The texts of this language that every page needs; `texts.ts` loads the others with the pages that use them. */
import errors from './errors.json';
import recoding from './recoding.json';
import shell from './shell.json';

export const texts = { ...shell, ...recoding, ...errors };
