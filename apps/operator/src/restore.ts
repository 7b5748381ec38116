import { markPossibleDuplicates, renewEventEpoch } from '@notify/db/maintenance';
import type { Command } from './command.ts';
import { checkTime } from './fields.ts';

export const afterRestoreCommand: Command = {
  name: 'after-restore',
  words: [],
  options: { 'accepted-before': 'only messages accepted before this time, by default now' },
  about:
    'Run it after restoring a backup and before starting workers. Marks due messages as possible duplicates, because they may have been sent since the backup. Makes the cursors of the list of events expire.',
  async run({ options }, { db }) {
    const given = options['accepted-before'];
    const acceptedBefore = given === undefined ? new Date() : checkTime('accepted-before', given);
    await renewEventEpoch(db);
    const marked = await markPossibleDuplicates(db, acceptedBefore);
    return { value: { marked }, text: `marked ${marked} waiting messages as possible duplicates` };
  },
};
