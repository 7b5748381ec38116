import { holdSends, releaseSends } from '@notify/db/holds';
import type { Db } from '@notify/db/connection';
import { ensurePartitions } from '@notify/db/maintenance';
import { openQueueLosses, preloadOf, type ProcessName } from '@notify/testkit';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { changeTable } from '../../kit/faults/change-table.ts';
import type { AlertFault } from './fault.ts';
import type { Installation } from './installation.ts';

const workFails = [
  'NotifyTurnsNotTaken',
  'NotifyMessagesWaitTooLong',
  'NotifyDeliveriesWaitTooLong',
  'NotifyGroupsWaitTooLong',
];
const objectives = ['NotifyAcceptsBurnsFast', 'NotifySinglesBurnsFast'];

/** Nothing breaks for a while, and no critical alert may fire. */
const nothing: AlertFault = {
  name: 'none',
  deserves: [],
  atLeastMs: 25_000,
  atMostMs: 25_000,
  breakIt: () => Promise.resolve(() => Promise.resolve()),
};

const postgresAway: AlertFault = {
  name: 'Postgres stopped',
  deserves: [['NotifyPostgresAway'], ['NotifyAcceptsBurnsFast']],
  allows: [...objectives, ...workFails, 'NotifySettlementsFail', 'NotifyKindDown'],
  atMostMs: 60_000,
  async breakIt({ postgres }) {
    await postgres.stop();
    return () => postgres.start();
  },
};

const postgresFrozen: AlertFault = {
  ...postgresAway,
  name: 'Postgres frozen',
  deserves: [['NotifyPostgresAway']],
  async breakIt({ postgres }) {
    await postgres.freeze();
    return () => postgres.thaw();
  },
};

const redisAway: AlertFault = {
  name: 'Redis stopped',
  deserves: [['NotifyRedisAway'], ['NotifyTurnsNotTaken', 'NotifySinglesBurnsFast']],
  allows: [...objectives, ...workFails],
  atMostMs: 60_000,
  async breakIt({ redis }) {
    await redis.stop();
    return () => redis.start();
  },
};

/** Connections stay open, and no command is answered. */
const redisWedged: AlertFault = {
  name: 'Redis answers nothing',
  deserves: [['NotifyTurnsNotTaken', 'NotifyRedisAway']],
  allows: [...objectives, ...workFails, 'NotifyRedisAway'],
  atMostMs: 60_000,
  async breakIt({ redis }) {
    const client = new Redis(redis.url);
    await client.call('CLIENT', 'PAUSE', '60000', 'ALL');
    client.disconnect();
    return async () => {
      await redis.stop('SIGKILL');
      await redis.start();
    };
  },
};

/** Every list of every queue is gone, and what keeps a second turn of an id out stays. */
const queueListsLost: AlertFault = {
  name: 'Redis loses the lists of turns',
  deserves: [['NotifyQueueLosesTurns']],
  allows: [...objectives, ...workFails],
  atMostMs: 60_000,
  async breakIt({ redis }) {
    const losses = openQueueLosses({ redisUrl: redis.url, databaseUrl: '' });
    const lose = async (): Promise<void> => {
      const lists = (await losses.parts()).filter(({ name }) =>
        /:(wait|active|prioritized|delayed)$/.test(name),
      );
      await losses.lose(lists);
    };
    // One loss meets few turns, because most end within milliseconds.
    const again = setInterval(() => void lose().catch(() => undefined), 100);
    return async () => {
      clearInterval(again);
      await losses.close();
    };
  },
};

function frozen(name: ProcessName, more: readonly string[]): AlertFault {
  return {
    name: `all of ${name} frozen`,
    deserves: [['NotifyKindDown'], ...more.map((one) => [one])],
    allows: [...objectives, ...workFails],
    atMostMs: 60_000,
    async breakIt(installation) {
      for (const one of installation.of(name)) one.signal('SIGSTOP');
      return async () => {
        for (const one of installation.of(name)) one.signal('SIGCONT');
      };
    },
  };
}

const providerRefusesAll = gatewayFault('the provider answers 500', { answer: 'fail' }, [
  ['NotifyProviderRefusesAll'],
]);
const providerHangsUp = gatewayFault(
  'the provider hangs up',
  { answer: 'take-and-reset' },
  [['NotifyManyUnknownOutcomes']],
  ['NotifyProviderRefusesAll'],
);
const providerSlow = gatewayFault('the provider needs 7 s', { answer: 'take', latencyMs: 7_000 }, [
  ['NotifySinglesBurnsFast'],
]);
const accountsRefused = gatewayFault(
  'the provider refuses most accounts',
  { answer: 'forbid' },
  [['NotifyAccountsRefused'], ['NotifyAccountRefused']],
  ['NotifyProviderRefusesAll'],
);

function gatewayFault(
  name: string,
  behaviour: object,
  deserves: AlertFault['deserves'],
  allows: readonly string[] = [],
): AlertFault {
  return {
    name,
    deserves,
    // Messages come late while a provider refuses them, and those of its accounts wait.
    allows: [...allows, 'NotifySinglesBurnsFast', 'NotifyMessagesWaitTooLong'],
    atMostMs: 60_000,
    async breakIt(installation) {
      await installation.gateway.tell('behave', behaviour);
      return async () => {
        await installation.gateway.tell('behave', { answer: 'take' });
        await resumeAccounts(installation);
      };
    },
  };
}

const accountRefused: AlertFault = {
  name: 'the provider refuses one account',
  deserves: [['NotifyAccountRefused']],
  allows: ['NotifySinglesBurnsFast'],
  atMostMs: 40_000,
  async breakIt(installation) {
    await installation.twilio.tell('behave', { answer: { error: 20_003 } });
    return async () => {
      await installation.twilio.tell('behave', { answer: 'take' });
      await resumeAccounts(installation);
    };
  },
};

