import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { showGroup } from './group-text.ts';

export const showGroupCommand = defineCommand({
  name: 'groups show',
  summary: 'Show a group: its routes, and what became of each.',
  details: 'send --route makes one. messages show tells more of the message of a route.',
  arguments: { id: idArgument(kinds.group) },
  examples: [{ does: 'Which route was used', line: 'groups show grp_01912d68-783e-7a03-8467-5661c1243ad3' }],
  async run({ client, output, signal }, { id }) {
    showGroup(output, await (await client()).tenantGroups.get(id, { signal }));
  },
});
