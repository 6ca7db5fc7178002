/** The page that checks a file against its receipt, for anyone. Kept small: no React here. */
import { readCode } from '@recodery/contract/receipt-code';
import { chooseLanguage, storedLanguage } from '../../i18n/languages.ts';
import { checkGiven, isReceiptFile } from './check.ts';
import type { Texts } from './verdict.ts';
import { chosenLine, createForm, element, verdictBox } from './view.ts';

const language = chooseLanguage(storedLanguage(), null, navigator.languages);
const loaders = {
  'de-DE': () => import('../../i18n/locales/de-DE/verify.json'),
  'en-US': () => import('../../i18n/locales/en-US/verify.json'),
  'es-ES': () => import('../../i18n/locales/es-ES/verify.json'),
  'fr-FR': () => import('../../i18n/locales/fr-FR/verify.json'),
  'it-IT': () => import('../../i18n/locales/it-IT/verify.json'),
  'pl-PL': () => import('../../i18n/locales/pl-PL/verify.json'),
  'pt-BR': () => import('../../i18n/locales/pt-BR/verify.json'),
  'ru-RU': () => import('../../i18n/locales/ru-RU/verify.json'),
  'zh-CN': () => import('../../i18n/locales/zh-CN/verify.json'),
} as const satisfies Record<typeof language, () => Promise<Texts>>;

function start(texts: Texts): void {
  const { card, form, drop, files, chosen, code, result } = createForm(texts);
  const given: { file: File | null; receipt: File | null } = { file: null, receipt: null };
  let latest = 0;

  async function check(): Promise<void> {
    const turn = (latest += 1);
    result.replaceChildren(element('p', { class: 'waiting' }, texts.checking));
    const verdict = await checkGiven({ ...given, code: code.value });
    // the reader has changed something in the meantime
    if (turn !== latest) return;
    code.setAttribute('aria-invalid', String(verdict.title === 'wrongCode'));
    result.replaceChildren(verdictBox(texts, language, verdict));
    // on a phone it is below the form
    result.scrollIntoView({ block: 'nearest' });
  }

  function showChosen(): void {
    const lines = (['file', 'receipt'] as const).flatMap((kind) => {
      const one = given[kind];
      if (one === null) return [];
      return chosenLine(texts[kind], one.name, texts.remove, () => {
        given[kind] = null;
        latest += 1;
        result.replaceChildren();
        showChosen();
        files.focus();
      });
    });
    chosen.replaceChildren(...lines);
  }

  function take(list: FileList | null | undefined): void {
    if (list === null || list === undefined || list.length === 0) return;
    for (const one of list) given[isReceiptFile(one) ? 'receipt' : 'file'] = one;
    showChosen();
    void check();
  }

  files.addEventListener('change', () => {
    take(files.files);
    // the same file can be chosen again
    files.value = '';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void check();
  });
  // the whole page accepts files: one that misses the area would replace the page
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
  const readAddress = (): void => {
    const linked = readCode(location.hash.slice(1));
    if (linked === null) return;
    code.value = linked;
    void check();
  };
  window.addEventListener('hashchange', readAddress);
  document.title = `${texts.title} · Recodery`;
  document.getElementById('verify')?.replaceChildren(card);
  readAddress();
}

const { default: texts } = await loaders[language]();
document.documentElement.lang = language;
start(texts);
