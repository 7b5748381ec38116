import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { sendAll } from './benchmarks/end-to-end.ts';
import { openEnvironment } from './environment/environment.ts';
import { startProvider } from './environment/peers.ts';
import { startService } from './environment/service.ts';
import { startNginx } from './peers/nginx.ts';

/*
 * Shows where the time goes: `node trials/bench/profile.ts [messages] [folder]`. It sends messages from end to end, then
 * prints the CPU of every process and the statements of Postgres, most expensive first. Each of our processes writes
 * a `.cpuprofile` into the folder.
 */
const messages = Number(process.argv[2] ?? 5_000);
const folder = path.resolve(process.argv[3] ?? '.cache/profiles');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

interface Statement {
  readonly calls: string;
  readonly total: number;
  readonly plan: number;
  readonly rows: string;
  readonly query: string;
}

const statistics = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_planning=on'];
const environment = await openEnvironment(statistics.flatMap((flag) => ['-c', flag]));
try {
  const profiling = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
  await using provider = await startProvider();
  const nginx = await startNginx(environment.dir);
  {
    await using service = await startService(environment, { env: profiling });
    await sql`create extension pg_stat_statements`.execute(service.db);
    await sendAll(environment, service, provider, nginx, { messages: 1_000, connections: 64 });
    await sql`select pg_stat_statements_reset()`.execute(service.db);
    const pass = await sendAll(environment, service, provider, nginx, { messages, connections: 64 });
    const perMessage = Object.entries(pass.observed.cpuMs).map(
      ([name, ms]) => [name, Number((ms / pass.messages).toFixed(3))] as const,
    );
    console.log(`${Math.round(pass.perSecond)}/s; CPU in ms a message:`, Object.fromEntries(perMessage));
    console.table(await statements(service.db, pass.messages));
  }
  await nginx.stop();
} finally {
  await environment.close();
}

async function statements(
  db: Awaited<ReturnType<typeof startService>>['db'],
  count: number,
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Statement>`
    select calls::text, total_exec_time as total, total_plan_time as plan, rows::text,
      left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query
    from pg_stat_statements order by total_exec_time + total_plan_time desc limit 25`.execute(db);
  return rows.map((one) => ({
    usPerMessage: Math.round((one.total * 1_000) / count),
    planUsPerMessage: Math.round((one.plan * 1_000) / count),
    calls: Number(one.calls),
    rows: Number(one.rows),
    query: one.query,
  }));
}
