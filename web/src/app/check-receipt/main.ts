/** The page that checks a file against its receipt, for anyone. Kept small: no React here. */
import { readCode } from '@recodery/contract/receipt-code';
import { chooseLanguage, storedLanguage } from '../../i18n/languages.ts';
import { checkGiven, isReceiptFile } from './check.ts';
import type { ReceiptTexts } from './verdict.ts';
import { chosenLine, createForm, element, type ReceiptForm, verdictBox } from './view.ts';

const language = chooseLanguage(storedLanguage(), null, navigator.languages);
const loaders = import.meta.glob<ReceiptTexts>('../../i18n/locales/*/verify.json', {
  import: 'default',
});

/** The actions of the page. */
interface Checker {
  /** Checks the chosen files and the typed code, and shows the result. */
  check(): void;
  /** Accepts dropped or chosen files, and checks them. */
  take(files: FileList | null | undefined): void;
}

function createChecker({ files, chosen, code, result }: ReceiptForm, texts: ReceiptTexts): Checker {
  const given: { file: File | null; receipt: File | null } = { file: null, receipt: null };
  let current = new AbortController();

  async function run(): Promise<void> {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    const waiting = element('p', { class: 'waiting' }, texts.checking);
    const bar = element('progress', { 'aria-label': texts.checking });
    result.replaceChildren(waiting);
    const verdict = await checkGiven(
      { ...given, code: code.value },
      {
        signal,
        onProgress: (fraction) => {
          bar.value = fraction;
          waiting.append(bar);
        },
      },
    );
    // the reader has changed something in the meantime
    if (signal.aborted) return;
    code.setAttribute('aria-invalid', String(verdict.title === 'wrongCode'));
    result.replaceChildren(verdictBox(texts, language, verdict));
    // on a phone it is below the form
    result.scrollIntoView({ block: 'nearest' });
  }

  function remove(kind: keyof typeof given): void {
    given[kind] = null;
    current.abort();
    result.replaceChildren();
    showChosen();
    files.focus();
  }

  function showChosen(): void {
    const lines = (['file', 'receipt'] as const).flatMap((kind) => {
      const name = given[kind]?.name;
      return name === undefined
        ? []
        : chosenLine(texts[kind], name, texts.remove, () => remove(kind));
    });
    chosen.replaceChildren(...lines);
  }

  return {
    check: () => void run(),
    take(list) {
      if (list === null || list === undefined || list.length === 0) return;
      for (const one of list) given[isReceiptFile(one) ? 'receipt' : 'file'] = one;
      showChosen();
      void run();
    },
  };
}

/** The whole page accepts files: a file dropped next to the area would otherwise replace the page. */
function acceptDrops({ drop }: ReceiptForm, take: Checker['take']): void {
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) drop.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    take(event.dataTransfer?.files);
  });
}

function start(texts: ReceiptTexts): void {
  const form = createForm(texts);
  const { check, take } = createChecker(form, texts);
  acceptDrops(form, take);
  form.files.addEventListener('change', () => {
    take(form.files.files);
    // the same file can be chosen again
    form.files.value = '';
  });
  form.form.addEventListener('submit', (event) => {
    event.preventDefault();
    check();
  });
  const readAddress = (): void => {
    const linked = readCode(location.hash.slice(1));
    if (linked === null) return;
    form.code.value = linked;
    check();
  };
  window.addEventListener('hashchange', readAddress);
  document.title = `${texts.title} · Recodery`;
  document.getElementById('verify')?.replaceChildren(form.card);
  readAddress();
}

const texts = await loaders[`../../i18n/locales/${language}/verify.json`]?.();
if (texts === undefined) throw new Error(`${language} has no verify.json`);
document.documentElement.lang = language;
start(texts);
