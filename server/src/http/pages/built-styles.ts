/**
 * Finds the style sheet and the text font for the pages that the server renders, under the names from the web build.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** Paths on this server. */
export interface BuiltStyles {
  readonly sheet: string;
  /** The text font, preloaded before the style sheet names it; null before the first build. */
  readonly font: string | null;
}

/** The part of Vite's manifest that is used here. */
const manifestShape = z.record(
  z.string(),
  z.object({ file: z.string(), css: z.optional(z.array(z.string())) }),
);

function readManifest(folder: string): z.infer<typeof manifestShape> {
  const file = join(folder, '.vite/manifest.json');
  return existsSync(file) ? manifestShape.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

/**
 * The look from the folder of the built pages. It is shared with `/login` and `/loggedin`, so that browsers load it
 * once. Before the first build, as in development, the style sheet has the name that Vite's server gives it.
 */
export function findBuiltStyles(folder: string): BuiltStyles {
  const manifest = readManifest(folder);
  const sheet = manifest['sign-in.html']?.css?.[0] ?? 'assets/plain-page.css';
  const source = Object.keys(manifest).find((name) =>
    name.endsWith('/ibm-plex-sans-latin-wght-normal.woff2'),
  );
  const font = source === undefined ? undefined : manifest[source]?.file;
  return { sheet: `/${sheet}`, font: font === undefined ? null : `/${font}` };
}
