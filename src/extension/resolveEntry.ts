import { homedir } from 'node:os';
import type { Resolution } from '../config/resolve.ts';
import type { ConfiguredEntry } from './config/configuredServers.ts';
import type { InputAnswers } from './consent/inputAnswers.ts';

/** Replaces the variables of an entry, asking the user for inputs not answered yet. */
export async function resolveEntry(
  entry: ConfiguredEntry,
  answers: InputAnswers,
  onAnswer: (answer: string) => void,
): Promise<Resolution> {
  const { resolveServer } = await import('../config/resolve.ts');
  return resolveServer(entry.name, entry.entry, {
    workspaceFolder: entry.workspaceFolder,
    userHome: homedir(),
    env: process.env,
    inputs: entry.inputs,
    platform: process.platform,
    resolveInput: async (id) => {
      const answer = await answers.answer(entry, id);
      if (answer !== undefined) onAnswer(answer);
      return answer;
    },
  });
}
