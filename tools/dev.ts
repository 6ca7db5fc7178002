/** `npm run dev`: the portal, started anew whenever a file of it changes, and Vite with hot reload in front of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { projectDir } from './steps.ts';

/** Where Vite serves, as `web/vite.config.ts` says; it passes on to the portal's default port. */
const publicUrl = 'http://localhost:5173';
const portalPort = '8080';

/** Runs both until a signal ends them; gives the exit code. */
export async function run(): Promise<number> {
  const environment = {
    RECODERY_PUBLIC_URL: publicUrl,
    RECODERY_PORT: portalPort,
    ...process.env,
  };
  const portal = start(
    ['--watch', '--watch-preserve-output', 'recodery.mjs', 'serve'],
    environment,
  );
  const vite = start(['node_modules/vite/bin/vite.js', 'web'], environment);
  process.stderr.write(`The pages, with hot reload: ${publicUrl}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      portal.kill('SIGTERM');
      vite.kill('SIGTERM');
    });
  }
  // When one ends the other is of no use.
  const code = await Promise.race([ended(portal), ended(vite)]);
  portal.kill('SIGTERM');
  vite.kill('SIGTERM');
  await Promise.all([ended(portal), ended(vite)]);
  return code;
}

function start(words: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, words, { cwd: projectDir, stdio: 'inherit', env: environment });
}

function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(0);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 0)));
}
