import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { usageOf } from '../environment/cpu.ts';
import { sendSteadily } from '../environment/honest.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { makeLoadTenant } from '../environment/tenants.ts';
import { type Figure, plain } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/** How many connections of each kind there are, and how much memory each kind may take in all, in MB. */
const kinds = {
  idle: { count: 2_000, atMostMb: 100 },
  dripping: { count: 200, atMostMb: 40 },
  streaming: { count: 500, atMostMb: 100 },
} as const;
type Kind = keyof typeof kinds;

const streamsPerTenant = 20;
const honestPerSecond = 20;
const dripMs = 200;
const unreachable = { gatewayUrl: 'http://127.0.0.1:9/send' };

/** The memory that idle and slow connections take, one kind after the other, and the latency of honest sends meanwhile. */
export const connections: Benchmark = {
  name: 'connections',
  async run(environment, sizes, say) {
    const env = { LOGIN_ATTEMPTS_PER_ADDRESS: '1000', BCRYPT_COST: '4' };
    await using service = await startService(environment, { workers: [], env });
    const { key } = await makeLoadTenant(service.db, environment.secrets, unreachable);
    const tokens = await registerAll(service, kinds.streaming.count / streamsPerTenant);
    await using held = new AsyncDisposableStack();
    const openers: Record<Kind, () => Promise<Socket[]>> = {
      idle: () => openIdle(service),
      dripping: () => openDripping(service, key),
      streaming: () => openStreams(service, tokens),
    };
    await measured(service, key, sizes);
    const figures: Figure[] = [];
    let before = rssOf(service);
    for (const kind of Object.keys(kinds) as Kind[]) {
      const sockets = await openers[kind]();
      held.defer(() => sockets.forEach((socket) => socket.destroy()));
      const { p99Ms, failed } = await measured(service, key, sizes);
      const after = rssOf(service);
      const { count, atMostMb } = kinds[kind];
      say(`${count} ${kind}: ${Math.round(after - before)} MB more, sends p99 ${Math.round(p99Ms)} ms`);
      const figure = (what: string, value: number, unit: string, atMost: number): Figure =>
        plain('connections', `${count} ${kind}: ${what}`, [value], unit, { atMost });
      figures.push(
        figure('memory', after - before, 'MB', atMostMb),
        figure('sends, p99', p99Ms, 'ms', 1_000),
        figure('sends refused', failed, '', 0),
      );
      before = Math.max(before, after);
    }
    return figures;
  },
};

function rssOf({ processes }: BenchService): number {
  return usageOf(processes['api']!).rssMb;
}

/** Sends at a steady rate beside the connections. */
async function measured(
  { apiUrl }: BenchService,
  key: string,
  { seconds }: Sizes,
): Promise<{ p99Ms: number; failed: number }> {
  const honest = sendSteadily(apiUrl, key, honestPerSecond);
  await wait(seconds * 1_000);
  const sent = await honest.end();
  const took = sent.filter(({ status }) => status === 202).map(({ tookMs }) => tookMs);
  return { p99Ms: quantile(took, 0.99), failed: sent.length - took.length };
}

async function registerAll({ apiUrl }: BenchService, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { name: 'Bench', email: `stream${index}@example.com`, password: 'correct horse battery' };
    const answer = await fetch(`${apiUrl}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data } = (await answer.json()) as { data: { accessToken: string } };
    tokens.push(data.accessToken);
  }
  return tokens;
}

async function opened({ apiUrl }: BenchService): Promise<Socket> {
  const socket = connect(Number(new URL(apiUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

function openMany(count: number, open: (index: number) => Promise<Socket>): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => open(index)));
}

/** Connections that have had one answer and ask for nothing more. */
function openIdle(service: BenchService): Promise<Socket[]> {
  return openMany(kinds.idle.count, async () => {
    const socket = await opened(service);
    socket.write('GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n');
    await once(socket, 'data');
    return socket;
  });
}

/** Half of them never end their headers, and half never end the body of a bulk call. They are opened again when cut off. */
function openDripping(service: BenchService, key: string): Promise<Socket[]> {
  const head = `POST /v1/notify/sms/bulk HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-Api-Key: ${key}\r\n`;
  return openMany(kinds.dripping.count, async (index) => {
    const socket = await opened(service);
    socket.write(index % 2 === 0 ? `${head}X-Slow: ` : `${head}Content-Length: 5000000\r\n\r\n{"messages":[`);
    const timer = setInterval(() => socket.write('x'), dripMs);
    socket.once('close', () => clearInterval(timer));
    return socket;
  });
}

/** Event streams whose clients read. */
function openStreams(service: BenchService, tokens: readonly string[]): Promise<Socket[]> {
  return openMany(kinds.streaming.count, async (index) => {
    const socket = await opened(service);
    const token = tokens[Math.floor(index / streamsPerTenant)]!;
    socket.write(`GET /v1/events/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (!answer.toString().startsWith('HTTP/1.1 200')) throw new Error(answer.toString());
    socket.resume();
    return socket;
  });
}
