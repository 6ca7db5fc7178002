/** The name of this tab: the server can tell its changes of a draft from those of other tabs. */
import { newKey } from './request-keys.ts';

let name: string | null = null;

/** The name of this tab, until it is reloaded. */
export function tabName(): string {
  name ??= newKey();
  return name;
}
