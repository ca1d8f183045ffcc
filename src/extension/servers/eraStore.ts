import type * as vscode from 'vscode';
import type { EraMemory } from '../../bridge/bridgeOptions.ts';
import type { Era } from '../../protocol/revision.ts';

const KEY = 'eras';
/** More servers than anybody has; older ones are probed again. */
const MOST = 200;

type Eras = readonly (readonly [hash: string, era: Era])[];

/** The memory of one server's era, kept by the fingerprint of its entry. */
export function eraMemory(memento: vscode.Memento, hash: string): EraMemory {
  return {
    recall: () => readEras(memento).find(([key]) => key === hash)?.[1],
    remember: (era) => {
      const eras = readEras(memento);
      if (eras.find(([key]) => key === hash)?.[1] === era) return;
      const others = eras.filter(([key]) => key !== hash);
      const next: Eras = era === undefined ? others : [[hash, era] as const, ...others];
      // Losing it costs a probe; nobody waits for it.
      void memento.update(KEY, next.slice(0, MOST));
    },
  };
}

function readEras(memento: vscode.Memento): Eras {
  const stored: unknown = memento.get(KEY);
  return Array.isArray(stored) ? stored.filter(isEra) : [];
}

function isEra(value: unknown): value is readonly [string, Era] {
  return (
    Array.isArray(value) &&
    typeof value[0] === 'string' &&
    (value[1] === 'legacy' || value[1] === 'modern')
  );
}
