/** The steps that every family's workflow shares: choose a file, wait for automatic downloads, act as the slave. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Download, expect, type Locator, type Page } from '@playwright/test';

export async function bytesOf(download: Pick<Download, 'path'>): Promise<Buffer> {
  return readFile(await download.path());
}

/** Whether the page is in Firefox, whose driver can do less. */
export const isFirefox = (page: Page): boolean =>
  page.context().browser()?.browserType().name() === 'firefox';

/**
 * Waits for a file that the page itself has created. Firefox does not report such a download to its driver: there it is
 * what the page passes to the browser.
 */
export async function createdFile(
  page: Page,
): Promise<Pick<Download, 'path' | 'suggestedFilename'>> {
  if (!isFirefox(page)) return page.waitForEvent('download');
  const { name, bytes } = await page.evaluate(captureCreatedFile);
  const path = join(await mkdtemp(join(tmpdir(), 'recodery-made-')), name);
  await writeFile(path, Buffer.from(bytes));
  return { suggestedFilename: () => name, path: async () => path };
}

/** Runs in the page: the next file that a `blob:` link downloads. */
function captureCreatedFile(): Promise<{ name: string; bytes: number[] }> {
  return new Promise((resolve) => {
    const make = URL.createObjectURL;
    let made: Blob | null = null;
    URL.createObjectURL = (of) => {
      if (of instanceof Blob) made = of;
      return make.call(URL, of);
    };
    const onClick = ({ target }: Event): void => {
      if (!(target instanceof HTMLAnchorElement) || !target.href.startsWith('blob:')) return;
      document.removeEventListener('click', onClick, true);
      URL.createObjectURL = make;
      const name = target.download;
      void made?.arrayBuffer().then((all) => resolve({ name, bytes: [...new Uint8Array(all)] }));
    };
    document.addEventListener('click', onClick, true);
  });
}

/** A component's row in the encode step, by the component's name; the decoded panel above may name it too. */
export function rowOf(page: Page, part: string): Locator {
  // by the row's own name: the name of a file in another row may contain the same word
  return page
    .getByRole('listitem')
    .filter({ has: page.getByText(part, { exact: true }) })
    .last();
}

/** Adds a modified file to a component's row. */
export async function modify(page: Page, part: string, path: string): Promise<void> {
  await rowOf(page, part).locator('input[type=file]').setInputFiles(path);
}

/** Opens another page as its links do, without loading the application again, and waits until its title is shown. */
export async function visit(page: Page, path: string): Promise<void> {
  const before = await page.title();
  await page.evaluate((to) => {
    const { idx = 0 } = (history.state ?? {}) as { idx?: number };
    history.pushState({ idx: idx + 1 }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, path);
  await expect(page).not.toHaveTitle(before);
}

/** From now on, a page waits for as long as a request takes: on a busy machine, it would give up some after seconds. */
export async function neverTimeOut(page: Page): Promise<void> {
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
}

/** Delays every request to a URL until the returned function is called. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue().catch(() => {});
  });
  return resolve;
}

/** Opens a page on which files can be read only after the returned function was called. */
export async function holdReading(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.exposeFunction('untilReleased', () => promise);
  await page.addInitScript(() => {
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = async function (this: Blob) {
      await (window as unknown as { untilReleased: () => Promise<void> }).untilReleased();
      return arrayBuffer.call(this);
    };
  });
  await page.goto(path);
  return resolve;
}

/** The paths of files, or files with their content. */
type Chosen = Parameters<Locator['setInputFiles']>[0];

/** Chooses files for the first drop area on the page, as soon as it accepts files. */
export async function choose(page: Page, files: Chosen): Promise<void> {
  await page.locator('input[type=file]:enabled').first().setInputFiles(files);
}

/** Drops files on an element, as if from the desktop. */
export async function drop(
  target: Locator,
  ...files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
): Promise<void> {
  const given = files.map(({ name, bytes }) => ({
    name,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  const dropAll = (element: Element, all: typeof given): boolean => {
    // replaced since it was found, and no longer in the page
    if (!element.isConnected) return false;
    const dataTransfer = new DataTransfer();
    for (const { name, base64 } of all) {
      const bytes = Uint8Array.fromBase64(base64);
      dataTransfer.items.add(new File([bytes], name));
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      element.dispatchEvent(event);
      // on a disabled area, the frame around the pages prevents it
      const isDisabled = element.closest('[aria-disabled=true]') !== null;
      if (!event.defaultPrevented && !isDisabled)
        throw new Error(`${type} would open the file in the browser`);
    }
    return true;
  };
  await expect.poll(() => target.evaluate(dropAll, given)).toBe(true);
}

/** Clicks a button and waits for the file that it downloads. */
export async function download(button: Locator): Promise<Download> {
  const coming = button.page().waitForEvent('download');
  await button.click();
  return coming;
}

/** Opens the job of the shown files, and waits until its page has replaced the one before, which has equal buttons. */
export async function openJob(page: Page, part: Page | Locator = page): Promise<void> {
  await part.getByRole('link', { name: 'Open job' }).first().click();
  await expect(page.getByRole('heading', { name: 'Timeline', exact: true })).toBeVisible({
    timeout: 60_000,
  });
}

/** Chooses a read file and waits for the decoded file, which downloads automatically. */
export async function decode(page: Page, files: Chosen): Promise<Download> {
  const coming = page.waitForEvent('download');
  await choose(page, files);
  return coming;
}

/** Presses the encode button and waits for the encoded file, which downloads automatically. */
export async function encode(page: Page, name = 'Encode'): Promise<Download> {
  return download(page.getByRole('button', { name, exact: true }));
}

/** The toasts on the page that contain `text`; without a text, all of them. */
export function toastOf(page: Page, text: string | RegExp = ''): Locator {
  return page.getByRole('alertdialog').filter({ hasText: text });
}

/**
 * Moves the pointer to a toast, which then stays open. `show` makes it appear, and does so again if the toast has closed
 * before the pointer reached it, as on a busy machine.
 */
export async function holdToast(toast: Locator, show: () => Promise<unknown>): Promise<void> {
  await expect(async () => {
    await show();
    await toast.hover({ timeout: 10_000 });
  }).toPass();
}

/** The position of an element. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return box;
}

/** Whether `emulateMedia` changes what a page looks like: Firefox's driver cannot emulate anything. */
export const emulatesMedia = (page: Page): boolean => !isFirefox(page);

/** Types into a field and replaces its content. */
export async function write(field: Locator, text: string): Promise<void> {
  // React does not notice a text that is set by script, as `fill` does it in Firefox
  await field.fill('');
  await field.pressSequentially(text);
}
