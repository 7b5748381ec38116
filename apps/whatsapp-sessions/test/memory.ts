import { readFile } from 'node:fs/promises';
import { adminUrlVariable, makeTemplate, startOwnPostgres } from '@notify/testkit';
import { openWorld, until } from './world.ts';

/*
 * How much memory an account takes: links so many phones, 200 where nothing is said, in one process, starts that process
 * anew, and compares its memory with all connected to what it had without any. Run by hand.
 */
const count = Number(process.argv[2] ?? 200);

const postgres = await startOwnPostgres();
process.env[adminUrlVariable] = postgres.url;
await makeTemplate();
const world = await openWorld();
const first = await world.start();
const without = await residentBytes(first.process.pid!);
const accounts: Awaited<ReturnType<typeof world.linked>>[] = [];
const phones = Array.from({ length: count }, (_, index) => String(15_550_800_000 + index));
async function linkSome(): Promise<void> {
  for (let phone = phones.pop(); phone !== undefined; phone = phones.pop())
    accounts.push(await world.linked(phone));
}
await Promise.all(Array.from({ length: 4 }, linkSome));
const linked = await residentBytes(first.process.pid!);
await first.stop();

const beganAt = performance.now();
const second = await world.start();
await until(async () => {
  const { connections } = await world.peer.log();
  return (
    connections.filter(({ loggedInAt, closedAt }) => loggedInAt !== null && closedAt === null).length ===
    count
  );
});
const tookMs = performance.now() - beganAt;
const connected = await residentBytes(second.process.pid!);
const each = (bytes: number): string => ((bytes - without) / count / 1_048_576).toFixed(2);
console.log(`${count} accounts in one process; ${megabytes(without)} MB without any`);
console.log(`after linking them: ${megabytes(linked)} MB, ${each(linked)} MB each`);
console.log(
  `after connecting them: ${megabytes(connected)} MB, ${each(connected)} MB each, in ${(tookMs / 1_000).toFixed(1)} s`,
);

await world[Symbol.asyncDispose]();
await postgres.remove();

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
