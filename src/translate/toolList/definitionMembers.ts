import type { Profile } from '../../protocol/profile.ts';
import { repairMembers } from '../members/repairMembers.ts';
import { TOOL } from '../members/shapes.ts';
import type { Edition } from '../edition.ts';

/**
 * Repairs members that the reader's revision types and the server typed otherwise, over which its client would drop the
 * whole list.
 */
export function repairDefinition(edition: Edition, to: Profile): void {
  edition.raw = repairMembers(edition.raw, [], TOOL, {
    edition,
    to: to.revision,
    concern: 'tool-definition',
    owner: 'of the tool',
  });
}
