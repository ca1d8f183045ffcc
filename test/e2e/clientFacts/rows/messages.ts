import { KEPT, message, untouched, type Row } from './row.ts';

const RESULT = '"result":{"resultType":"complete","content":[{"type":"text","text":"words"}]}';
const ANSWER = `{"jsonrpc":"2.0","id":$ID,${RESULT}}`;
const ERROR = (error: string): readonly string[] => [`{"jsonrpc":"2.0","id":$ID,"error":${error}}`];
export const MESSAGES: readonly Row[] = [
  message(
    'unknown top-level member',
    [`{"jsonrpc":"2.0","id":$ID,"x":1,${RESULT}}`],
    untouched,
    KEPT,
  ),
  message(
    'result and error null',
    [`{"jsonrpc":"2.0","id":$ID,"error":null,${RESULT}}`],
    untouched,
    KEPT,
  ),
  message('no jsonrpc', [`{"id":$ID,${RESULT}}`], untouched, KEPT),
  message('id as string', [`{"jsonrpc":"2.0","id":"$IDTEXT",${RESULT}}`], untouched, KEPT),
  message('batch of one', [`[${ANSWER}]`], untouched, KEPT),
  message('error without message', ERROR('{"code":-32000}'), { kind: 'error', code: -32000 }),
  message(
    'error code not an integer',
    ERROR('{"code":"E","message":"words"}'),
    { kind: 'error', code: -32603 },
    KEPT,
  ),
  message('error that is a string', ERROR('"words"'), { kind: 'error', code: -32603 }, KEPT),
  message(
    'error with unknown member',
    ERROR('{"code":-32000,"message":"words","x":1}'),
    { kind: 'error', code: -32000 },
    KEPT,
  ),
  message('error without an outcome', ['{"jsonrpc":"2.0","id":$ID}'], {
    kind: 'error',
    code: -32603,
  }),
  message(
    'error id null, then the answer',
    ['{"jsonrpc":"2.0","method":"notifications/x"}', ANSWER],
    untouched,
    KEPT,
  ),
  message(
    'notification params null first',
    ['{"jsonrpc":"2.0","method":"notifications/x","params":null}', ANSWER],
    untouched,
    KEPT,
  ),
  message(
    'list_changed params null first',
    ['{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":null}', ANSWER],
    untouched,
    KEPT,
  ),
  message(
    'unknown request first',
    ['{"jsonrpc":"2.0","id":77,"method":"x/y"}', ANSWER],
    untouched,
    KEPT,
  ),
  message(
    'request with id null first',
    ['{"jsonrpc":"2.0","id":null,"method":"x/y"}', ANSWER],
    untouched,
    KEPT,
  ),
  message(
    'progress in one chunk with the answer',
    [
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$TOKEN,"progress":1}}\n${ANSWER}`,
    ],
    untouched,
    { ...KEPT, progress: true },
  ),
  {
    name: 'message: input_required that nobody may ask for',
    method: 'tools/list',
    result: { resultType: 'input_required', tools: [] },
    fate: { kind: 'refused', feature: 'result-type' },
    server: 'modern',
  },
];
