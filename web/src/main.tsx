/** Starts the page: asks for the texts, begins the router, draws when both can. `/login` and `/loggedin` have a small document of their own, `sign-in.html`. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startRouter } from './app/router.tsx';
import { watchSessionEnd } from './app/session-end.ts';
import { startTexts } from './i18n/texts.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
watchSessionEnd();
const texts = startTexts(null);
// A breath for the browser between the reading of the code and the work that follows, which a slow phone feels.
await new Promise((done) => setTimeout(done));
const router = startRouter();
await texts;
createRoot(root).render(
  <StrictMode>
    <App router={router} />
  </StrictMode>,
);
