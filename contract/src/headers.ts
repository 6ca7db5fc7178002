/** The custom headers. They are separate from the routes so that the sign-in page does not load the routes. */

/** The header that carries the session id, in both directions. */
export const sessionHeader = 'X-Recodery-Session';
/** The header in which uploads and encodes send the customer code that the page assumes is current. */
export const customerCodeHeader = 'X-Recodery-Customer-Code';

/** The header of the Encoding API that carries an access token; `Authorization: Bearer` does as well. */
export const accessTokenHeader = 'X-Alientech-ReCodAPI-LLC';
/** The header that makes a repeated request harmless: work with the same key starts once. */
export const idempotencyHeader = 'Idempotency-Key';

/**
 * The header in which the page sends its display language, such as `it-IT`; without it the server uses the account's
 * culture.
 */
export const languageHeader = 'X-Recodery-Language';

/** The header in which the page sends the time zone of its browser, such as `Europe/Rome`, when it asks for its session. */
export const timeZoneHeader = 'X-Recodery-Time-Zone';

/** The header in which the page names an upload of an image, so that it can cancel the upload. */
export const uploadHeader = 'X-Recodery-Upload';

/**
 * The header in which a page names its tab when it uploads an image or saves a draft: its own changes do not conflict
 * with each other.
 */
export const tabHeader = 'X-Recodery-Tab';
