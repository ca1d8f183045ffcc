import { Method, type Methods } from '../../methods.ts';

export const methods: Methods = {
  requests: new Set([
    Method.initialize,
    Method.ping,
    Method.resourcesList,
    Method.templatesList,
    Method.resourcesRead,
    Method.subscribe,
    Method.unsubscribe,
    Method.promptsList,
    Method.promptsGet,
    Method.toolsList,
    Method.toolsCall,
    Method.setLevel,
    Method.complete,
  ]),
  questions: new Set([Method.createMessage, Method.rootsList]),
  extensions: new Set(),
};
