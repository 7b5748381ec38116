import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type SmsGateway, startService, startSmsGateway } from '@notify/testkit';
import { askPatiently, connect, register, terminate } from '../installation.ts';

const accounts = 25;
const each = 40;

let dataDir: string;
let gateway: SmsGateway;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'notify-stop-'));
  await chmod(dataDir, 0o755); // as root, Postgres runs as another user
  gateway = await startSmsGateway();
});
afterAll(async () => {
  await gateway.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startService({ env: { DATA_DIR: dataDir, MAX_CALLS_IN_FLIGHT: '600' } });

test('npm start that is told to end with 500 calls in flight ends in time, and the next one sends the rest, nothing twice', async () => {
  gateway.behave({ answer: 'take', latencyMs: 3_000 });
  const first = await start();
  const tenant = await register(first.url, 'ann');
  for (let count = 0; count < accounts; count += 1) {
    const channelAccountId = await connect(first.url, tenant, gateway);
    const messages = Array.from({ length: each }, () => ({
      to: '+15550001000',
      text: 'hello',
      channelAccountId,
    }));
    const { status } = await askPatiently('POST', `${first.url}/v1/notify/sms/bulk`, tenant.key, {
      messages,
    });
    expect(status).toBe(202);
  }
  await gateway.when((ledger) => ledger.length >= 500);
  const { code, ms } = await terminate({ name: 'npm start', process: first.process });
  await first.stop();
  const begun = gateway.ledger().length;
  process.stdout.write(`npm start: SIGTERM with 500 calls begun: ${begun} sent, ended after ${ms} ms\n`);
  expect({ code, inTime: ms < 10_000 }).toEqual({ code: 0, inTime: true });
  expect(begun).toBeLessThan(accounts * each);

  gateway.behave({ answer: 'take' });
  const next = await start();
  await gateway.when((ledger) => ledger.length === accounts * each);
  await next.stop();
  expect(gateway.ledger().filter(({ taken }) => taken !== 1)).toEqual([]);
});
