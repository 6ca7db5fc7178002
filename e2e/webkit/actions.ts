/** User actions in WebKit, and waiting for their results, by the visible texts of the page. */
import { expect } from '@playwright/test';
import { By, Key, type WebElement } from 'selenium-webdriver';
import type { WebKit } from './driver.ts';

/** Milliseconds that something on the page may take to appear. */
const patience = 90_000;

/** WebKit's errors, as recorded in the page. */
interface Watched {
  complaints?: string[];
}

/**
 * Records the page's errors from now on: script errors and violations of its content security policy. Runs in the page.
 */
function keepComplaints(): void {
  const kept: string[] = [];
  (globalThis as Watched).complaints = kept;
  const complain = console.error;
  console.error = (...words: unknown[]) => {
    kept.push(words.map(String).join(' '));
    complain(...words);
  };
  addEventListener('error', ({ message }) => kept.push(message));
  addEventListener('unhandledrejection', ({ reason }) => kept.push(String(reason)));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    kept.push(`CSP violation: ${violatedDirective} ${blockedURI}`),
  );
}

/** Opens an address, and starts recording errors there. */
export async function open(webkit: WebKit, address: string): Promise<void> {
  await webkit.driver.get(address);
  await listen(webkit);
}

/** Starts recording errors on a page that was opened by a redirect. */
export async function listen({ driver }: WebKit): Promise<void> {
  await driver.executeScript(keepComplaints);
}

/** Expects that the open document has recorded no error. */
export async function expectNoComplaints({ driver }: WebKit): Promise<void> {
  const kept = await driver.executeScript(() => (globalThis as Watched).complaints ?? null);
  expect(kept, 'the browser reported errors, or they were not recorded').toEqual([]);
}

/** Retries until a result is not null, and returns it. An element that React has just replaced is looked up again. */
async function wait<T>({ driver }: WebKit, ask: () => Promise<T | null>, of: string): Promise<T> {
  const answer = await driver.wait<T | null>(
    () =>
      ask().catch((fault: unknown) => {
        if (fault instanceof Error && fault.name === 'StaleElementReferenceError') return null;
        throw fault;
      }),
    patience,
    `${of} did not come`,
  );
  if (answer === null) throw new Error(`${of} did not come`);
  return answer;
}

/** Waits for the first visible one of the matching elements. */
export async function visible(webkit: WebKit, by: By): Promise<WebElement> {
  const shown = async () => {
    for (const element of await webkit.driver.findElements(by))
      if (await element.isDisplayed()) return element;
    return null;
  };
  return wait(webkit, shown, String(by));
}

/** Waits for a visible text: the innermost element that contains all of it. */
export async function see(webkit: WebKit, text: string): Promise<void> {
  const contains = `contains(normalize-space(.), "${text}")`;
  await visible(webkit, By.xpath(`//body//*[${contains} and not(.//*[${contains}])]`));
}

export async function seeTitle(webkit: WebKit, title: string): Promise<void> {
  await visible(webkit, By.xpath(`//h1[contains(normalize-space(.), "${title}")]`));
}

/** Waits for an exact address. */
export async function seeAddress(webkit: WebKit, is: (url: URL) => boolean): Promise<void> {
  const asks = async () => (is(new URL(await webkit.driver.getCurrentUrl())) ? true : null);
  await wait(webkit, asks, `the address ${is}`);
}

/** Presses a button, link, menu item, switch or checkbox by its exact text, inside `place` (an XPath). */
export async function press(webkit: WebKit, name: string, place = '//body'): Promise<void> {
  await pressWhere(webkit, `normalize-space(.)="${name}" or @aria-label="${name}"`, place);
}

/** The same, by the start of its text. */
export async function pressBeginning(webkit: WebKit, name: string, place = '//body') {
  const said = `starts-with(normalize-space(.), "${name}") or starts-with(@aria-label, "${name}")`;
  await pressWhere(webkit, said, place);
}

async function pressWhere(webkit: WebKit, said: string, place: string): Promise<void> {
  const kinds = 'self::button or self::a or self::label or starts-with(@role, "menuitem")';
  const isOpen = 'not(@disabled) and not(@aria-disabled="true")';
  const by = By.xpath(`${place}//*[(${kinds}) and (${said}) and ${isOpen}]`);
  const pressed = async () => {
    await (await visible(webkit, by)).click();
    return true;
  };
  await wait(webkit, pressed, `a press on ${by}`);
}

/** Types into the field with this label, replacing its content. */
export async function write(webkit: WebKit, label: string, text: string): Promise<void> {
  const by = By.xpath(`//*[@id=//label[normalize-space(.)="${label}"]/@for]`);
  const field = await visible(webkit, by);
  const { length } = (await field.getAttribute('value')) ?? '';
  // by keys alone: React does not notice a field that is cleared by script
  await field.sendKeys(Key.END, Key.BACK_SPACE.repeat(length), text);
}

/** Chooses a file for the first upload inside `place` (an XPath). */
export async function choose(webkit: WebKit, path: string, place = '//main'): Promise<void> {
  const by = By.xpath(`(${place}//input[@type="file" and not(@disabled)])[1]`);
  const field = await wait(
    webkit,
    async () => (await webkit.driver.findElements(by))[0] ?? null,
    String(by),
  );
  await field.sendKeys(path);
}

/** The row of a component in the encode step, as an XPath. */
export function rowOf(part: string): string {
  // by its own name: checks and file names contain the same word
  return `(//main//li[.//*[normalize-space(text())="${part}"]])[last()]`;
}

/** Drops a file created in the page on the drop area with that name. */
export async function drop(
  { driver }: WebKit,
  area: string,
  name: string,
  bytes: Buffer,
): Promise<void> {
  await driver.executeScript(
    (label: string, fileName: string, text: string) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.fromBase64(text);
      transfer.items.add(new File([content], fileName));
      document
        .querySelector(`[aria-label="${label}"]`)
        ?.dispatchEvent(
          new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }),
        );
    },
    area,
    name,
    bytes.toString('base64'),
  );
}
