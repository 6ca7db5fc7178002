/** Every kind of diagnosis has its sentences and the button of its repair, in every language. */
import { type Diagnosis, diagnosisKinds } from '@recodery/contract/features/recoding/diagnosis';
import { beforeAll, expect, test } from 'vitest';
import { repairText, sentencesOf } from '../../src/features/misfit/misfit-text.ts';
import { type Language, languages } from '../../src/i18n/languages.ts';
import { changeLanguage, startTexts, withTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';
import { t } from '../texts/t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
  await withTexts(Promise.resolve(), 'misfit');
});

const size = 0x80000;
const repair = { guid: '', name: 'tune.bin', size, sha256: '', isLossless: true };
const transformations = { swapped: 'pairs', inverted: 'inverted', 'bit-order': 'bits' } as const;

function diagnosisOf(kind: Diagnosis['kind'], given: Diagnosis['repair']): Diagnosis {
  const transformation = Object.entries(transformations).find(([name]) => name === kind)?.[1];
  const component = kind === 'other-component' ? { component: 'eeprom' } : {};
  const details = {
    size,
    imageSize: size,
    ...(transformation && { transformation }),
    ...component,
  };
  return { kind, details, repair: given };
}

const cases = languages.flatMap((language) =>
  diagnosisKinds.map((kind) => [language, kind] as const),
);

// promise 5.diagnosis.page
test.each(cases)('in %s, the kind %s has words', async (language: Language, kind) => {
  await changeLanguage(language);
  await withTexts(Promise.resolve(), 'misfit');
  const words = { t, language };
  for (const given of [null, repair]) {
    const one = diagnosisOf(kind, given);
    const sentences = sentencesOf(words, one);
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of [...sentences, repairText(words, one)]) {
      expect(sentence).not.toMatch(/^misfit\.|\{|undefined|^$/);
    }
  }
});