const receiversFail: AlertFault = {
  name: 'all receivers answer 500',
  deserves: [['NotifyWebhooksFailEverywhere']],
  atMostMs: 60_000,
  async breakIt({ receiver, db }) {
    await receiver.tell('behave', 'fail');
    return async () => {
      await receiver.tell('behave', 'take');
      // As their owners do, who need not wait for the next probe.
      await sql`
        update webhooks set failure_count = 0, failing_since = null, probes = 0, paused_until = null`.execute(
        db,
      );
    };
  },
};

const clockMoved: AlertFault = {
  name: 'a clock is 2 minutes ahead',
  deserves: [['NotifyClockWrong']],
  atMostMs: 40_000,
  async breakIt(installation) {
    const worker = installation.of('webhook-worker')[0]!;
    void worker.thenWith([preloadOf({ does: 'clock', offsetMs: 120_000 })]);
    await worker.end('SIGTERM');
    await worker.ready();
    return async () => {
      await worker.end('SIGTERM');
      await worker.ready();
    };
  },
};

const versionRetired: AlertFault = {
  name: 'WhatsApp closes with 405',
  deserves: [['NotifyWhatsappVersionRetired']],
  atMostMs: 40_000,
  async breakIt({ whatsapp, phone, db }) {
    await whatsapp.tell('behave', { refuseLogin: 405 });
    await whatsapp.tell('cut', { phone });
    return async () => {
      await whatsapp.tell('behave', { refuseLogin: null });
      await sql`update whatsapp_links set login_after = null`.execute(db);
    };
  },
};

const settlementsFail: AlertFault = {
  name: 'settlements fail',
  deserves: [['NotifySettlementsFail']],
  allows: [...objectives, ...workFails],
  atMostMs: 60_000,
  async breakIt({ db }) {
    await refuseUpdates(db, 'messages');
    return () => allowUpdates(db, 'messages');
  },
};

/** Has every update of a row of the table fail, as after a deadlock. */
async function refuseUpdates(db: Db, table: string): Promise<void> {
  await sql`
    create or replace function drill_refuse() returns trigger language plpgsql as $$
    begin raise exception 'injected' using errcode = '40P01'; end $$`.execute(db);
  await changeTable(
    db,
    sql`create trigger drill_refuse before update on ${sql.table(table)} for each row execute function drill_refuse()`,
  );
}

function allowUpdates(db: Db, table: string): Promise<void> {
  return changeTable(db, sql`drop trigger drill_refuse on ${sql.table(table)}`);
}

/** Groups cannot be moved, and messages go on. */
const groupLooksFail: AlertFault = {
  name: 'group checks fail',
  deserves: [['NotifyGroupLooksFail']],
  atMostMs: 60_000,
  async breakIt({ db }) {
    await refuseUpdates(db, 'message_groups');
    return () => allowUpdates(db, 'message_groups');
  },
};

const acceptsSlow: AlertFault = {
  name: 'accepts take 0.6 s',
  deserves: [['NotifyAcceptsBurnsFast']],
  allows: ['NotifySinglesBurnsFast'],
  atMostMs: 60_000,
  async breakIt({ db }) {
    await sql`
      create or replace function drill_wait() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.6); return null; end $$`.execute(db);
    await changeTable(
      db,
      sql`create trigger drill_wait before insert on messages for each statement execute function drill_wait()`,
    );
    return () => changeTable(db, sql`drop trigger drill_wait on messages`);
  },
};

/** A row that no partition covers, and no partition for the weeks to come. */
const partitionMissing: AlertFault = {
  name: 'a partition is missing',
  deserves: [['NotifyPartitionMissing']],
  atMostMs: 60_000,
  async breakIt({ db }) {
    await sql`
      insert into delivery_attempts (id, delivery_id, webhook_id, number, duration_ms, began_at)
      values ('00000000-0000-7000-8000-000000000001', uuidv7(), uuidv7(), 1, 1, now())`.execute(db);
    return async () => {
      await sql`delete from delivery_attempts where id = '00000000-0000-7000-8000-000000000001'`.execute(db);
      await ensurePartitions(db);
    };
  },
};

/** Somebody holds all sends, and forgets it. */
const sendsHeld: AlertFault = {
  name: 'all sends are held',
  deserves: [['NotifySendsHeld']],
  // Messages that waited are late when they are sent.
  allows: ['NotifySinglesBurnsFast'],
  atMostMs: 60_000,
  async breakIt({ db }) {
    await holdSends(db, { acceptedBefore: new Date(), server: 'drill' });
    return async () => {
      await releaseSends(db);
    };
  },
};

/** All faults, in the order of a run. */
export const alertFaults: readonly AlertFault[] = [
  nothing,
  postgresAway,
  postgresFrozen,
  redisAway,
  redisWedged,
  queueListsLost,
  frozen('dispatch-worker', []),
  frozen('webhook-worker', ['NotifyTurnsNotTaken']),
  frozen('api', []),
  providerRefusesAll,
  providerHangsUp,
  providerSlow,
  accountRefused,
  accountsRefused,
  receiversFail,
  clockMoved,
  versionRetired,
  settlementsFail,
  groupLooksFail,
  acceptsSlow,
  partitionMissing,
  sendsHeld,
];

/** As the owners of accounts do when their provider works again. */
async function resumeAccounts({ db }: Installation): Promise<void> {
  await sql`
    update channel_accounts set status = 'connected', status_detail = null, paused_until = null,
      pause_reason = null, failures_in_row = 0, lane = 'fast'
    where provider in ('http-sms', 'twilio')`.execute(db);
}
