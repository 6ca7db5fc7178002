/** `recodery directory apply|export`: organisations, users and devices as one YAML file. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  type ApplyOptions,
  applyDirectory,
  exportDirectory,
} from '../organisations/directory/directory.ts';
import {
  type DirectoryFile,
  readDirectoryFile,
  writeDirectoryFile,
} from '../organisations/directory/directory-file.ts';
import { describeMistake, locateMistakes } from '../organisations/directory/directory-lines.ts';
import { describeChange, listMoves } from '../organisations/directory/directory-rules.ts';
import type { DirectoryMistake } from '../organisations/directory/directory-state-rules.ts';
import { LogoRefused, loadLogo } from '../organisations/logo-file.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';
import { type NewFileRules, refuseExisting, replacedBy, writeGivenFile } from './support/files.ts';

export const addDirectory: AddCommand = (program, tools) => {
  const directory = program
    .command('directory')
    .description('manage organisations, users and devices in a YAML file');
  directory
    .command('apply')
    .argument('<file>', 'the YAML file')
    .option('--dry-run', 'only show what would change')
    .option('--move', 'allow devices to change their owner')
    .description('create and update everything in the file; anything not listed stays unchanged')
    .action(
      (file: string, { dryRun = false, move = false }: { dryRun?: boolean; move?: boolean }) =>
        apply(tools, file, { isTrial: dryRun, refusesMoves: !move }),
    );
  directory
    .command('export')
    .argument('<file>', 'the file to write, or - for stdout')
    .option('--dry-run', 'write to stdout instead of a file')
    .option('--force', 'replace an existing file')
    .description('export the whole directory to a file that you can apply again')
    .action((file: string, { dryRun, force }: { dryRun?: boolean; force?: boolean }) =>
      writeExport(tools, dryRun === true ? '-' : file, replacedBy(force)),
    );
};

async function apply(tools: CommandTools, file: string, options: ApplyOptions): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandRefused(`Could not read ${file}.`);
  });
  const read = readDirectoryFile(text);
  if ('mistakes' in read) throw new CommandRefused(listMistakes({ file, text }, read.mistakes));
  const directory = await withLogos(read.directory, dirname(resolve(file)));
  const plan = await tools.withPlatform(async (platform) => {
    const made = await applyDirectory(platform, directory, options);
    if ('mistakes' in made)
      throw new CommandRefused(listMistakes({ file, text }, wordsOf(made.mistakes)));
    return made;
  });
  for (const change of plan.changes) tools.answer(describeChange(change));
  const { isTrial = false, refusesMoves = false } = options;
  if (isTrial && refusesMoves && listMoves(plan.changes).length > 0)
    tools.say('Devices would change their owner. To apply this, add --move.');
  const count = plan.changes.length;
  tools.say(
    count === 0
      ? 'Nothing to change.'
      : isTrial
        ? `${count} changes would be made. Nothing was changed.`
        : `${count} changes made.`,
  );
}

/** The lines about a plan's mistakes; a device that moves in two ways has one line. */
function wordsOf(mistakes: readonly DirectoryMistake[]): readonly string[] {
  const lines = new Set(mistakes.map(({ text }) => text));
  const isMove = mistakes.some(({ move }) => move !== undefined);
  return [
    ...lines,
    ...(isMove ? ['These devices change their owner. To confirm, add --move.'] : []),
  ];
}

function listMistakes(
  { file, text }: { readonly file: string; readonly text: string },
  mistakes: readonly string[],
): string {
  const lines = locateMistakes(text, mistakes).map((mistake) => `  ${describeMistake(mistake)}`);
  return [`${file} was not applied:`, ...lines].join('\n');
}

/** Replaces the picture file names in the directory with the pictures. */
async function withLogos(directory: DirectoryFile, folder: string): Promise<DirectoryFile> {
  const organisations = [];
  for (const entry of directory.organisations ?? []) {
    const { logo } = entry;
    const isFile = typeof logo === 'string' && !logo.startsWith('data:');
    const loaded = isFile
      ? await loadLogo(resolve(folder, logo)).catch((error: unknown) => {
          if (error instanceof LogoRefused)
            throw new CommandRefused(`${entry.customerCode}: ${error.message}`);
          throw error;
        })
      : logo;
    organisations.push(loaded === undefined ? entry : { ...entry, logo: loaded });
  }
  return { ...directory, organisations };
}

async function writeExport(tools: CommandTools, file: string, rules: NewFileRules): Promise<void> {
  if (file !== '-') await refuseExisting(file, rules);
  const directory = await tools.withPlatform(({ db }) => exportDirectory(db));
  const text = writeDirectoryFile(directory);
  if (file === '-') {
    tools.answer(text.trimEnd());
    return;
  }
  await writeGivenFile(file, text, rules);
  tools.say(`Wrote ${file}.`);
}
