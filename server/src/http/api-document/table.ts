/** Renders tables and texts of the API page. */
import { html, type Markup } from '../pages/plain-page.ts';

export const code = (text: string): Markup => html`<code>${text}</code>`;

/** A text, with what is in backticks as code. */
export function renderText(text: string): Markup {
  const pieces = text.split('`').map((piece, at) => (at % 2 === 1 ? code(piece) : html`${piece}`));
  return { markup: pieces.map(({ markup }) => markup).join('') };
}

/** A table: the names of its columns, and rows whose first cell names the row. */
export function renderTable(
  caption: string | null,
  columns: readonly string[],
  rows: readonly (readonly Markup[])[],
): Markup {
  const title = caption === null ? null : html`<caption>${caption}</caption>`;
  const lines = rows.map(([name = html``, ...cells]) => {
    const others = cells.map((cell) => html`<td>${cell}</td>`);
    return html`<tr><th scope="row">${name}</th>${others}</tr>`;
  });
  return html`<div class="table"><table>${title}
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table></div>`;
}
