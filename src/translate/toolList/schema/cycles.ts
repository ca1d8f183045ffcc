import type { SchemaDocument } from './document.ts';
import { targetKey } from './resolve.ts';
import { pointer } from '../../report.ts';

/** More local references than this are not followed for a reader that cannot: a schema of that size is no tool's. */
const MAX_REFERENCES = 1000;

/**
 * The targets from which references lead back to themselves, by their pointer; undefined where there are too many
 * references to tell.
 */
export function recursiveTargets(document: SchemaDocument): ReadonlySet<string> | undefined {
  const references = [...document.references.values()].flatMap(({ path, target }) => {
    const to = targetKey(target);
    return to === undefined ? [] : [{ from: `${pointer(path)}/`, to }];
  });
  if (references.length > MAX_REFERENCES) return undefined;
  const edges = new Map<string, ReadonlySet<string>>();
  for (const { to } of references) {
    if (edges.has(to)) continue;
    const inside = references.filter(({ from }) => from.startsWith(`${to}/`));
    edges.set(to, new Set(inside.map((reference) => reference.to)));
  }
  return cyclicNodes(edges);
}

/** The nodes on a cycle, by Tarjan's algorithm. */
function cyclicNodes(edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cyclic = new Set<string>();

  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    stack.push(node);
    onStack.add(node);
    let lowest = index;
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, order.get(next) ?? index);
    }
    if (lowest === index) takeComponent(node);
    return lowest;
  };
  const takeComponent = (root: string): void => {
    const component = stack.splice(stack.indexOf(root));
    for (const member of component) {
      onStack.delete(member);
      if (component.length > 1 || edges.get(member)?.has(member) === true) cyclic.add(member);
    }
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return cyclic;
}
