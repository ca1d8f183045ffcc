import { Method, type Methods } from '../../methods.ts';
import { methods as before } from '../2025-03-26/methods.ts';

export const methods: Methods = {
  requests: before.requests,
  questions: new Set([...before.questions, Method.elicit]),
  extensions: before.extensions,
};
