import type { BridgeEvent } from '../../bridge/events.ts';
import { Method } from '../../protocol/methods.ts';
import { allows, type DegradePolicy } from '../../translate/policy.ts';
import { describeRefusal, describeStep } from '../diagnostics/describeFinding.ts';
import type { Finding } from '../diagnostics/finding.ts';
import type { Redact } from '../../config/redactor.ts';

/** What calls and faults of one server came to, as long as it is true. */
export class CallFindings {
  readonly #findings = new Map<string, Finding>();

  /** Answers whether there was anything to keep. */
  add(event: BridgeEvent, redact: Redact): boolean {
    switch (event.kind) {
      case 'refusal':
        if (event.method === Method.toolsList) return false;
        return this.#keep(describeRefusal(event), event.tool, redact);
      case 'report': {
        // What the policy makes of the tool list is worked out afresh whenever it is shown.
        if (event.method === Method.toolsList) return false;
        for (const step of event.steps) {
          this.#keep(describeStep(event, step), event.tool, redact);
        }
        return event.steps.length > 0;
      }
      case 'warning': {
        const { topic, message, count } = event;
        this.#findings.set(`${topic} ${message}`, {
          severity: 'warning',
          code: topic,
          message: redact(message),
          count,
        });
        return true;
      }
      case 'state':
      case 'stderr':
      case 'session':
      case 'tools':
        return false;
    }
  }

  /** Forgets the refusals that the policy has lifted, and the losses that it forbids. */
  obey(policy: DegradePolicy): void {
    for (const [key, { remedy, lossOf }] of this.#findings) {
      const isLifted = remedy !== undefined && allows(policy, remedy);
      const isForbidden = lossOf !== undefined && !allows(policy, lossOf);
      if (isLifted || isForbidden) this.#findings.delete(key);
    }
  }

  clear(): void {
    this.#findings.clear();
  }

  list(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  #keep(finding: Finding, tool: string | undefined, redact: Redact): true {
    const key = `${finding.severity} ${finding.code} ${tool ?? ''}`;
    const count = (this.#findings.get(key)?.count ?? 0) + 1;
    this.#findings.set(key, { ...finding, message: redact(finding.message), count });
    return true;
  }
}
