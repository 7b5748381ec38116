import { markPossibleDuplicates } from '@notify/db/maintenance';
import type { Command } from './command.ts';
import { checkTime } from './fields.ts';

export const afterRestoreCommand: Command = {
  name: 'after-restore',
  words: [],
  options: { 'accepted-before': 'only messages accepted before this time; by default now' },
  about:
    'After an earlier state of the database was restored, and before workers start: marks the messages that are due, and may have been sent since, as possible duplicates.',
  async run({ options }, { db }) {
    const given = options['accepted-before'];
    const acceptedBefore = given === undefined ? new Date() : checkTime('accepted-before', given);
    const marked = await markPossibleDuplicates(db, acceptedBefore);
    return { value: { marked }, text: `marked ${marked} waiting messages as possible duplicates` };
  },
};
