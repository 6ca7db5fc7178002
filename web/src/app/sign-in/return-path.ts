/** Where the browser goes after the sign-in: only to a path of this site. */

const storageKey = 'recodery.from';

/** The path if it belongs to this site (one leading slash, nothing that a browser parses as another host), else `/`. */
export function safePath(path: string | null): string {
  if (path === null || !/^\/(?![/\\])/.test(path)) return '/';
  // Browsers drop tabs and line breaks inside an address, which would turn "/\t/host" into "//host".
  const hasControl = Array.from(path).some((sign) => sign.charCodeAt(0) < 32);
  return hasControl || /^\/(login|loggedin)\b/.test(path) ? '/' : path;
}

/** Stores the path during the redirect to the sign-in server and back. */
export function rememberPlace(path: string): void {
  sessionStorage.setItem(storageKey, path);
}

/** The stored path, returned once; `/` if there is none. */
export function takePlace(): string {
  const path = safePath(sessionStorage.getItem(storageKey));
  sessionStorage.removeItem(storageKey);
  return path;
}
