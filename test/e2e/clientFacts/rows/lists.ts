import {
  dropped,
  leftOut,
  lossy,
  mended,
  NULL,
  prompt,
  resource,
  template,
  untouched,
  withheld,
  type Row,
} from './row.ts';

export const LISTS: readonly Row[] = [
  ...(
    [
      ['tools/list', 'tools', 'tool-definition'],
      ['prompts/list', 'prompts', 'list-entry'],
      ['resources/list', 'resources', 'list-entry'],
      ['resources/templates/list', 'resourceTemplates', 'list-entry'],
    ] as const
  ).flatMap(([method, member, feature]): Row[] => [
    {
      name: `${member}: nextCursor null`,
      method,
      result: { [member]: [], nextCursor: null },
      fate: NULL,
    },
    { name: `${member}: null`, method, result: { [member]: null }, fate: NULL },
    { name: `${member}: absent`, method, result: {}, fate: mended(feature) },
    { name: `${member}: an object`, method, result: { [member]: {} }, fate: lossy(feature) },
    {
      name: `${member}: nextCursor of a number`,
      method,
      result: { [member]: [], nextCursor: 5 },
      fate: dropped('result-content'),
    },
  ]),
  prompt('argument title', { name: 'a', arguments: [{ name: 'x', title: 'X' }] }, untouched),
  prompt('arguments null', { name: 'a', arguments: null }, NULL),
  prompt('argument required null', { name: 'a', arguments: [{ name: 'x', required: null }] }, NULL),
  prompt(
    'argument without name',
    { name: 'a', arguments: [{ title: 'X' }] },
    withheld('list-entry'),
  ),
  prompt('title of a number', { name: 'a', title: 5 }, withheld('list-entry'), {
    since: '2025-06-18',
  }),
  prompt('icons of a wrong type', { name: 'a', icons: [{ src: 5 }] }, withheld('list-entry'), {
    since: '2025-06-18',
  }),
  prompt('no name', { title: 'A' }, leftOut('list-entry')),
  resource('size null', { uri: 'a:b', name: 'b', size: null }, NULL),
  resource('size a string', { uri: 'a:b', name: 'b', size: '12' }, withheld('list-entry')),
  resource('no name', { uri: 'a:b', title: 'B' }, mended('list-entry')),
  resource('no uri', { name: 'b' }, leftOut('list-entry')),
  resource('null', null, leftOut('list-entry')),
  resource('unknown member', { uri: 'a:b', name: 'b', 'x-new': null }, untouched),
  resource(
    'priority 5',
    { uri: 'a:b', name: 'b', annotations: { priority: 5 } },
    dropped('list-entry'),
  ),
  resource(
    'lastModified without zone',
    { uri: 'a:b', name: 'b', annotations: { lastModified: '2025-01-12' } },
    dropped('list-entry'),
    { since: '2025-11-25' },
  ),
  template('mimeType null', { uriTemplate: 'a:{b}', name: 'b', mimeType: null }, NULL),
  template('no uriTemplate', { name: 'b' }, leftOut('list-entry')),
];
