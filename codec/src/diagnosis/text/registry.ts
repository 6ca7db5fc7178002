/** The text formats, in the order in which they are tried, and the recognition of texts that store no image. */

import type { DiagnosisKind } from '../kinds.ts';
import { base64 } from './base64.ts';
import { cArray } from './c-array.ts';
import { hexDump } from './hex-dump.ts';
import { intelHex } from './intel-hex.ts';
import { plainHex } from './plain-hex.ts';
import { sRecord } from './s-record.ts';
import type { TextFormat, TextStart } from './text-format.ts';
import { tiTxt } from './ti-txt.ts';

/** A newcomer is one file, and one line here. */
const formats: readonly TextFormat[] = [
  intelHex,
  sRecord,
  tiTxt,
  hexDump,
  plainHex,
  cArray,
  base64,
];

/** Texts that are never converted. `isShort`: only a text of less than 1 KiB. */
const others: readonly {
  readonly kind: DiagnosisKind;
  readonly name: string;
  readonly pattern: RegExp;
  readonly isShort?: true;
}[] = [
  {
    kind: 'web-page',
    name: 'html',
    pattern: /^\s*(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype html|html|head)\b/is,
  },
  { kind: 'xml', name: 'xml', pattern: /^\s*<\?xml\b/i },
  { kind: 'text', name: 'pdf', pattern: /^%PDF-/ },
  { kind: 'pointer', name: 'git-lfs', pattern: /^version https:\/\/git-lfs\.github\.com\/spec\// },
  {
    kind: 'web-page',
    name: 'error-page',
    pattern: /^\s*(?:\d{3}:? )?(?:not found|access denied|forbidden|bad gateway)\b/i,
    isShort: true,
  },
  { kind: 'text', name: 'json', pattern: /^\s*[{[]\s*["{[\d\]}]/ },
];

/** What a text is. `format`: null if it stores no bytes that could be converted. */
export interface RecognizedText {
  readonly kind: DiagnosisKind;
  readonly name: string;
  readonly format: TextFormat | null;
  /** Its bytes without a byte order mark, one byte for each character. */
  readonly text: Uint8Array;
}

const inspected = 4096;
const mostLines = 4;
const longestLine = 1024;
/** The share of the inspected bytes that must be text. */
const leastText = 0.98;
/** Bytes above which a text is not converted. */
const mostText = 64 * 1024 * 1024;

/** UTF-16 with a byte order mark as one byte for each character; characters that have none become 80. */
function fromUtf16(bytes: Uint8Array, isBigEndian: boolean): Uint8Array {
  const text = new Uint8Array((bytes.length - 2) >>> 1);
  for (let index = 0; index < text.length; index += 1) {
    const one = bytes[2 + 2 * index] ?? 0;
    const other = bytes[3 + 2 * index] ?? 0;
    const [low, high] = isBigEndian ? [other, one] : [one, other];
    text[index] = high === 0 ? low : 0x80;
  }
  return text;
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return fromUtf16(bytes, false);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return fromUtf16(bytes, true);
  return bytes;
}

function isText(start: Uint8Array): boolean {
  let count = 0;
  for (const byte of start) {
    if (byte === 0) return false;
    const isPlain = byte >= 0x20 && byte < 0x7f;
    if (isPlain || byte === 0x09 || byte === 0x0a || byte === 0x0d) count += 1;
  }
  return count >= leastText * start.length;
}

function startOf(bytes: Uint8Array): TextStart {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/\x1a+$/, '');
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().slice(0, longestLine))
    .filter((line) => line !== '');
  return { text, lines: lines.slice(0, mostLines) };
}

/** What a file is if it is a text; null if it is none. */
export function recognizeText(bytes: Uint8Array): RecognizedText | null {
  // an image that only begins like UTF-16 is not decoded as a whole
  const inspectedText = withoutMark(bytes.subarray(0, 2 * inspected + 2)).subarray(0, inspected);
  const start = startOf(inspectedText);
  const other = others.find(
    ({ pattern, isShort }) => pattern.test(start.text) && !(isShort && bytes.length >= 1024),
  );
  // Pages in other scripts and PDF files contain more than ASCII.
  if (other && (other.name !== 'json' || isText(inspectedText))) {
    return { kind: other.kind, name: other.name, format: null, text: inspectedText };
  }
  if (!isText(inspectedText)) return null;
  const format = bytes.length > mostText ? null : formats.find((one) => one.matches(start));
  return format
    ? { kind: format.kind, name: format.name, format, text: withoutMark(bytes) }
    : { kind: 'text', name: 'plain', format: null, text: inspectedText };
}
