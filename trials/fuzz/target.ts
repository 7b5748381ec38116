import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adapters } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { createOneTimeLink, type LinkPurpose } from '@notify/db/tenants';
import { openTestDb, startOwnPostgres, startProcesses, startRedis } from '@notify/testkit';

/** A process of the service under fire. */
export interface Watched {
  readonly name: string;
  readonly pid: number | undefined;
  readonly lines: readonly string[];
  isAlive(): boolean;
}

/** The service under fire. */
export interface Target {
  readonly url: string;
  /** What our own target was given; null for one that runs elsewhere. */
  readonly jwtSecret: { readonly kid: string; readonly secret: Buffer } | null;
  /**
   * The token of a link for the tenant of an email address, as its mailbox would get it. Null for a target that runs
   * elsewhere.
   */
  readonly linkFor: ((purpose: LinkPurpose, email: string) => Promise<string>) | null;
  /** Empty for one that runs elsewhere. */
  readonly processes: readonly Watched[];
  /** Stands in for receivers and providers: answers every request somehow. Requests of the service may go there. */
  readonly outside: string;
  stop(): Promise<void>;
}

/** Limits that would answer 429 or 409 in place of the handlers. */
const noLimits = {
  KEY_RATE_PER_MINUTE: '1000000',
  MESSAGES_PER_MINUTE: '0',
  SESSION_RATE_PER_MINUTE: '1000000',
  ACCOUNT_CHECKS_PER_MINUTE: '1000000',
  WEBHOOK_TESTS_PER_MINUTE: '1000000',
  LOGIN_ATTEMPTS_PER_MINUTE: '1000000',
  LOGIN_ATTEMPTS_PER_ADDRESS: '1000000',
  MAX_WEBHOOKS: '10000',
  MAX_API_KEYS: '10000',
  MAX_SERVICE_TOKENS: '10000',
  MAX_CHANNEL_ACCOUNTS: '10000',
  BCRYPT_COST: '4',
  DATABASE_CONNECTIONS: '26',
};

/**
 * One api and one worker of each kind over their own Postgres and Redis. They may reach our stand-in and no other
 * private address.
 */
export async function startTarget(): Promise<Target> {
  const outside = await startOutside();
  const [postgres, redis] = await Promise.all([startOwnPostgres(), startRedis()]);
  const secret = randomBytes(32);
  const db = openTestDb(postgres.url);
  await migrate(db);
  const running = await startProcesses({
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    env: {
      ...noLimits,
      JWT_SECRETS: `fuzz:${secret.toString('base64')}`,
      MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
      EGRESS_PRIVATE: 'off',
      EGRESS_ALLOW: new URL(outside.url).host,
      PUBLIC_URL: 'https://notify.example/base',
      PROVIDER_URLS: [...adapters.values()]
        .filter(({ baseUrl }) => baseUrl !== null)
        .map(({ id }) => `${id}=${outside.url}`)
        .join(','),
    },
  });
  const processes = [...running.api, ...running.dispatch, ...running.webhook].map(
    ({ name, process: child, lines }) => ({
      name,
      pid: child.pid,
      lines,
      isAlive: () => child.exitCode === null && child.signalCode === null,
    }),
  );
  return {
    url: running.api[0]!.url,
    jwtSecret: { kid: 'fuzz', secret },
    linkFor: (purpose, email) => linkFor(db, purpose, email),
    processes,
    outside: outside.url,
    async stop() {
      await running.stop();
      await db.destroy();
      await Promise.all([redis.stop(), postgres.remove()]);
      outside.server.closeAllConnections();
      outside.server.close();
    },
  };
}

async function linkFor(db: Db, purpose: LinkPurpose, email: string): Promise<string> {
  const { id: tenantId } = await db
    .selectFrom('tenants')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return (await createOneTimeLink(db, { tenantId, purpose, emailed: true, validMinutes: 60 })).token;
}

/** A service that somebody else runs, at this address. */
export async function runningTarget(url: string): Promise<Target> {
  const outside = await startOutside();
  return {
    url: url.replace(/\/+$/, ''),
    jwtSecret: null,
    linkFor: null,
    processes: [],
    outside: outside.url,
    async stop() {
      outside.server.closeAllConnections();
      outside.server.close();
    },
  };
}

/** One after the other: what providers and receivers answer, and what they never should. */
const answers: readonly ((response: ServerResponse) => void)[] = [
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"result":{}}'),
  (response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":20003,"message":"no"}'),
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"__proto__":null,"id":{"a":[]}}'),
  (response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<html>\u0000 broken</html>'),
  (response) => response.writeHead(200).end('['.repeat(20_000)),
  (response) => response.writeHead(429, { 'retry-after': '99999999999999999999' }).end(),
  (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  (response) =>
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"error":{"code":1e400,"message":"\\ud800"}}'),
  (response) => response.socket?.end('HTTP/1.1 20'),
  (response) => {
    response.writeContinue();
    response.writeProcessing();
    response.writeContinue();
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"message_uuid":"u1"}');
  },
  (response) => response.socket?.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 1'),
  (response) => response.writeHead(429, { 'retry-after': '0.5, "2"' }).end(),
  (response) => response.writeHead(204).end(),
];

/** Telegram's answer about a bot, which has a name. */
function nameBot(response: ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"ok":true,"result":{"id":123456,"is_bot":true,"username":"fuzz_bot"}}');
}

/** A bot's name is answered three times of four, because a pairing link needs it. */
async function startOutside(): Promise<{ readonly url: string; readonly server: Server }> {
  let asked = 0;
  let named = 0;
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.resume().on('end', () => {
      const isName = request.url?.endsWith('/getMe') === true && named++ % 4 !== 3;
      (isName ? nameBot : answers[asked++ % answers.length]!)(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
