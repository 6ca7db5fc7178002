/** `npm run dev`: the portal, restarted whenever one of its files changes, and Vite with hot reload in front of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './steps.ts';

/** The address of Vite, as in `web/vite.config.ts`; Vite forwards to the portal. */
const publicUrl = 'http://localhost:5173';
const portalPort = '8080';
/** The folders that the portal consists of. */
const portalFolders = ['server/src', 'codec/src', 'contract/src'];
/** Debounce after a change in milliseconds: an editor, or a change of branch, writes several files. */
const quietMs = 150;

/** Runs both until a signal stops them, or Vite exits; returns the exit code. */
export async function run(): Promise<number> {
  const environment = {
    RECODERY_PUBLIC_URL: publicUrl,
    RECODERY_PORT: portalPort,
    ...process.env,
  };
  const portal = keepPortal(() => start(['tools/dev-portal.ts'], environment));
  const vite = start(['node_modules/vite/bin/vite.js', 'web'], environment);
  process.stderr.write(`The pages, with hot reload: ${publicUrl}\n`);
  // Node's own --watch loses a file that an editor replaces instead of writing into it.
  const watchers = portalFolders.map((folder) =>
    watch(join(projectDir, folder), { recursive: true }, portal.requestRestart),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => vite.kill('SIGTERM'));
  }
  const code = await ended(vite);
  for (const watcher of watchers) watcher.close();
  await portal.end();
  return code;
}

interface KeptPortal {
  /** Stops the portal and starts it again after the debounce. */
  requestRestart(this: void): void;
  end(): Promise<void>;
}

/** If the portal exits because of an error in a file, it waits for the next change. */
function keepPortal(startOne: () => ChildProcess): KeptPortal {
  let child = startOne();
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> = Promise.resolve();
  let isEnding = false;
  const endOne = (): Promise<number> => {
    child.kill('SIGTERM');
    return ended(child);
  };
  const restart = async (): Promise<void> => {
    await endOne();
    if (isEnding) return;
    process.stderr.write('A file has changed. Restarting the portal.\n');
    child = startOne();
  };
  return {
    requestRestart() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        restarting = restarting.then(restart);
      }, quietMs);
    },
    async end() {
      isEnding = true;
      clearTimeout(timer);
      await restarting;
      await endOne();
    },
  };
}

function start(words: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, words, { cwd: projectDir, stdio: 'inherit', env: environment });
}

function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(0);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 0)));
}
