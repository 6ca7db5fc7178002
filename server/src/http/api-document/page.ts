/**
 * Renders the API page: authentication, one whole workflow as commands, then the reference. It works without
 * JavaScript.
 */
import { basename } from 'node:path/posix';
import { type Route, startsWork } from '@recodery/contract/api';
import { tokenDays } from '@recodery/contract/features/clients';
import { definitionOf, families, type Family } from '@recodery/contract/families/registry';
import { customerCodeHeader, idempotencyHeader, sessionHeader } from '@recodery/contract/headers';
import { renderReference } from './reference.ts';
import { fileSteps, signInSteps, type WorkflowStep } from './workflow.ts';
import { renderEncodingApi } from './encoding-api.ts';
import { brand, html, type Markup, plainDocument } from '../pages/plain-page.ts';

const code = (text: string): Markup => html`<code>${text}</code>`;
const callLink = (name: string, words: string): Markup => html`<a href="#${name}">${words}</a>`;

/** A text with everything in backticks shown as code. */
function renderText(text: string): Markup {
  const pieces = text.split('`').map((piece, at) => (at % 2 === 1 ? code(piece) : html`${piece}`));
  return { markup: pieces.map(({ markup }) => markup).join('') };
}

function renderSteps(steps: readonly WorkflowStep[], all: ReadonlyMap<string, Route>): Markup {
  const items = steps.map(({ title, text, command, calls }) => {
    const made = calls.map((name) => {
      const { verb, path } = all.get(name) ?? { verb: '', path: name };
      return html`<p class="made"><a href="#${name}"><code>${verb} ${path}</code></a></p>`;
    });
    return html`<li>
<h3>${title}</h3>
<p>${renderText(text)}</p>
${made}
<pre tabindex="0"><code class="command">${command}</code></pre>
</li>`;
  });
  return html`<ol class="steps">
${items}
</ol>`;
}

function renderAuthentication(publicUrl: string, all: ReadonlyMap<string, Route>): Markup {
  return html`<section aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>Programs send an access token with every call: ${code('Authorization: Bearer TOKEN')}. To get a token, ${callLink('clients.requestAccessToken', 'send the secret of a client application')}. The token is valid for ${String(tokenDays)} days.
If a call returns ${callLink('API_ERROR_UNAUTHORIZED', '401')}, request a new token and repeat the call once. Calls about a user’s session refuse tokens.
To make sure that a repeated request does not start its work twice, send a unique key in the header ${code(idempotencyHeader)}. For 24 hours, requests with the same key and content return the first response again.</p>
<p>The pages send a session ID in the header ${code(sessionHeader)}, except in the few calls that need none according to the reference.
To get one, sign in as a user: the sign-in redirects to ${code('/loggedin')} with a one-time token, which you exchange for a session.</p>
${renderSteps(signInSteps(publicUrl), all)}
<p>If your portal uses an external sign-in provider, sign in with a browser
and copy the session ID, which the page stores under ${code('LLC')} in the browser’s local storage.</p>
<ul>
<li>A session expires after 8 hours without activity, and after 24 hours at the latest. Polling and event streams do not count as activity. Then calls return ${callLink('API_ERROR_UNAUTHORIZED', '401')}; sign in again.</li>
<li>After 15 minutes a response can carry a new session ID in the same header. Use it from then on: the old ID stops working a minute after the new one is first used.</li>
<li>A session works under one customer code at a time. ${callLink('session.switchCustomerCode', 'Switch the customer code')} without signing in again. To make sure that an upload or encode uses the customer code that you expect, send it in the header ${code(customerCodeHeader)}.</li>
</ul>
</section>`;
}

/** A family's calls, by what a program needs them for: to upload a read file, to upload other files, to encode. */
function sortCalls(family: Family, all: ReadonlyMap<string, Route>) {
  const calls = [...all].filter(([name]) => name.startsWith(`${family}.`));
  const isUpload = ({ parts }: Route): boolean => parts.file !== undefined;
  return [
    calls.filter(([, call]) => isUpload(call) && startsWork(call)),
    calls.filter(([, call]) => isUpload(call) && !startsWork(call)),
    calls.filter(([, call]) => !isUpload(call) && startsWork(call)),
  ];
}

