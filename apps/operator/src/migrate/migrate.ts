import { LockedOut } from '@notify/db/connection';
import { MigratedByOther, migrate, planMigrations } from '@notify/db/maintenance';
import { prepareQueue } from '@notify/queue';
import { type Answer, type Command, CommandError, type OperatorDeps } from '../command.ts';
import { checkSeconds } from '../fields.ts';
import { inTheWay, planText, progressLines, sessionLine } from './lines.ts';

/** sysexits.h, EX_TEMPFAIL: the same call may succeed later. */
const tryLater = 75;

export const migrateCommand: Command = {
  name: 'migrate',
  words: [],
  options: { 'wait-seconds': 'How long to wait for another migrate, and for the locks of each migration.' },
  flags: { plan: 'Shows what would be done, and changes nothing.' },
  anySchema: true,
  about:
    'Applies pending migrations and prepares the queue. Run it before the processes of a new version. --plan only shows them.',
  async run(input, deps) {
    const given = input.options['wait-seconds'];
    const waitSeconds = given === undefined ? 300 : checkSeconds('wait-seconds', given);
    if (!input.flags.has('plan')) return apply(deps, waitSeconds);
    const plan = await planMigrations(deps.db);
    return { value: plan, text: planText(plan) };
  },
};

async function apply({ db, settings, progress }: OperatorDeps, waitSeconds: number): Promise<Answer> {
  const applied = await migrate(db, { waitSeconds, onEvent: progressLines(progress) }).catch(
    (error: unknown) => {
      throw explained(error, waitSeconds);
    },
  );
  await prepareQueue(settings);
  return {
    value: { applied },
    text: applied.length === 0 ? 'no pending migrations' : `applied ${applied.join(', ')}`,
  };
}

function explained(error: unknown, waitSeconds: number): unknown {
  const after = `gave up after ${waitSeconds} s`;
  if (error instanceof LockedOut)
    return new CommandError(
      `${after}: ${inTheWay(error.inTheWay)} holds locks. End it, or wait for its end, and run migrate again`,
      tryLater,
    );
  if (error instanceof MigratedByOther)
    return new CommandError(
      `${after}: another migrate runs${error.behind === null ? '' : `: ${sessionLine(error.behind)}`}`,
      tryLater,
    );
  return error;
}
