/** Starts the page: texts first, then the router. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { watchSessionEnd } from './app/session-end.ts';
import { startTexts } from './i18n/texts.ts';

async function start(root: HTMLElement): Promise<void> {
  watchSessionEnd();
  await startTexts(null);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// `/login` and `/loggedin` have a small document of their own (`sign-in.html`); where a server
// gives this one for them all the same, the way in still works.
await (/^\/(login|loggedin)$/.test(location.pathname)
  ? import('./app/sign-in/main.ts')
  : start(root));
