/** The route with which operators see their terms of use as users will. */
import { previewTerms } from '@recodery/contract/admin/terms-preview';
import { Refusal } from '@recodery/contract/refusal';
import type { Router } from '../http/serve.ts';
import { renderTerms } from './own-terms.ts';
import { guideLanguages } from './routes.ts';

/** Registers the route. */
export function serveTermsPreview(router: Router): void {
  router.serve(previewTerms, async ({ body }) => {
    const language = guideLanguages.find(({ short }) => short === body.language);
    if (language === undefined) throw new Refusal('BAD_REQUEST');
    const page = renderTerms(body.text, language.locale, [language]);
    // the frame that shows it runs no scripts; those of the text are shown as text
    return { page: page.replaceAll(/<script[^>]*><\/script>/g, '') };
  });
}
