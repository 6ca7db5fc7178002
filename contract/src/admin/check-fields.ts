/** Checks the values of a form: the browser before it sends them, and the server before it uses them. */
import {
  type AnyValues,
  type Field,
  hasField,
  inputsOf,
  mostEntries,
  type Resource,
  usualMost,
} from './resource.ts';

/** Why the value of a field is not accepted. */
export const fieldErrors = [
  'REQUIRED',
  'TOO_LONG',
  'INVALID',
  /** Another record has it. */
  'TAKEN',
  /** A reference to something that does not exist. */
  'UNKNOWN',
  /** There would be no operator. */
  'LAST_OPERATOR',
  /** The organisation would have no manager. */
  'LAST_MANAGER',
  /** The same for a manager, who cannot confirm it. */
  'ONLY_MANAGER',
  /** Only operators can do this to an operator. */
  'IS_OPERATOR',
  /** An operator has suspended the user, and only operators can undo that. */
  'OPERATOR_SUSPENDED',
  /** The user has got an invitation by email in the last minutes. */
  'JUST_INVITED',
  /** Something else needs it. */
  'IN_USE',
  /** The program itself has added the record. */
  'FIXED',
  /** The end of a period is not after its beginning. */
  'ENDS_BEFORE',
  /** Not an https address, nor an http address on the machine. */
  'NOT_SAFE',
  /** The engine does not serve the family of the device. */
  'NOT_SERVED',
  /** A device would change its owner, and the request does not confirm this. */
  'MOVE_NOT_CONFIRMED',
  'WRONG_PASSWORD',
  /** Of an authenticator app. */
  'WRONG_CODE',
  /** The secret that the code belongs to was created too long ago. */
  'CODE_EXPIRED',
  'PASSKEY_REFUSED',
  /** The user has as many as possible. */
  'TOO_MANY',
  /** Users change their own password and second factors at `/account`. */
  'OWN_ACCOUNT',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_TOO_LONG',
  'PASSWORD_TOO_COMMON',
  /** The user signs in at an external provider. */
  'EXTERNAL_SIGN_IN',
  /** The email was sent or withdrawn, or no user has its address. */
  'EMAIL_CLOSED',
  /** The environment of the portal names no folder that can be used. */
  'NO_FOLDER',
  /** What an email leads to has expired. */
  'LINK_EXPIRED',
  /** The environment sets it, and takes precedence. */
  'FROM_ENVIRONMENT',
  /** Terms of use without a text in any language. */
  'NO_TEXT',
  /** An image of an ECU that cannot be an original: why. */
  'NO_PROTOCOL',
  'EMPTY_FILE',
  'ARCHIVE',
  'SEALED_FILE',
  'WRONG_SIZE',
  'OTHER_ECU',
  'WRONG_CHECKSUMS',
  /** The protocol knows no identification by which an original can be found. */
  'NO_IDENTIFICATION',
  /** The image contains other numbers, and the request does not confirm this. */
  'DIFFERS_NOT_CONFIRMED',
  /** The next backup would remove more files, and the request does not confirm this. */
  'REMOVES_NOT_CONFIRMED',
  /** The vendor's service manages the keys of the slave. */
  'VENDOR_KEY',
] as const;
export type FieldError = (typeof fieldErrors)[number];

/** The fields that are not accepted, by name. */
export type FieldErrors = Readonly<Record<string, FieldError>>;

// Excludes invisible and direction-changing characters: control characters, other line ends, unpaired surrogates.
const oneLine = /^(?!\s)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+(?<!\s)$/u;
const manyLines = /^(?:[\n\r\t]|[^\p{Cc}\p{Cs}\p{Bidi_Control}])+$/u;
const emailAddress =
  /^[^\s@<>\p{Cc}\p{Cs}\p{Bidi_Control}]+@[^\s@<>\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u;
const picture = /^data:image\/(?:png|svg\+xml);base64,[\w+/]+={0,2}$/;

/** Maximum characters of an email address. */
const longestEmail = 254;

function errorOfText(field: Field, text: string): FieldError | null {
  const { kind, most = kind === 'email' ? longestEmail : usualMost, mostBytes, options } = field;
  if (kind === 'secret' || kind === 'file') return null;
  if (kind === 'image') {
    // an address is that of the present image
    if (text.startsWith('/')) return null;
    if (!picture.test(text)) return 'INVALID';
    return (text.length - text.indexOf(',')) * 0.75 > most + 2 ? 'TOO_LONG' : null;
  }
  // as the directory file counts
  if (text.length > most) return 'TOO_LONG';
  if (mostBytes !== undefined && new TextEncoder().encode(text).length > mostBytes)
    return 'TOO_LONG';
  if (options !== undefined && !options.includes(text)) return 'INVALID';
  if (kind === 'markdown') return manyLines.test(text) ? null : 'INVALID';
  return (kind === 'email' ? emailAddress : oneLine).test(text) ? null : 'INVALID';
}

/** Why a value of a field is not accepted, as far as the field alone shows it; null: it is. */
export function errorOf(field: Field, value: AnyValues[string]): FieldError | null {
  const isEmpty = value === null || value === undefined || value === '';
  if (isEmpty) return field.required === true ? 'REQUIRED' : null;
  if (Array.isArray(value)) {
    if (value.length === 0) return field.required === true ? 'REQUIRED' : null;
    if (value.length > mostEntries) return 'TOO_LONG';
    if (new Set(value).size < value.length) return 'INVALID';
    return (
      value.map((text: string) => errorOfText(field, text)).find((error) => error !== null) ?? null
    );
  }
  return typeof value === 'string' ? errorOfText(field, value) : null;
}

/**
 * The errors of the values that a form for a new record (`create`) or an existing one (`update`) sends. A field that an
 * existing record leaves out stays as it is.
 */
export function checkFields(
  declared: Resource,
  values: AnyValues,
  form: 'create' | 'update',
): FieldErrors {
  const errors: Record<string, FieldError> = {};
  for (const [name, field] of inputsOf(declared, form)) {
    if ((form === 'update' && values[name] === undefined) || !hasField(field, values)) continue;
    const error = errorOf(field, values[name]);
    if (error !== null) errors[name] = error;
  }
  return errors;
}
