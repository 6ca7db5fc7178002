/**
 * Starts the page: loads the texts, starts the router, and renders when both are ready. `/login` and `/loggedin` have a
 * separate small document, `sign-in.html`.
 */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { call } from './api/call.ts';
import { Work, WorkContext } from './api/work.ts';
import { queryClient } from './app/query-client.ts';
import { startRouter } from './app/router.tsx';
import { watchSessionEnd } from './app/session-end.ts';
import { startTexts } from './i18n/texts.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
watchSessionEnd();
const work = new Work(call, queryClient);
const texts = startTexts(null);
// Yields to the browser between parsing the code and the work that follows, which is noticeable on a slow phone.
await new Promise((done) => setTimeout(done));
const router = startRouter();
await texts;
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <WorkContext value={work}>
        <RouterProvider router={router} />
      </WorkContext>
    </QueryClientProvider>
  </StrictMode>,
);
