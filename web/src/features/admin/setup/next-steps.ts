/** Remembers in this tab that the installation was just set up, so that the home page shows the next step. */

const key = 'set-up';

/** What was added: without devices, the next step is to add some. */
export function rememberSetUp(hasDevices: boolean): void {
  sessionStorage.setItem(key, hasDevices ? 'devices' : 'none');
}

/** `devices` or `none`; null: this tab has not just set up the installation. */
export function readSetUp(): string | null {
  return sessionStorage.getItem(key);
}

export function forgetSetUp(): void {
  sessionStorage.removeItem(key);
}
