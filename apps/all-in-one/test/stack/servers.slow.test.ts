import { migrate } from '@notify/db/maintenance';
import { prepareQueue } from '@notify/queue';
import { makeTenant, openTestDb, type OwnPostgres, testWith } from '@notify/testkit';
import { sql } from 'kysely';
import {
  apiEnvironment,
  composeWith,
  makeRole,
  newSecrets,
  runMigrate,
  stackRedis,
  startPostgresOf,
  startStackRedis,
} from './stack.ts';

const hangMs = 120_000;

const portOf = ({ url }: OwnPostgres): number => Number(new URL(url).port);

testWith(...stackRedis)(
  'Redis asks for the password of .env, which no process list shows, and stores what it gets',
  async () => {
    const secrets = newSecrets();
    await using redis = await startStackRedis(composeWith(secrets));
    expect(redis.arguments).toMatch(/^redis-server /);
    expect(redis.arguments).not.toContain(secrets.REDIS_PASSWORD);
    expect(await redis.check(secrets.REDIS_PASSWORD)).toBe('PONG');
    await expect(redis.check('')).rejects.toThrow(/NOAUTH/);
    await expect(redis.check('wrong')).rejects.toThrow(/NOAUTH|WRONGPASS/);
    const config = await redis.config(secrets.REDIS_PASSWORD);
    expect(config).toMatchObject({
      appendonly: 'yes',
      appendfsync: 'everysec',
      'maxmemory-policy': 'noeviction',
    });
  },
  hangMs,
);

testWith('psql')(
  'the role of the service migrates and runs, and may nothing else on the server',
  async () => {
    const secrets = newSecrets();
    const compose = composeWith(secrets);
    const postgres = await startPostgresOf(secrets);
    try {
      expect(await makeRole(postgres, secrets)).toBe('');
      const env = apiEnvironment(compose, { postgres: portOf(postgres), redis: 1 });
      expect(await runMigrate(compose, { ...env, REDIS_URL: '' })).toContain('0001');
      const db = openTestDb(env.DATABASE_URL!);
      try {
        const { rows } = await sql`
        select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
          pg_has_role('pg_read_server_files', 'usage') as files
        from pg_roles where rolname = current_user`.execute(db);
        expect(new Set(Object.values(rows[0] as object))).toEqual(new Set([false]));
        await expect(sql`create database other`.execute(db)).rejects.toMatchObject({ code: '42501' });
        // Settings that a migration puts on the role.
        await sql`alter role notify set plan_cache_mode = 'force_custom_plan'`.execute(db);
      } finally {
        await db.destroy();
      }
      const others = openTestDb(postgres.url.replace(/postgres$/, 'notify'));
      try {
        const { rows } = await sql<{ may: boolean }>`
        select bool_or(has_database_privilege('public', 'notify', what)) as may
        from unnest(array['connect', 'create', 'temporary']) what`.execute(others);
        expect(rows).toEqual([{ may: false }]);
      } finally {
        await others.destroy();
      }
    } finally {
      await postgres.remove();
    }
  },
  hangMs,
);

testWith('psql')(
  'an installation that used the superuser is taken over with its data',
  async () => {
    const secrets = newSecrets();
    const compose = composeWith(secrets);
    const postgres = await startPostgresOf(secrets);
    try {
      const before = openTestDb(postgres.url);
      await migrate(before);
      await prepareQueue({ databaseUrl: postgres.url, redisUrl: null });
      const { tenantId } = await makeTenant(before);
      await before.destroy();

      await makeRole(postgres, secrets);
      const renewed = { ...secrets, DATABASE_PASSWORD: newSecrets().DATABASE_PASSWORD };
      await makeRole(postgres, renewed);
      const env = apiEnvironment(composeWith(renewed), { postgres: portOf(postgres), redis: 1 });
      const db = openTestDb(env.DATABASE_URL!);
      try {
        const tenants = await db.selectFrom('tenants').select('id').execute();
        expect(tenants).toEqual([{ id: tenantId }]);
        const { rows } = await sql`
        select oid::regclass::text as name from pg_class
        where relnamespace in ('public'::regnamespace, 'bullmq'::regnamespace) and relowner <> 'notify'::regrole
        union all select oid::regprocedure::text from pg_proc
        where pronamespace in ('public'::regnamespace, 'bullmq'::regnamespace) and proowner <> 'notify'::regrole
        union all select oid::regtype::text from pg_type
        where typnamespace in ('public'::regnamespace, 'bullmq'::regnamespace) and typowner <> 'notify'::regrole`.execute(
          db,
        );
        expect(rows).toEqual([]);
        // What a later migration does.
        await sql`alter table messages add column later integer`.execute(db);
      } finally {
        await db.destroy();
      }
      await runMigrate(compose, { ...env, REDIS_URL: '' });
    } finally {
      await postgres.remove();
    }
  },
  hangMs,
);
