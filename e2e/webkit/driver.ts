/** Starts WebKit's MiniBrowser on a virtual screen, driven over WebDriver, with its own download folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, type WebDriver } from 'selenium-webdriver';
import { freePort } from '../../server/test/fixtures/free-port.ts';
import { findMiniBrowser } from '../programs.ts';

/** Milliseconds within which a program must start, or a download must finish. */
const patience = 120_000;

/**
 * The size of the screen, which the window fills. It is tall, because the browser adds a bar for each downloaded file.
 */
const [width, height] = [1440, 2400];

/** A running browser. */
export interface WebKit {
  readonly driver: WebDriver;
  /** Waits until a file with a matching name is complete, and moves it out of the folder; returns its path. */
  downloaded(name: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** Retries until there is a result; rejects with `what` on timeout. */
async function until<T>(what: () => string, ask: () => Promise<T | null>): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > end) throw new Error(`${what()} did not come`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function end(child: ChildProcess): Promise<void> {
  const closed = new Promise((done) => child.once('exit', done));
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await closed;
}

/** Creates a home folder in which the browser finds its download folder, and nothing from another run. */
async function makeHome(): Promise<{ home: string; downloads: string }> {
  const home = await mkdtemp(join(tmpdir(), 'recodery-webkit-'));
  const downloads = join(home, 'downloads');
  await mkdir(downloads);
  await mkdir(join(home, '.config'));
  const line = `XDG_DOWNLOAD_DIR="${downloads}"\n`;
  await writeFile(join(home, '.config/user-dirs.dirs'), line);
  return { home, downloads };
}

/** Starts a virtual screen on a free display number. */
async function startScreen(children: ChildProcess[]): Promise<string> {
  // it writes its number to file descriptor 3
  const words = ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'];
  const screen = spawn('Xvfb', words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  children.push(screen);
  const told = screen.stdio[3];
  const number = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject);
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    told?.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
  });
  return `:${number}`;
}

/** Starts the driver process; returns its address. */
async function startServer(
  home: string,
  display: string,
  children: ChildProcess[],
): Promise<string> {
  const port = await freePort();
  const server = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), DISPLAY: display },
  });
  children.push(server);
  const address = `http://127.0.0.1:${port}`;
  const asksStatus = () =>
    fetch(`${address}/status`).then(
      (answer) => (answer.ok ? true : null),
      () => null,
    );
  await until(() => 'WebKitWebDriver', asksStatus);
  return address;
}

/** Starts screen, driver and browser. */
export async function startWebKit(): Promise<WebKit> {
  const browser = findMiniBrowser();
  if (browser === null) throw new Error('there is no MiniBrowser of WebKitGTK');
  const children: ChildProcess[] = [];
  const { home, downloads } = await makeHome();
  const clear = async (): Promise<void> => {
    for (const child of children.toReversed()) await end(child);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  let driver: WebDriver | null = null;
  try {
    const address = await startServer(home, await startScreen(children), children);
    driver = await new Builder()
      .disableEnvironmentOverrides()
      .usingServer(address)
      .withCapabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
      })
      .build();
  } finally {
    if (driver === null) await clear();
  }
  const running = driver;
  await running.manage().window().setRect({ x: 0, y: 0, width, height });
  return {
    driver: running,
    downloaded: (name) => takeDownload(downloads, name),
    async stop() {
      await running.quit();
      await clear();
    },
  };
}

/** The suffix of a file that is still downloading. */
const partial = '.wkdownload';

async function takeDownload(folder: string, name: RegExp): Promise<string> {
  let there: readonly string[] = [];
  const found = await until(
    () => `a file ${name} beside [${there.join(', ')}]`,
    async () => {
      there = await readdir(folder);
      const file = there.find((one) => name.test(one) && !one.endsWith(partial));
      // until the download is complete, the file is empty, and its bytes are in another file next to it
      if (file === undefined || there.includes(file + partial)) return null;
      return (await stat(join(folder, file))).size > 0 ? file : null;
    },
  );
  const taken = join(await mkdtemp(join(folder, '../taken-')), found);
  await rename(join(folder, found), taken);
  return taken;
}
