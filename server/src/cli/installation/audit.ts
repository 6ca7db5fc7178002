/** `recodery audit list|verify|export`: who did what, and whether the trail is complete. */
import { escapeInvisible } from '@recodery/contract/file-names';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { appendWaiting, type ChainedEntry } from '../../audit/audit.ts';
import {
  type AuditFilter,
  type ChainHead,
  explainCheck,
  listAudit,
  verifyAudit,
} from '../../audit/read-audit.ts';
import { findOrganisationByCode } from '../../organisations/organisations.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { type AddCommand, CommandRefused, type CommandTools } from '../support/command.ts';
import { parseTime } from '../support/parse-time.ts';

interface FilterOptions {
  readonly from?: Date;
  readonly to?: Date;
  readonly customerCode?: string;
  readonly actor?: string;
  readonly action?: string;
}

export const addAudit: AddCommand = (program, tools) => {
  const audit = program.command('audit').description('read and check the audit trail');
  addReader(audit, 'list', 'print the entries, oldest first, one per line', async (options) => {
    await read(tools, options, (entry) => tools.answer(describe(entry)));
  });
  addReader(
    audit,
    'export',
    'print the entries as JSON lines, with their hashes',
    async (options) => {
      await read(tools, options, (entry) => tools.answer(JSON.stringify(entry)));
    },
  );
  audit
    .command('verify')
    .description('check that no entry was changed or removed, and print the newest one')
    .option(
      '--head <position:hash>',
      'a line that an earlier check printed; its entry must still be in the trail',
      parseHead,
    )
    .action(async ({ head = null }: { head?: ChainHead | null }) => {
      const result = await withTrail(tools, (db) => verifyAudit(db, head));
      const { isIntact, text, head: newest } = explainCheck(result);
      if (!isIntact) throw new CommandRefused(text);
      tools.say(text);
      if (newest !== null) tools.answer(newest);
    });
};

function addReader(
  audit: Command,
  name: string,
  description: string,
  action: (options: FilterOptions) => Promise<void>,
): void {
  audit
    .command(name)
    .description(description)
    .option('--from <time>', 'ISO 8601, UTC unless a time zone is given', parseTime)
    .option('--to <time>', 'ISO 8601', parseTime)
    .option('--customer-code <code>', 'entries of one organisation')
    .option('--actor <name>', 'entries of one user (email address), client application or operator')
    .option('--action <name>', 'actions that start with this, such as kess3. or sign-in')
    .action(action);
}

/** Opens the trail with all entries, including those recorded while no worker was running. */
function withTrail<T>(tools: CommandTools, work: (db: Db) => Promise<T>): Promise<T> {
  return tools.withPlatform(async ({ db }) => {
    while ((await appendWaiting(db)) > 0);
    return work(db);
  });
}

async function read(
  tools: CommandTools,
  options: FilterOptions,
  take: (entry: ChainedEntry) => void,
): Promise<void> {
  await withTrail(tools, async (db) => {
    for await (const entry of listAudit(db, await toFilter(db, options))) take(entry);
  });
}

async function toFilter(db: Db, options: FilterOptions): Promise<AuditFilter> {
  const { customerCode, ...filter } = options;
  if (customerCode === undefined) return filter;
  const organisation = await findOrganisationByCode(db, customerCode);
  if (organisation === null)
    throw new CommandRefused(`No organisation has the customer code ${customerCode}.`);
  return { ...filter, organisation };
}

function describe({ position, entry }: ChainedEntry): string {
  const { on, actor, action, object = {}, from, outcome } = entry;
  const who = [actor.kind, actor.name ?? actor.guid].filter(Boolean).join(' ');
  return [String(position), on, who, action, outcome, from ?? '', JSON.stringify(object)]
    .map(escapeInvisible)
    .join('\t');
}

function parseHead(text: string): ChainHead {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new InvalidArgumentError('Must be the line that an earlier "audit verify" printed.');
  return { position: Number(position), hash };
}
