/** Serves the description of the API: the OpenAPI document, and the same as a page. */
import { routes } from '@recodery/contract/routes';
import {
  getApiPage,
  getEncodingApiDocument,
  getOpenApi,
} from '@recodery/contract/features/service-status';
import { describeEncodingApi } from './encoding-api.ts';
import { renderApiPage } from './page.ts';
import { describeApi, portalApi } from './document.ts';
import type { Router } from '../serve.ts';

/** Serves the two OpenAPI documents and `/api/docs`. `publicUrl` is the origin that the page's commands call. */
export function serveApiDescription(
  router: Router,
  { version, publicUrl }: { readonly version: string; readonly publicUrl: string },
): void {
  const document = describeApi(routes, version, { ...portalApi, url: publicUrl });
  const page = renderApiPage(routes, publicUrl);

  const encodingApi = describeEncodingApi(version, publicUrl);

  router.serve(getOpenApi, async () => document);
  router.serve(getEncodingApiDocument, async () => encodingApi);
  router.serve(getApiPage, async ({ reply }) => {
    reply.type('text/html; charset=utf-8').send(page);
    return undefined;
  });
}
