/** Receipts: signed statements about encoded files, which anyone can check without an account. */
import * as z from 'zod/mini';
import { guid, htmlPage, json, jsonFile, route, time } from '../api.ts';
import { encodedFileRole, receiptRoles } from '../receipt-code.ts';
import { correction } from '../results.ts';

/** 64 hexadecimal digits, in lowercase. */
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** One file of a receipt. */
export const receiptFile = z.object({
  role: z.enum([...receiptRoles, encodedFileRole]),
  /** Null for a file that is not a single component, such as the encoded file. */
  component: z.nullable(z.string()),
  /** Bytes. */
  size: z.number(),
  sha256,
});
export type ReceiptFile = z.infer<typeof receiptFile>;

/** The contents of a receipt; the payload that is signed. */
export const receiptContent = z.object({
  type: z.literal('recodery-receipt'),
  version: z.literal(1),
  /** The receipt's code, in groups. */
  code: z.string(),
  /** The public address of the portal that issued it. */
  portal: z.string(),
  /** When the encode finished. */
  encodedOn: time,
  family: z.string(),
  /** The serial number of the slave that the file is for; null where the engine does not report it. */
  slave: z.nullable(z.string()),
  /** The slave's name for the type of ECU; null where the engine does not report it. */
  protocol: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  /**
   * Whether the checksums of the read were right when it was decoded; null if that is not known. Receipts of earlier
   * versions lack it.
   */
  readChecksums: z.optional(z.nullable(z.enum(['right', 'wrong']))),
  files: z.array(receiptFile),
  /** Whether a double of the demo encoded the file in place of the maker's service; absent: none did. */
  isDouble: z.optional(z.boolean()),
  /** The checksums that were corrected in the modified files; absent: none. */
  corrections: z.optional(z.array(correction)),
});
export type ReceiptContent = z.infer<typeof receiptContent>;

/** A receipt as a file: a JWS in flattened JSON serialization (RFC 7515, section 7.2.2). */
export const signedReceipt = z.object({
  payload: z.string(),
  protected: z.string(),
  signature: z.string(),
});
export type SignedReceipt = z.infer<typeof signedReceipt>;

/** A public key that checks receipts (RFC 8037). `kid` is its thumbprint (RFC 7638). */
const receiptKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
  kid: z.string(),
  x: z.string(),
});
export type ReceiptKey = z.infer<typeof receiptKey>;
/** The public keys of an installation as a JSON Web Key Set (RFC 7517). */
export const receiptKeys = z.object({ keys: z.array(receiptKey) });

const codeParams = z.object({ code: z.string() });

export const receiptPage = route('GET', '/receipts/{code}', {
  summary:
    'Returns the public page of a receipt, which can be printed. Opening it records nothing.',
  access: 'public',
  params: codeParams,
  query: z.object({
    /** Such as `de-DE`; without it, the browser's language. */
    language: z.optional(z.string().check(z.maxLength(35))),
  }),
  secret: ['code'],
  isLimited: true,
  answer: htmlPage,
  deadEnds: [404],
  refusals: [],
});

export const downloadReceipt = route('GET', '/receipts/{code}/receipt.json', {
  summary: 'Downloads a receipt as JSON: a JWS in flattened JSON serialization.',
  access: 'public',
  params: codeParams,
  secret: ['code'],
  isLimited: true,
  // its handler does, with the operation
  audit: 'never',
  answer: jsonFile(signedReceipt),
  refusals: ['NOT_FOUND'],
});

export const getReceiptKeys = route('GET', '/receipt-keys.json', {
  summary:
    'Returns the public keys that check receipts, as a JSON Web Key Set. It keeps retired keys.',
  access: 'public',
  isLimited: true,
  answer: json(receiptKeys),
  refusals: [],
});

/**
 * The result of a check: a receipt of this portal, `unknown`: there is no such receipt, `altered`: the signature does
 * not match, `foreign`: signed with a key that is not this portal's.
 */
export const receiptChecks = ['found', 'unknown', 'altered', 'foreign'] as const;
export type ReceiptCheck = (typeof receiptChecks)[number];

export const checkReceipt = route('POST', '/api/receipts/check', {
  summary:
    'Checks a receipt, given its JSON, its code, or the SHA-256 of its encoded file. The file is not sent.',
  access: 'public',
  isLimited: true,
  body: z.object({
    receipt: z.optional(signedReceipt),
    code: z.optional(z.string().check(z.maxLength(60))),
    sha256: z.optional(sha256),
  }),
  // changes nothing, and anyone can send any number
  audit: 'never',
  answer: json(z.object({ check: z.enum(receiptChecks), content: z.nullable(receiptContent) })),
  refusals: ['BAD_REQUEST'],
});

/** A receipt in the list of a slot. */
const receiptRecord = z.object({
  code: z.string(),
  /** The public page. */
  url: z.string(),
  /** The encoded file; it can be deleted before the receipt. */
  fileGUID: guid,
  operationGUID: guid,
  issuedOn: time,
  receipt: signedReceipt,
});

export const listReceipts = route('GET', '/api/slots/{slotGUID}/receipts', {
  summary:
    "Lists the receipts of a slot's encoded files, including deleted ones, newest first. Files that were encoded before receipts existed have none.",
  access: 'portal',
  params: z.object({ slotGUID: z.string() }),
  answer: json(z.array(receiptRecord)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'USER_NO_RIGHTS'],
});
