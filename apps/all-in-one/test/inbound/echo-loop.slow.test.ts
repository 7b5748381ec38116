import {
  type Received,
  type Receiver,
  type ServiceHere,
  startReceiver,
  startServiceHere,
} from '@notify/testkit';
import { ask, register, type Tenant, until } from '../installation.ts';

const echo = '+15550001234';
/** As `loopGuard` of core says. */
const [each, spacingMs] = [20, 30_000];

interface Event {
  readonly event: string;
  readonly messageId: string;
  readonly from?: string;
  readonly to: string;
}

/** A program of the tenant that answers every message, and a program of the contact that answers every answer. */
interface Loop {
  /** Replies that were accepted, by id. */
  readonly accepted: Set<string>;
  /** When each reply was sent, in ms since 1970. */
  readonly sentAt: Map<string, number>;
  end(): Promise<void>;
}

describe('an account that answers itself', () => {
  let service: ServiceHere;
  let receiver: Receiver;
  let tenant: Tenant;
  let account: string;
  let loop: Loop;

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startServiceHere({ env: { BCRYPT_COST: '4' } });
    tenant = await register(service.url, 'ann');
    const accounts = (await get('/v1/channel-accounts')) as unknown as { id: string; channel: string }[];
    account = accounts.find(({ channel }) => channel === 'sms')!.id;
    loop = startLoop();
    const events = ['message.received', 'message.sent'];
    await ask('POST', `${service.url}/v1/webhooks`, tenant.bearer, { url: receiver.url, events });
  });

  afterAll(async () => {
    await loop?.end();
    await service?.stop();
    await receiver?.close();
  });

  const get = async (path: string) => (await ask('GET', `${service.url}${path}`, tenant.bearer)).body;
  const post = (path: string, body: object) => ask('POST', `${service.url}${path}`, tenant.bearer, body);
  const text = (to: string) =>
    ask('POST', `${service.url}/v1/notify/sms/text`, tenant.key, { to, text: 'ok' });
  const write = () => post(`/v1/channel-accounts/${account}/simulate-inbound`, { from: echo, text: 'hello' });

  function startLoop(): Loop {
    const [accepted, sentAt] = [new Set<string>(), new Map<string, number>()];
    const answers = new Set<Promise<void>>();
    let isOver = false;
    async function answer({ event, messageId, from, to }: Event, at: number): Promise<void> {
      if (event === 'message.received' && from === echo) {
        const { status, body } = await text(echo);
        expect(status).toBe(202);
        accepted.add(body.id as string);
      } else if (event === 'message.sent' && to === echo) {
        sentAt.set(messageId, at);
        expect((await write()).status).toBe(202);
      }
    }
    receiver.behave(({ body, at }: Received) => {
      if (!isOver) {
        const one = answer(JSON.parse(body.toString()) as Event, at);
        answers.add(one);
        one.finally(() => answers.delete(one)).catch(() => undefined);
      }
      return {};
    });
    return {
      accepted,
      sentAt,
      async end() {
        isOver = true;
        await Promise.all(answers);
      },
    };
  }

  const delivered = async (id: string) => (await get(`/v1/messages/${id}`)).status === 'delivered';

  test('is slowed, loses nothing, says so, and others are not held up', async () => {
    expect(await get(`/v1/channel-accounts/${account}`)).toMatchObject({ loopGuard: null });
    const beganAt = Date.now();
    await write();
    await until(async () => (await get(`/v1/channel-accounts/${account}`)).loopGuard !== null);
    const slowedAt = Date.now();
    const fastMs = slowedAt - beganAt;
    // The last of them is slowed when it is written, and may be on its way to the provider.
    await until(async () => loop.accepted.size >= each);

    expect((await get(`/v1/channel-accounts/${account}`)).loopGuard).toMatchObject({ contacts: 1 });
    const { data } = await get('/v1/conversations');
    expect(data).toMatchObject([{ to: echo, slowedUntil: expect.any(String) }]);
    const code = (await text('+15550009999')).body.id as string;
    await until(() => delivered(code));
    const codeAt = Date.now();
    const codeMs = codeAt - slowedAt;

    // Two more rounds of the loop, each after its wait.
    await until(() => loop.sentAt.size >= each + 3);
    const times = [...loop.sentAt.values()].toSorted((a, b) => a - b);
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    expect(gaps.slice(-2).every((ms) => ms > spacingMs - 3_000)).toBe(true);
    // The code went before the first reply that was slowed.
    expect(codeAt).toBeLessThan(times.at(-2)!);

    await loop.end();
    const statuses = await Promise.all(
      [...loop.accepted].map(async (id) => (await get(`/v1/messages/${id}`)).status),
    );
    const waiting = statuses.filter((status) => status === 'queued').length;
    expect(waiting).toBeLessThanOrEqual(1);
    expect(statuses.filter((status) => status === 'failed')).toEqual([]);
    process.stdout.write(
      `echo loop: ${each} replies in ${fastMs} ms, then one every ${gaps.slice(-2).join(' and ')} ms; ` +
        `${statuses.length} accepted, ${waiting} waiting, none lost; a code to somebody else took ${codeMs} ms\n`,
    );
  });
});
