/** The result of a check, as texts of the page; pure. */
import type {
  checkReceipt,
  ReceiptContent,
  SignedReceipt,
} from '@recodery/contract/features/receipts';
import type { AnswerOf } from '@recodery/contract/api';

/** The texts of the page. */
export type ReceiptTexts = typeof import('../../i18n/locales/en-US/verify.json');

/** `good`: genuine. `bad`: do not rely on it. `open`: nothing was proved. */
export type Tone = 'good' | 'open' | 'bad';

/** The keys of the headline and of the sentence below it; in both, {0} is the device and {1} the time. */
export interface ReceiptVerdict {
  readonly tone: Tone;
  readonly title: keyof ReceiptTexts;
  readonly text: keyof ReceiptTexts;
  /** The receipt's statements, if it is genuine. */
  readonly content: ReceiptContent | null;
}

const plain = (
  tone: Tone,
  title: keyof ReceiptTexts,
  text: keyof ReceiptTexts,
): ReceiptVerdict => ({
  tone,
  title,
  text,
  content: null,
});

/** Results for which the portal was not needed, or did not respond. */
export const verdicts = {
  nothing: plain('open', 'nothing', 'nothingText'),
  wrongCode: plain('bad', 'wrongCode', 'wrongCodeText'),
  offline: plain('open', 'offline', 'offlineText'),
  busy: plain('open', 'busy', 'busyText'),
  unreadable: plain('open', 'unreadable', 'unreadableText'),
  altered: plain('bad', 'altered', 'alteredText'),
} as const;

/** The response of the portal. */
export type ReceiptAnswer = AnswerOf<typeof checkReceipt>;

/**
 * Compares the file with the receipt that was found. `sha256` is the file's, null without a file; `hasReceipt` whether
 * the reader has presented a receipt or its code.
 */
export function judgeReceipt(
  { check, content }: ReceiptAnswer,
  sha256: string | null,
  hasReceipt: boolean,
): ReceiptVerdict {
  if (check === 'altered') return verdicts.altered;
  if (check === 'foreign') return plain('bad', 'foreign', 'foreignText');
  if (check === 'unknown' || content === null)
    return hasReceipt
      ? plain('bad', 'unknown', 'unknownText')
      : plain('open', 'unknownFile', 'unknownFileText');
  if (sha256 === null)
    return { tone: 'good', title: 'receiptOnly', text: 'receiptOnlyText', content };
  const role = content.files.find((file) => file.sha256 === sha256)?.role;
  if (role === undefined) return { tone: 'bad', title: 'differs', text: 'differsText', content };
  if (role === 'encoded') return { tone: 'good', title: 'genuine', text: 'genuineText', content };
  return { tone: 'good', title: role, text: 'partText', content };
}

/** The receipt in the text of a JSON file; null if it is not a receipt. */
export function readReceipt(text: string): SignedReceipt | null {
  // JSON.parse throws in a case that is a normal result here.
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { payload, protected: header, signature } = value as Readonly<Record<string, unknown>>;
  const isReceipt =
    typeof payload === 'string' && typeof header === 'string' && typeof signature === 'string';
  return isReceipt ? { payload, protected: header, signature } : null;
}