function renderFamilies(all: ReadonlyMap<string, Route>): Markup {
  const rows = families.map((family) => {
    const cells = sortCalls(family, all).map((calls) => {
      const links = calls.map(([name, { path }]) => {
        const segment = basename(path.replace(/\/\{.*/, ''));
        return html`<div><a href="#${name}"><code>${segment}</code></a></div>`;
      });
      return html`<td>${links}</td>`;
    });
    return html`<tr><th scope="row">${definitionOf(family).name}</th>${cells}</tr>`;
  });
  return html`<h3 id="families">The other families</h3>
<p>The steps are the same for every family. Only these calls differ:</p>
<div class="table"><table>
<thead><tr><th scope="col">Family</th><th scope="col">Upload a read file</th><th scope="col">Upload other files</th><th scope="col">Encode</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function renderWorkflow(all: ReadonlyMap<string, Route>): Markup {
  return html`<section aria-labelledby="workflow">
<h2 id="workflow">From a read file to an encoded file</h2>
<p>Run these commands in the same shell. The files are samples of the demo workspace: change to the folder
${code('demo/samples/kessv2')} of the portal’s data folder, or use a read file from one of your own slaves.</p>
${renderSteps(fileSteps, all)}
${renderFamilies(all)}
<p>Instead of polling you can ${callLink('operations.openEvents', 'subscribe to events')}: the portal reports every finished operation on one stream.</p>
</section>`;
}

function renderErrorForms(): Markup {
  return html`<section aria-labelledby="failures">
<h2 id="failures">When a call fails</h2>
<p>The body of an error response is a single <a href="#errors">error code</a> as plain text. Send ${code('Accept: application/problem+json')}
to get a problem document (RFC 9457) instead. An operation that fails after it was accepted returns ${code('error.errorName')} in its record.</p>
<ul>
<li>${code('429')}: a limit has been reached. The body is JSON with the code in ${code('errorCode')}; if the limit is that of parallel operations, ${code('details')} lists those that are still running. Wait for the number of seconds in the header ${code('Retry-After')}.</li>
<li>${code('422')}: ${code('SIGN_IN_AGAIN')}: the user must confirm their identity. Sign in again; the session stays valid. ${code('IDEMPOTENCY_KEY_REUSED')}: the key was used for a different request.</li>
<li>${code('503')}: the portal is busy or in maintenance. Retry later.</li>
</ul>
</section>`;
}

/** The page; `publicUrl` is the origin that the commands call. */
export function renderApiPage(all: ReadonlyMap<string, Route>, publicUrl: string): string {
  const reference = renderReference(all);
  const body = html`<body>
<header class="bar">
<a class="brand" href="/">${brand}<span class="hidden">: to the portal</span></a>
<nav aria-label="More"><ul>
<li><a href="/guide/en">User guide</a></li>
<li><a href="/api/docs" aria-current="page">API</a></li>
<li><a href="/api/openapi.json">OpenAPI</a></li>
</ul></nav>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">
<p>Start here</p>
<ol>
<li><a href="#authentication">Authentication</a></li>
<li><a href="#workflow">From a read file to an encoded file</a></li>
<li><a href="#failures">When a call fails</a></li>
<li><a href="#encoding-api">Encoding API</a></li>
</ol>
<p>Reference</p>
<ol>${reference.contents}</ol>
</nav>
<main class="reading">
<h1>API</h1>
<p class="lead">Your own programs can do almost everything that the portal’s pages do, with the same calls. The API is also described by
<a href="/api/openapi.json">an OpenAPI 3.1 document</a>.</p>
${renderAuthentication(publicUrl, all)}
${renderWorkflow(all)}
${renderErrorForms()}
${renderEncodingApi(publicUrl)}
${reference.body}
</main>
</div>
</body>`;
  return plainDocument('en', 'API', body);
}
