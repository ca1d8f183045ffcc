import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POLICY_NAMES } from '../../src/config/settings.ts';
import {
  COMMANDS,
  CONFIG_FILE,
  DEFINITION_PROVIDER,
  HIDDEN_COMMANDS,
  SERVER_CONTEXTS,
  SERVER_MARKS,
  SERVERS_VIEW,
  SETTINGS,
  VIEW_CONTAINER,
} from '../../src/extension/contributions.ts';
import { CONCERN_DESCRIPTIONS } from '../../src/extension/policy/concernDescriptions.ts';
import { CONCERNS } from '../../src/protocol/concern.ts';

interface Menu {
  readonly command: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly jsonValidation: readonly { readonly fileMatch: string }[];
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Manifest;
const { contributes } = manifest;
const ids: readonly string[] = Object.values(COMMANDS);

test('the manifest has exactly the commands of the table', () => {
  expect(contributes.commands.map(({ command }) => command)).toEqual(ids);
});

test('menus and welcome texts use no other command', () => {
  const inMenus = Object.values(contributes.menus).flatMap((menu) =>
    menu.map(({ command }) => command),
  );
  const inTexts = contributes.viewsWelcome.flatMap(({ contents }) =>
    [...contents.matchAll(/\(command:([^)]+)\)/g)].map((match) => match[1]),
  );
  expect([...inMenus, ...inTexts].filter((id) => !ids.includes(id ?? ''))).toEqual([]);
});

test('the command palette lists no command that makes sense only in its place', () => {
  const hidden = contributes.menus['commandPalette']?.filter(({ when }) => when === 'false');
  expect(hidden?.map(({ command }) => command)).toEqual(
    HIDDEN_COMMANDS.map((name) => COMMANDS[name]),
  );
});

test('the view and its container are those of the table', () => {
  expect(contributes.viewsContainers.activitybar.map(({ id }) => id)).toEqual([VIEW_CONTAINER]);
  expect(contributes.views[VIEW_CONTAINER]?.map(({ id }) => id)).toEqual([SERVERS_VIEW]);
});

test('menus speak of the view, and of states and marks that rows have', () => {
  const conditions = Object.values(contributes.menus).flatMap((menu) =>
    menu.flatMap(({ when }) => (when === undefined || when === 'false' ? [] : [when])),
  );
  const states: readonly string[] = SERVER_CONTEXTS;
  for (const condition of conditions) {
    expect(condition).toContain(`view == ${SERVERS_VIEW}`);
    const listed = /\^server\\\.\(([^)]+)\)\\b/.exec(condition)?.[1]?.split('|') ?? [];
    for (const state of listed) expect(states).toContain(`server.${state}`);
    const mark = / (\w+)\\b\/$/.exec(condition)?.[1];
    if (mark !== undefined) expect(SERVER_MARKS).toContain(mark);
    const isAny = condition.endsWith('/^server\\./') || !condition.includes('viewItem');
    expect(listed.length > 0 || mark !== undefined || isAny, condition).toBe(true);
  }
});

test('the settings are those of the table, and none of them counts in an untrusted workspace', () => {
  const names = Object.values(SETTINGS);
  expect(Object.keys(contributes.configuration.properties)).toEqual(names);
  expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(names);
});

test('the settings take every policy and every feature, each with its description', () => {
  const { properties } = contributes.configuration;
  expect(properties[SETTINGS.degradePolicy]).toMatchObject({ enum: POLICY_NAMES });
  expect(properties[SETTINGS.allowedDowngrades]).toMatchObject({
    items: {
      enum: CONCERNS,
      enumDescriptions: CONCERNS.map((concern) => CONCERN_DESCRIPTIONS[concern]),
    },
  });
});

test('the provider and the file are those of the table', () => {
  expect(contributes.mcpServerDefinitionProviders.map(({ id }) => id)).toEqual([
    DEFINITION_PROVIDER,
  ]);
  expect(contributes.jsonValidation.map(({ fileMatch }) => fileMatch)).toEqual([CONFIG_FILE]);
});
