import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, registerTenant, type ServiceHere, startServiceHere } from '@notify/testkit';
import { Notify, webhooks } from '../src/index.ts';

let service: ServiceHere;

beforeAll(async () => {
  service = await startServiceHere({ env: { BCRYPT_COST: '4' } });
});
afterAll(() => service.stop());

interface Receiver extends AsyncDisposable {
  /** What it printed so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line that satisfies the condition. */
  line(isIt: (line: string) => boolean): Promise<string>;
}

async function startExample(framework: string, port: number, secret: string): Promise<Receiver> {
  const file = path.resolve(import.meta.dirname, '../../../examples/receivers', framework, 'receiver.ts');
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: String(port), NOTIFY_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout! });
  reader.on('line', (line) => lines.push(line));
  const receiver: Receiver = {
    lines,
    async line(isIt) {
      for (;;) {
        const found = lines.find(isIt);
        if (found !== undefined) return found;
        await once(reader, 'line');
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
  await receiver.line((line) => line.startsWith('listening'));
  return receiver;
}

test.each(['express', 'fastify'])(
  'the %s example takes real webhooks, each once, and no others',
  async (framework) => {
    const tenant = await registerTenant(service.url);
    const notify = new Notify({
      baseUrl: service.url,
      apiKey: tenant.apiKey,
      token: tenant.accessToken,
    });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/webhooks/notify`;
    const { secret } = await notify.webhooks.create({ url });
    await using receiver = await startExample(framework, port, secret);

    const { id } = await notify.messages.sendText('sms', { to: '+15550001000', text: 'Hello' });
    for (const event of ['message.queued', 'message.sent', 'message.delivered'])
      await receiver.line((line) => line === `${event} ${id}`);

    const post = async (body: string, headers: Record<string, string>): Promise<number> => {
      const all = { ...headers, 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers: all, body })).status;
    };
    const body = JSON.stringify({ event: 'message.read', messageId: id, id: `evt_${randomUUID()}` });
    const headers = await webhooks.sign(body, secret);
    expect(await post(body, headers)).toBe(204);
    expect(await post(body, headers)).toBe(204);
    expect(await post(`${body} `, headers)).toBe(400);
    const last = JSON.stringify({ event: 'webhook.test', messageId: null, id: `evt_${randomUUID()}` });
    expect(await post(last, await webhooks.sign(last, secret))).toBe(204);
    await receiver.line((line) => line.startsWith('webhook.test'));
    expect(receiver.lines.filter((line) => line === `message.read ${id}`)).toHaveLength(1);
  },
);
