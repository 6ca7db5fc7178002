/** The headers of our own; apart from the routes, so that the way in need not load these. */

/** The header that carries the session id, both ways. */
export const sessionHeader = 'X-Recodery-Session';
/** The header in which uploads and encodes say under which customer code the page believes to work. */
export const customerCodeHeader = 'X-Recodery-Customer-Code';

/** The header in which the page says in what language it is shown, such as `it-IT`; without it the account's culture counts. */
export const languageHeader = 'X-Recodery-Language';
