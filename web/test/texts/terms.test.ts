/** What the user must accept in the terms of use. */
import { expect, test } from 'vitest';
import { expressArticles } from '../../src/features/session/terms.ts';

// promise 5.terms.articles, 9.figures.articles
test('the articles that need explicit acceptance are those of the specification', () => {
  expect(expressArticles.map(Number)).toEqual([5, 6, 7, 8, 9, 10, 12, 14, 15]);
});
