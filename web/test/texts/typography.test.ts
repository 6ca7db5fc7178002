/**
 * The typography of every text fits its language: quotes, apostrophes, spaces, periods, plural forms, form of
 * address.
 */
import { describe, expect, test } from 'vitest';
import { type Language, languages } from '../../src/i18n/languages.ts';
import { allTexts, type Text } from './all-texts.ts';

/** These show characters as they are typed. */
const shownAsTyped = new Set(['settings.faultSign']);
/** Quoted verbatim in the specification. */
const quoted = new Set(['Logging in...', 'Attendere prego']);

interface Form {
  /** How the sentences of an error end. */
  readonly stop: string;
  /** What texts must not contain, with the reason. */
  readonly never: readonly (readonly [pattern: RegExp, reason: string])[];
}

/** One of these words, whole, in any case. */
function words(list: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${list})(?!\p{L})`, 'iu');
}

const straight = [/['"]/, 'a straight quote or apostrophe'] as const;
const dots = [/\.\.\./, 'three periods for an ellipsis'] as const;
const everywhere = [straight, dots] as const;

const forms: Readonly<Record<Language, Form>> = {
  'de-DE': {
    stop: '.',
    never: [
      ...everywhere,
      [/”|«|»|(?<!„[^“]*)“/u, 'another language’s quotes'],
      [words('du|dein|deine|deinen|deiner|dich|dir|bitte'), 'a du or a bitte'],
      [/(KESS3|KESSv2|K-TAG) (Slave|Backup|Datei|Seite|Utility)/, 'a compound without its hyphen'],
    ],
  },
  'en-US': { stop: '.', never: [...everywhere, [words('please(?! wait)|sorry'), 'begging']] },
  'es-ES': {
    stop: '.',
    never: [
      ...everywhere,
      [/[“”„]/, 'another language’s quotes'],
      [/(?<!¿[^?]*)\?|(?<!¡[^!]*)!/, 'a question or a shout that does not open'],
      [
        words('tú|tu|tus|ti|contigo|vosotros|vuestro|por favor|sólo'),
        'a tú, begging or an old accent',
      ],
    ],
  },
  'fr-FR': {
    stop: '.',
    never: [
      ...everywhere,
      [/[“”„]/, 'another language’s quotes'],
      [/(?<!\u202f)[:;!?»]|«(?!\u202f)/, 'a sign without its narrow no-break space'],
      [words('tu|ton|ta|tes|toi|veuillez|merci de|s’il vous plaît'), 'a tu or begging'],
    ],
  },
  'it-IT': {
    stop: '.',
    never: [
      ...everywhere,
      [/[“”„]/, 'another language’s quotes'],
      [/\bE’|[aeiou]’(?=[\s.,;:])(?<!\b(?:po|mo|di)’)/u, 'an apostrophe for an accent'],
      [words('per favore|per cortesia'), 'begging'],
    ],
  },
  'pl-PL': { stop: '.', never: [...everywhere, [/proszę|niestety/i, 'begging']] },
  'pt-BR': {
    stop: '.',
    never: [
      ...everywhere,
      [/[«»„]/, 'another language’s quotes'],
      [
        words('ficheiro|utilizador|palavra-passe|ecrã|guardar|premir|contacto|registo'),
        'European words',
      ],
      [words('tu|teu|tua|por favor|desculpe'), 'a tu or begging'],
    ],
  },
  'ru-RU': { stop: '.', never: [...everywhere, [/пожалуйста|к сожалению/i, 'begging']] },
  'zh-CN': { stop: '。', never: [...everywhere, [/你|亲|对不起/, 'a 你 or an excuse']] },
};

/** Describes what is wrong with a text. */
function flawsOf({ key, text, isFault }: Text, { stop, never }: Form): string[] {
  const flaws = never
    .filter(([pattern]) => pattern.test(text) && !shownAsTyped.has(key) && !quoted.has(text))
    .map(([, reason]) => reason);
  if (text !== text.trim()) flaws.push('a space at an end');
  if (text.includes('  ')) flaws.push('two spaces');
  if (/_TITLE$|Title$|\.title$/.test(key) && /[.。!！]$/.test(text))
    flaws.push('a headline that ends');
  if (isFault && !key.endsWith('_TITLE') && !text.endsWith(stop))
    flaws.push('a fault without its end');
  if (isFault && /[!！]/.test(text)) flaws.push('a shout');
  return flaws;
}

describe.each(languages)('%s', (language) => {
  // promise 1.languages.words
  test('follows the typography of the language', () => {
    const flaws = allTexts(language).flatMap((text) =>
      flawsOf(text, forms[language]).map((flaw) => `${text.key} has ${flaw}: ${text.text}`),
    );
    expect(flaws).toEqual([]);
  });

  // promise 1.languages.words
  test('has each counted text in every plural form of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const counted = allTexts('en-US')
      .filter(({ key }) => key.endsWith('_other'))
      .map(({ key }) => key.replace(/_other$/, ''));
    expect(counted.length).toBeGreaterThan(5);
    const wanted = counted.flatMap((key) => pluralCategories.map((form) => `${key}_${form}`));
    const there = allTexts(language)
      .map(({ key }) => key)
      .filter((key) => /_(zero|one|two|few|many|other)$/.test(key));
    expect(there.toSorted()).toEqual(wanted.toSorted());
  });
});

test('reports a typography mistake', () => {
  const french = (text: string) => flawsOf({ key: 'a', text, isFault: false }, forms['fr-FR']);
  expect(french('Attention : vide')).toEqual(['a sign without its narrow no-break space']);
  expect(french('Attention\u202f: vide')).toEqual([]);
  expect(french("l'heure")).toEqual(['a straight quote or apostrophe']);
  const german = (text: string) => flawsOf({ key: 'a_TITLE', text, isFault: true }, forms['de-DE']);
  expect(german('Wählen Sie „Neu“')).toEqual([]);
  expect(german('Wählen Sie “Neu”.')).toEqual([
    'another language’s quotes',
    'a headline that ends',
  ]);
});
