import { Method, type Methods } from '../../methods.ts';
import { methods as before } from '../2025-11-25/methods.ts';

/** A server asks by a result here, which is how these questions travel. */
const { questions } = before;

export const methods: Methods = {
  requests: new Set([
    Method.discover,
    Method.resourcesList,
    Method.templatesList,
    Method.resourcesRead,
    Method.listen,
    Method.promptsList,
    Method.promptsGet,
    Method.toolsList,
    Method.toolsCall,
    Method.complete,
  ]),
  questions,
  // The extension io.modelcontextprotocol/tasks.
  extensions: new Set([Method.tasksGet, Method.tasksUpdate, Method.tasksCancel]),
};
