/**
 * The addresses of a sign-in. They are separate from the served paths so that the sign-in page does not load the
 * routes.
 */

/** The document that starts a sign-in. */
export const signInPath = '/login';
/** The document that exchanges the one-time token for a session, or shows why a sign-in failed. */
export const signedInPath = '/loggedin';
/** The documents of the sign-in, which is not part of the app. */
export const signInPaths = [signInPath, signedInPath] as const;
/** Redirects the browser to the provider. */
export const signInStartPath = '/sso/start';
/** Where the provider redirects the browser to. */
export const signInCallbackPath = '/sso/callback';
