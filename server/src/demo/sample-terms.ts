/** The demo's sample terms of use, under `/sample-terms/{language}`: public, in every language, marked as a sample. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveTexts } from '../guide/routes.ts';

const address = '/sample-terms';

/** The link to the sample terms, with a placeholder for the reader's language. */
export function sampleTermsLink(publicUrl: string): string {
  return `${publicUrl}${address}/{language}`;
}

/** Serves the sample terms. */
export function serveSampleTerms(app: FastifyInstance): void {
  serveTexts(app, address, join(import.meta.dirname, 'terms'));
}
