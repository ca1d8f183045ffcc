import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { InputDefinition } from '../../config/schema.ts';
import { visible } from '../../base/visibleText.ts';
import type { ConfiguredEntry } from '../config/configuredServers.ts';

/**
 * The user's answers to the questions of a configuration file. They are kept in the editor's secret storage, since an
 * author easily forgets to call a question a password, and belong to the one entry they were given for: another program
 * that asks for the same input does not get them.
 */
export class InputAnswers {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** The answer given before, else the one the user gives now; undefined where there is none. */
  async answer(entry: ConfiguredEntry, id: string): Promise<string | undefined> {
    const input = entry.inputs.find((each) => each.id === id);
    if (input === undefined) return undefined;
    const key = keyOf(entry, input);
    const known = await this.#secrets.get(key);
    if (known !== undefined) return known;
    const answer = await ask(entry.name, input);
    if (answer !== undefined) await this.#secrets.store(key, answer);
    return answer;
  }

  /** Forgets every answer given for an entry. */
  async forget(entry: ConfiguredEntry): Promise<void> {
    for (const input of entry.inputs) await this.#secrets.delete(keyOf(entry, input));
  }
}

function keyOf(entry: ConfiguredEntry, input: InputDefinition): string {
  const text = JSON.stringify([entry.hash, input]);
  return `input-${createHash('sha256').update(text).digest('hex')}`;
}

async function ask(server: string, input: InputDefinition): Promise<string | undefined> {
  const title = visible(`${server}: ${input.description ?? input.id}`);
  switch (input.type) {
    case 'promptString':
      return vscode.window.showInputBox({
        title,
        prompt: visible(`The server "${server}" needs the input "${input.id}".`),
        password: input.password ?? false,
        ignoreFocusOut: true,
        ...(input.default !== undefined && { value: input.default }),
      });
    case 'pickString': {
      // The value stands beside its label: it is what takes the place of the variable.
      const items = input.options.map((option) =>
        typeof option === 'string'
          ? { label: visible(option), value: option }
          : {
              label: visible(option.label ?? option.value),
              description: visible(option.value),
              value: option.value,
            },
      );
      const first = items.filter(({ value }) => value === input.default);
      const rest = items.filter(({ value }) => value !== input.default);
      const picked = await vscode.window.showQuickPick([...first, ...rest], {
        title,
        ignoreFocusOut: true,
      });
      return picked?.value;
    }
  }
}
