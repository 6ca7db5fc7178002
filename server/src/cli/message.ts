/** `recodery message add|list|remove`: the operator's messages to all users, on every open page within a second. */
import { longestMessage } from '@recodery/contract/features/messages';
import { type Command, InvalidArgumentError } from 'commander';
import {
  addMessage,
  listAllMessages,
  type OperatorMessage,
  removeMessage,
} from '../messages/messages.ts';
import { isPeriod, readMessageText } from '../messages/message-rules.ts';
import { shortLanguages } from '../texts/texts.ts';
import { type AddCommand, CommandRefused, type CommandTools, WrongUse } from './support/command.ts';
import { parseTime } from './support/parse-time.ts';

export const addMessageCommands: AddCommand = (program, tools) => {
  const message = program
    .command('message')
    .description('manage messages to all users, by language');
  addAdd(message, tools);
  message
    .command('list')
    .description('list all messages with their GUIDs')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const messages = await tools.withPlatform(({ db }) => listAllMessages(db));
      if (json === true) tools.answer(JSON.stringify(messages));
      else for (const one of messages) tools.answer(describe(one));
    });
  message
    .command('remove')
    .argument('<guid>', 'the GUID of the message, from "message list"')
    .description('remove a message')
    .action(async (guid: string) => {
      await tools.withPlatform(async ({ db }) => {
        if (!(await removeMessage(db, guid)))
          throw new CommandRefused(`No message has the GUID ${guid}.`);
      });
      tools.say('Message removed.');
    });
};

interface AddOptions {
  readonly language: string;
  readonly text: string;
  readonly from?: Date;
  readonly to?: Date;
}

function addAdd(message: Command, tools: CommandTools): void {
  message
    .command('add')
    .description('add a message; users whose language has no message see the English ones')
    .requiredOption('--language <language>', shortLanguages.join(', '), parseLanguage)
    .requiredOption('--text <text>', `at most ${longestMessage} characters`, parseText)
    .option('--from <time>', 'ISO 8601, UTC unless a time zone is given; default: now', parseTime)
    .option('--to <time>', 'ISO 8601; default: until the message is removed', parseTime)
    .action(async ({ language, text, from, to }: AddOptions) => {
      if (!isPeriod(from ?? null, to ?? null, new Date())) {
        throw new WrongUse('The message would end before it starts. Pass a later time to --to.');
      }
      const shown = { shownFrom: from ?? null, shownTo: to ?? null };
      const guid = await tools.withPlatform(({ db }) =>
        addMessage(db, { language, text, ...shown }),
      );
      tools.answer(guid);
    });
}

function describe({ guid, language, text, shownFrom, shownTo, state }: OperatorMessage): string {
  const until = shownTo === null ? 'until removed' : shownTo.toISOString();
  return [guid, language, state, shownFrom.toISOString(), until, text].join('\t');
}

function parseLanguage(word: string): string {
  const language = shortLanguages.find((one) => one === word.toLowerCase());
  if (language === undefined) {
    throw new InvalidArgumentError(`Must be one of ${shortLanguages.join(', ')}.`);
  }
  return language;
}

function parseText(word: string): string {
  const text = readMessageText(word);
  if (text === null)
    throw new InvalidArgumentError(
      `Must have 1 to ${longestMessage} characters, without control characters.`,
    );
  return text;
}
