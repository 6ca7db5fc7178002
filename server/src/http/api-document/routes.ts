/** Serves the description of the API: the OpenAPI document, and the same as a page. */
import { routes } from '@recodery/contract/routes';
import { getApiPage, getOpenApi } from '@recodery/contract/service-status';
import { renderApiPage } from './page.ts';
import { describeApi } from './document.ts';
import type { Door } from '../serve.ts';

/** Serves `/api/openapi.json` and `/api/docs`. `publicUrl` is the origin that the page's commands call. */
export function serveApiDescription(
  door: Door,
  { version, publicUrl }: { readonly version: string; readonly publicUrl: string },
): void {
  const document = describeApi(routes, version);
  const page = renderApiPage(routes, publicUrl);

  door.serve(getOpenApi, async () => document);
  door.serve(getApiPage, async ({ reply }) => {
    reply.type('text/html; charset=utf-8').send(page);
    return undefined;
  });
}
