import { randomBytes } from 'node:crypto';
import { keyScopes } from '@notify/contract';
import { settingsPlace } from '@notify/db/accounts';
import { makeTenant } from '@notify/testkit';
import type { Environment } from '../environment/environment.ts';
import { largestRequest } from '../environment/largest-request.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { registerTenant } from '../environment/session.ts';
import { makeLoadTenant, makeTwilioAccount } from '../environment/tenants.ts';
import { type ThreadCpu, threadCpu } from '../environment/thread-cpu.ts';
import { type BodyOperation, bodyOperations, hostileBodies } from '../load/hostile-bodies.ts';
import { hostileSettings } from '../load/hostile-settings.ts';
import { type Figure, plain } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';

/** What one request of each size may cost the event loop, in ms. */
const sizes = [
  { title: '256 KB', bytes: 256 * 1_024 - 1_000, atMost: 20 },
  // The limit of most operations: up to it, a body is parsed.
  { title: '1 MB', bytes: 1_024 * 1_024 - 1_000, atMost: 60 },
  { title: '4 MB', bytes: 4_096 * 1_024 - 1_000, atMost: 60 },
] as const;
/** Each request is sent so often, and its cost is the median. */
const times = 5;
const warmUps = 2;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** What the api's event loop spends on one request of a kind, without any other load. */
export async function hostileCosts(environment: Environment, say: (line: string) => void): Promise<Figure[]> {
  const cpu = await threadCpu();
  await using service = await startService(environment, {
    workers: [],
    preload: cpu.preload,
    env: { TRUSTED_PROXIES: '1', ...cpu.env },
  });
  const measure = async (figure: string, asked: Readonly<Record<string, Asked>>, atMost: number) => {
    const costs = await costsOf(service, cpu, asked);
    const [name, most] = Object.entries(costs).reduce((one, other) =>
      other[1].cpuMs > one[1].cpuMs ? other : one,
    );
    say(`${figure}: ${most.cpuMs.toFixed(1)} ms for ${name} (${most.status})`);
    return plain('hostile', `${figure}: event loop`, [most.cpuMs], 'ms', { atMost });
  };
  const figures: Figure[] = [];
  const credentials = await credentialsOf(service, environment);
  for (const { title, bytes, atMost } of sizes) {
    for (const operation of bodyOperations())
      figures.push(
        await measure(`${operation.id}, ${title}`, bodiesOf(operation, bytes, credentials), atMost),
      );
    figures.push(
      await measure(
        `callbacks in other charsets, ${title}`,
        await charsets(service, environment, bytes),
        atMost,
      ),
    );
    figures.push(
      await measure(`forged callbacks, ${title}`, await forged(service, environment, bytes), atMost),
    );
  }
  for (const [name, settings] of Object.entries(hostileSettings))
    figures.push(await measure(`stored settings, ${name}`, { [name]: storing(settings, credentials) }, 20));
  const largest = await largestRequest();
  figures.push(
    plain('hostile', 'largest request of stored settings', [largest / 1_024], 'KB', { atMost: 256 }),
  );
  return figures;
}

interface Cost {
  readonly cpuMs: number;
  /** Of the last answer. */
  readonly status: number;
}

async function costsOf(
  { apiUrl }: BenchService,
  cpu: ThreadCpu,
  asked: Readonly<Record<string, Asked>>,
): Promise<Readonly<Record<string, Cost>>> {
  const costs: Record<string, Cost> = {};
  for (const [name, one] of Object.entries(asked)) {
    for (let warmUp = 0; warmUp < warmUps; warmUp += 1) await send(apiUrl, one);
    const measured: number[] = [];
    let status = 0;
    for (let time = 0; time < times; time += 1) {
      const { cpuMs, result } = await cpu.during(() => send(apiUrl, one));
      measured.push(cpuMs);
      status = result;
    }
    costs[name] = { cpuMs: quantile(measured, 0.5), status };
  }
  return costs;
}

/** From another address each time, because limits are per address. */
async function send(apiUrl: string, { method, path, headers, body }: Asked): Promise<number> {
  const [a, b, c] = randomBytes(3);
  const all = { 'content-type': 'application/json', 'x-forwarded-for': `10.${a}.${b}.${c}`, ...headers };
  try {
    const answer = await fetch(`${apiUrl}${path}`, { method, headers: all, body });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0; // The api closed the connection of a body that is far too long.
  }
}

interface Credentials {
  readonly 'api-key': Readonly<Record<string, string>>;
  readonly bearer: Readonly<Record<string, string>>;
  readonly none: Readonly<Record<string, string>>;
}

async function credentialsOf({ apiUrl, db }: BenchService, { secrets }: Environment): Promise<Credentials> {
  const { token } = await registerTenant(apiUrl);
  const { key, keyId } = await makeLoadTenant(db, secrets, { gatewayUrl: 'http://127.0.0.1:9/send' });
  await db
    .updateTable('api_keys')
    .set({ scopes: [...keyScopes] })
    .where('id', '=', keyId)
    .execute();
  return { 'api-key': { 'x-api-key': key }, bearer: { authorization: `Bearer ${token}` }, none: {} };
}

function bodiesOf(operation: BodyOperation, bytes: number, credentials: Credentials): Record<string, Asked> {
  const { method, path, credential, example } = operation;
  const bodies = Object.entries(hostileBodies(example, bytes));
  return Object.fromEntries(
    bodies.map(([name, body]) => [name, { method, path, headers: credentials[credential], body }]),
  );
}

function storing(settings: object, { bearer: headers }: Credentials): Asked {
  const body = JSON.stringify({ provider: 'http-sms', name: 'Gateway', verify: false, settings });
  return { method: 'POST', path: '/v1/channel-accounts', headers, body };
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const units = ['%41', '+', '%ff', '%e2%82%ac', 'A+'];

/** Callbacks of a gateway with one long text. */
async function charsets(
  { db }: BenchService,
  { secrets }: Environment,
  bytes: number,
): Promise<Record<string, Asked>> {
  const { tenantId, accountId } = await makeTenant(db, { provider: 'http-sms' });
  const callbackSecret = randomBytes(16).toString('hex');
  const inbound = { from: 'from', text: 'text', charset: 'charset', id: 'id' };
  const sealed = { settings: { url: 'http://127.0.0.1:9/', inbound }, callbackSecret };
  const settings = secrets.seal(JSON.stringify(sealed), settingsPlace(tenantId, accountId));
  await db.updateTable('channel_accounts').set({ settings }).where('id', '=', accountId).execute();
  const path = `/callbacks/http-sms/${accountId}/${callbackSecret}`;
  return Object.fromEntries(
    ['utf-8', 'utf-16be', 'gb18030', 'shift_jis', 'windows-1252'].flatMap((charset) =>
      units.map((unit) => {
        const begin = `from=4915112345678&id=${charset}${encodeURIComponent(unit)}&charset=${charset}&text=`;
        const body = begin + unit.repeat((bytes - begin.length) / unit.length);
        return [`${unit} in ${charset}`, { method: 'POST', path, headers: form, body }] as const;
      }),
    ),
  );
}

async function forged(
  { db }: BenchService,
  { secrets }: Environment,
  bytes: number,
): Promise<Record<string, Asked>> {
  const path = await makeTwilioAccount(db, secrets);
  const headers = { ...form, 'x-twilio-signature': 'forged' };
  return Object.fromEntries(
    units.map((unit) => [
      unit,
      { method: 'POST', path, headers, body: `Body=${unit.repeat((bytes - 5) / unit.length)}` },
    ]),
  );
}
