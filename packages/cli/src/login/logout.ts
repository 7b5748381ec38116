import { defineCommand } from '../command.ts';
import { defaultProfile } from '../profiles/connection.ts';
import { removeProfile } from '../profiles/store.ts';

export const logout = defineCommand({
  name: 'logout',
  summary: 'Remove a saved login.',
  details: 'The token itself goes on working. To end it, revoke it in the dashboard, under Service tokens.',
  examples: [
    { does: 'Remove the login', line: 'logout' },
    { does: 'Remove the login named staging', line: 'logout --profile staging' },
  ],
  async run({ config, profile, output }) {
    const name = profile ?? config.profile ?? defaultProfile;
    const removed = await removeProfile(config.folder, name);
    output.document({ profile: name, removed }, () => [
      removed ? `Removed the login ${name}.` : `There was no login ${name}.`,
    ]);
    if (removed) output.note('The token still works. Revoke it in the dashboard if it is no longer needed.');
  },
});
