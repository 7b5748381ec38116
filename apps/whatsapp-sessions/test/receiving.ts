import { adminUrlVariable, makeTemplate, startOwnPostgres } from '@notify/testkit';
import { hurried, openWorld, until } from './world.ts';

/*
 * How fast messages are received: `node test/receiving.ts [messages]` writes that many while the process is down, starts
 * it, and prints how long it took to store them all.
 */
const count = Number(process.argv[2] ?? 500);

const postgres = await startOwnPostgres();
process.env[adminUrlVariable] = postgres.url;
await makeTemplate();
const world = await openWorld({}, { sweeps: false });
const phone = '15550800001';
const first = await world.start();
const account = await world.linked(phone, hurried);
await first.stop();
for (let index = 0; index < count; index += 1)
  await world.peer.write({
    account: phone,
    from: `1555081${index % 50}`.padEnd(11, '0'),
    text: `message ${index}`,
  });

const times = async () =>
  world.db
    .selectFrom('messages')
    .select((e) => [
      e.fn.countAll<string>().as('stored'),
      e.fn.min('created_at').as('first'),
      e.fn.max('created_at').as('last'),
    ])
    .where('channel_account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
await world.start();
await until(async () => Number((await times()).stored) >= count);
const { first: began, last } = await times();
const ms = Number(last) - Number(began);
console.log(`${count} messages in ${ms} ms: ${Math.round((count * 1_000) / ms)} a second`);
await world[Symbol.asyncDispose]();
await postgres.remove();
