/** Connects a product of the journeys to a recorder: its connections, its log, its processes and what it stores. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAroundEngine, processesBelow, readOfProcess } from '../processes.ts';
import { Recorder } from './recorder.ts';
import { readStoredSecrets } from './stored-secrets.ts';

/** Milliseconds between two scans of the processes. */
const pace = 1000;

/** A recording in progress. */
export interface Recording {
  /** The port that clients use instead of the product's. */
  readonly port: number;
  /** Records the log and the processes of the product. */
  follow(child: ChildProcessWithoutNullStreams): void;
  /** Records a command, with what it has written to stderr. */
  addCommand(words: readonly string[], complaint: string): void;
  /** Collects what the running product stores. */
  collect(dataFolder: string, environment: NodeJS.ProcessEnv): Promise<void>;
  stop(): Promise<void>;
}

function recordProcesses(recorder: Recorder, ancestor: number): void {
  for (const id of [ancestor, ...processesBelow(ancestor)]) {
    const command = readOfProcess(id, 'cmdline');
    recorder.writeProcess(command.replaceAll('\0', ' '));
    if (isAroundEngine(command)) {
      const environment = readOfProcess(id, 'environ');
      recorder.writeProcess(`environment of an engine: ${environment.replaceAll('\0', ' ')}`);
    }
  }
}

/**
 * Starts recording the product on a port; returns null if this run does not record, for example when it takes the
 * guide's pictures.
 */
export async function startRecording(productPort: number): Promise<Recording | null> {
  const folder = process.env.E2E_RECORDINGS;
  if (folder === undefined) return null;
  const recorder = new Recorder(join(folder, `${process.pid}-${productPort}`));
  const listener = await recorder.listen(productPort);
  const looking = new Map<ChildProcessWithoutNullStreams, NodeJS.Timeout>();
  return {
    port: listener.port,
    follow(child) {
      // stdout is for the person who starts it: for the demo workspace it shows the link for signing in
      child.stderr.on('data', (part: Buffer) => recorder.write('log', part.toString()));
      const look = (): void => {
        recordProcesses(recorder, child.pid ?? 0);
        looking.set(child, setTimeout(look, pace));
      };
      looking.set(child, setTimeout(look, pace));
    },
    addCommand(words, complaint) {
      recorder.writeProcess(`recodery ${words.join(' ')}`);
      recorder.write('log', complaint);
    },
    async collect(dataFolder, environment) {
      recorder.know(await readStoredSecrets(dataFolder, environment));
      // only the embedded database is in the data folder
      if (environment['RECODERY_DATABASE_URL'] === undefined)
        recorder.write('log', await readFile(join(dataFolder, 'postgres', 'server.log'), 'utf8'));
    },
    async stop() {
      for (const timer of looking.values()) clearTimeout(timer);
      looking.clear();
      await listener.close();
    },
  };
}
