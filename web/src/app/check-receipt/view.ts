/** The elements of the page that checks a file: the form, the chosen files, and the result. */
import { receiptPath } from '@recodery/contract/receipt-code';
import type { ReceiptContent } from '@recodery/contract/features/receipts';
import type { ReceiptTexts, ReceiptVerdict, Tone } from './verdict.ts';

/** Creates an element with attributes and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The parts of the form that a script needs. */
export interface ReceiptForm {
  readonly card: HTMLElement;
  readonly form: HTMLFormElement;
  readonly drop: HTMLElement;
  readonly files: HTMLInputElement;
  readonly chosen: HTMLElement;
  readonly code: HTMLInputElement;
  readonly result: HTMLElement;
}

/** The whole card. */
export function createForm(texts: ReceiptTexts): ReceiptForm {
  const files = element('input', { type: 'file', id: 'files', multiple: '', class: 'hidden' });
  const drop = element(
    'label',
    { class: 'drop', for: 'files' },
    element('span', {}, texts.drop),
    element('span', { class: 'choose' }, texts.choose),
    files,
  );
  const chosen = element('ul', { class: 'chosen' });
  const code = element('input', {
    id: 'code',
    class: 'mono',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    maxlength: '60',
    placeholder: 'XXXX-XXXX-XXXX-XXXX',
    'aria-describedby': 'code-hint',
  });
  const form = element(
    'form',
    { novalidate: '' },
    drop,
    chosen,
    element('label', { for: 'code' }, texts.code),
    code,
    element('p', { class: 'hint', id: 'code-hint' }, texts.codeHint),
    element('button', { type: 'submit' }, texts.check),
  );
  const result = element('div', { role: 'status' });
  const card = element(
    'div',
    { class: 'card check' },
    element('h1', {}, texts.title),
    element('p', {}, texts.intro),
    form,
    result,
  );
  return { card, form, drop, files, chosen, code, result };
}

/** The line of a chosen file. */
export function chosenLine(
  label: string,
  name: string,
  remove: string,
  onRemove: () => void,
): HTMLElement {
  const button = element(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `${remove}: ${name}` },
    remove,
  );
  button.addEventListener('click', onRemove);
  const file = element('span', { class: 'mono' }, name);
  return element('li', {}, element('span', {}, label), file, button);
}

/** The drawings of the tones, 24 by 24: a check mark, a question, a cross. */
const drawings: Readonly<Record<Tone, string>> = {
  good: 'M8 12l3 3 5-6',
  open: 'M12 8v5M12 16v.01',
  bad: 'M9 9l6 6M15 9l-6 6',
};

function draw(tone: Tone): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', `M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0Z ${drawings[tone]}`);
  picture.append(path);
  return picture;
}

/** The result of a check, in the reader's language and time zone. */
export function verdictBox(
  texts: ReceiptTexts,
  language: string,
  verdict: ReceiptVerdict,
): HTMLElement {
  const { tone, title, text, content } = verdict;
  const write = (key: keyof ReceiptTexts) => fillIn(texts, key, language, content);
  return element(
    'section',
    { class: `verdict ${tone}` },
    draw(tone),
    element(
      'div',
      {},
      element('h2', {}, ...write(title)),
      element('p', {}, ...write(text)),
      ...(content?.readChecksums === 'wrong'
        ? [element('p', { class: 'warned' }, texts.checksumsWrongText)]
        : []),
      ...(content?.isDouble ? [element('p', { class: 'warned' }, texts.double)] : []),
      ...(content === null ? [] : factsOf(texts, language, content)),
    ),
  );
}

/** A text with its placeholders filled in; serial numbers are not broken at their hyphens. */
function fillIn(
  texts: ReceiptTexts,
  key: keyof ReceiptTexts,
  language: string,
  content: ReceiptContent | null,
): (Node | string)[] {
  if (content === null) return [texts[key]];
  const time = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  // this sentence names the portal
  const values: Readonly<Record<string, Node | string>> = {
    '{0}':
      key === 'genuineText'
        ? content.portal
        : element('span', { class: 'whole' }, content.slave ?? texts.unknownDevice),
    '{1}': time.format(new Date(content.encodedOn)),
  };
  return texts[key].split(/(\{[01]\})/).map((piece) => values[piece] ?? piece);
}

function factsOf(texts: ReceiptTexts, language: string, content: ReceiptContent): Node[] {
  const { code, slave, protocol, portal, readChecksums = null } = content;
  const checksums = { right: texts.checksumsRight, wrong: texts.checksumsWrong };
  const named = protocol === null ? null : [protocol.id, protocol.name].filter(Boolean).join(' ');
  const facts: readonly (readonly [string, string | null])[] = [
    [texts.device, slave],
    [texts.protocol, named],
    [texts.readChecksums, readChecksums && checksums[readChecksums]],
    [texts.portal, portal],
    [texts.code, code],
  ];
  const list = element('dl', { class: 'facts' });
  for (const [label, value] of facts)
    if (value !== null)
      list.append(element('dt', {}, label), element('dd', { class: 'mono' }, value));
  const link = element('a', { href: receiptPath(code, language) }, texts.openReceipt);
  return [list, element('p', {}, link)];
}
