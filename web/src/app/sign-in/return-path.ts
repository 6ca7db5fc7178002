/** Where the browser goes after the sign-in: only to a path of this site. */

const storageKey = 'recodery.from';

/** The path if it is one of this site (one leading slash, nothing that a browser reads as another host), else `/`. */
export function safePath(path: string | null): string {
  if (path === null || !/^\/(?![/\\])/.test(path)) return '/';
  // Browsers drop tabs and line breaks inside an address, which would turn "/\t/host" into "//host".
  const hasControl = Array.from(path).some((sign) => sign.charCodeAt(0) < 32);
  return hasControl || /^\/(login|loggedin)\b/.test(path) ? '/' : path;
}

/** Keeps the place over the way to the sign-in server and back. */
export function rememberPlace(path: string): void {
  sessionStorage.setItem(storageKey, path);
}

/** The remembered place, once; `/` when there is none. */
export function takePlace(): string {
  const path = safePath(sessionStorage.getItem(storageKey));
  sessionStorage.removeItem(storageKey);
  return path;
}
