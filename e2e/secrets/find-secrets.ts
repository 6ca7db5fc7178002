/**
 * Finds the secrets in HTTP traffic and emails by their form and their names, so that new calls are covered
 * automatically.
 */

/** A value that no log, error response or process list may contain, and what it is. */
export interface Secret {
  readonly kind: string;
  readonly value: string;
}

/** The names of fields, parameters and headers with secrets. */
const secretName =
  /^(.*(secret|token|ticket|password|verifier|cookie|pair_?key).*|x-recodery-session|session_?id|x-alientech-recodapi-llc|authorization|code|state|nonce)$/i;
/** A shorter value appears by chance: it is secret only together with its name. */
const shortest = 8;
/**
 * Our own words, such as the methods that the provider supports, the states of records and the errors of fields, and addresses, which are
 * searched separately.
 */
const harmless =
  /^(https?:|\/)|^(client_secret_|authorization_code|refresh_token|id_token)|^(active|invited|suspended|REQUIRED|ok|warning|wrong|coming|shown|past|planned|on|off)$/;

// Each pattern ends with a character that cannot belong to the value: the rest of a value may be in the next part of a
// connection.
const header = /^([\w-]+): *(?:Bearer +)?([^\s;,]{8,}) *\r?\n/gim;
const cookies = /^(?:set-)?cookie: *(.+?)\r?\n/gim;
const jsonField = /"(\w+)": *"([^"\s\\]+)"/g;
const parameter = /(?<![\w-])([\w-]+)=([^&\s"'<>;,]+)/g;
const address = /(?:^[A-Z]+ (?=\/)|\bhttps?:\/\/[\w.:[\]-]+)(\/[^\s"'<>?#]*)(?=[\s"'<>?#])/gm;
/** A segment of a path that is neither a name nor a GUID nor a file. */
const longSegment = /^(?!.*\.[a-z\d]{2,5}$)(?=.*[A-Z0-9_])[\w~.-]{20,}$/;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Decodes a part of an address; returns invalid text unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function named(name: string, value: string): readonly Secret[] {
  if (!secretName.test(name) || harmless.test(value)) return [];
  const kind = name.toLowerCase();
  if (value.length >= shortest) return [{ kind, value }];
  return [`${name}=${value}`, `"${name}":"${value}"`]
    .filter((one) => one.length >= shortest)
    .map((one) => ({ kind, value: one }));
}

function inCookies(line: string): readonly Secret[] {
  return [...line.matchAll(/(?:^|; ?)([^=;\s]+)=([^;\s]{8,})/g)]
    .filter(([, name = '']) => !/^(expires|path|domain|max-age|samesite)$/i.test(name))
    .map(([, name = '', value = '']) => ({
      kind: `cookie ${name.replace(/-[\w-]{12}$/, '')}`,
      value,
    }));
}

/** The secrets in a text: part of a connection, or an email. */
export function findSecrets(text: string): readonly Secret[] {
  const pairs = [header, jsonField].flatMap((form) =>
    [...text.matchAll(form)].flatMap(([, name = '', value = '']) => named(name, value)),
  );
  const parameters = [...text.matchAll(parameter)].flatMap(([, name = '', value = '']) =>
    named(name, decode(value.replaceAll('+', ' '))),
  );
  const segments = [...text.matchAll(address)].flatMap(([, path = '']) =>
    path
      .split('/')
      .map(decode)
      .filter((one) => longSegment.test(one) && !guid.test(one))
      .map((value) => ({ kind: 'part of a path', value })),
  );
  const jars = [...text.matchAll(cookies)].flatMap(([, line = '']) => inCookies(line));
  return [...pairs, ...parameters, ...jars, ...segments];
}
