import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Received, type Receiver, startReceiver } from '@notify/testkit';
import { Webhook } from 'standardwebhooks';
import { type Harness, openHarness } from './harness.ts';
import { lineOf, listenHere, listenInProcess, type Line, type Listening } from './listening.ts';

let harness: Harness;
let receiver: Receiver;
let running: Listening[] = [];

beforeAll(async () => {
  harness = await openHarness();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const one of running) one.signal('SIGKILL');
  await receiver.close();
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
});
afterAll(() => harness.stop());

interface Event {
  readonly id: string;
  readonly event: string;
  readonly messageId: string;
  readonly sequence: number;
}

const environment = () => ({
  NOTIFY_URL: harness.url,
  NOTIFY_TOKEN: harness.token,
  XDG_CONFIG_HOME: harness.configFolder,
});
const argumentsOf = (more: readonly string[]) => ['--forward-to', `${receiver.url}/hook`, ...more];

/** Starts it in this process, and resolves when it says that it is connected. */
const listen = (...args: string[]): Promise<Listening> =>
  connected(listenHere(argumentsOf(args), environment()));

/** The same in its own process: for signals. */
const listenAsProcess = (...args: string[]): Promise<Listening> =>
  connected(listenInProcess(argumentsOf(args), environment()));

async function connected(listening: Listening): Promise<Listening> {
  running.push(listening);
  await lineOf(listening, ({ type, state }) => type === 'connection' && state === 'open');
  return listening;
}

const eventOf = ({ body }: Received): Event => JSON.parse(body.toString()) as Event;
const named = (event: string) => (request: Received) => eventOf(request).event === event;

async function stop(listening: Listening): Promise<Line> {
  listening.signal('SIGINT');
  await listening.ended;
  return lineOf(listening, ({ type }) => type === 'summary');
}

/** Ends a run by one SIGINT as soon as the text satisfies the condition. A second would end it without a summary. */
function once(isIt: (text: string) => boolean) {
  let ended = false;
  return (text: string, kill: (signal: NodeJS.Signals) => void): void => {
    if (ended || !isIt(text)) return;
    ended = true;
    kill('SIGINT');
  };
}

const trigger = (event = 'message.delivered'): Promise<Event> => harness.json('trigger', event);

describe('notifyctl listen', () => {
  test('forwards each event as a webhook: headers, raw body and a valid signature', async () => {
    const program = await listenAsProcess();
    const { messageId } = await trigger();
    const posted = await receiver.next(named('message.delivered'));
    const bearer = { headers: { authorization: `Bearer ${harness.token}` } };
    const answer = await fetch(`${harness.url}/v1/events/secret`, bearer);
    const { secret } = (await answer.json()) as { secret: string };
    const headers = posted.headers as Record<string, string>;
    expect(new Webhook(secret).verify(posted.body, headers)).toMatchObject({ messageId });
    expect(Object.keys(headers).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-svc-signature',
    ]);
    expect([posted.method, posted.url, headers['content-type']]).toEqual([
      'POST',
      '/hook',
      'application/json',
    ]);
    expect(receiver.received.map((one) => eventOf(one).sequence)).toEqual([1, 2, 3]);
    expect(headers['user-agent']).toMatch(/^Notify \(notifyctl\/\d+\.\d+\.\d+ listen\)$/);
    const line = await lineOf(program, ({ event }) => event === 'message.delivered');
    expect(line).toMatchObject({ type: 'forwarded', messageId, status: 200, attempt: 1 });
    expect(await stop(program)).toMatchObject({ forwarded: 3, failed: [], unfinished: 0 });
    expect(await program.ended).toBe(130);
  });

  test('continues where it stopped, also after it was killed', async () => {
    const first = await listen();
    await stop(first);
    await trigger();
    const second = await listenAsProcess();
    await receiver.atLeast(3);
    await lineOf(second, ({ type }) => type === 'caught-up');
    second.signal('SIGKILL');
    await second.ended;
    const { messageId } = await trigger('message.sent');
    await listen();
    await receiver.next((one) => eventOf(one).messageId === messageId && eventOf(one).sequence === 2);
    expect(new Set(receiver.received.map((one) => eventOf(one).id)).size).toBeGreaterThanOrEqual(5);
  });

  test('skips what happened in between with --since now, and goes back with --since', async () => {
    await stop(await listen());
    const beganAt = new Date(Date.now() - 1_000).toISOString();
    const skipped = await trigger();
    const fresh = await listen('--since', 'now');
    const { messageId } = await trigger('message.sent');
    await receiver.next(named('message.sent'));
    expect(receiver.received.map((one) => eventOf(one).messageId)).not.toContain(skipped.messageId);
    await stop(fresh);
    await listen('--since', beganAt);
    await receiver.next((one) => eventOf(one).messageId === skipped.messageId && eventOf(one).sequence === 3);
    await receiver.next((one) => eventOf(one).messageId === messageId && eventOf(one).sequence === 2);
  });

  test('forwards only the events of --events', async () => {
    const program = await listen('--events', 'message.failed,contact.*');
    await trigger('contact.opted-out');
    await trigger('message.failed');
    await receiver.atLeast(2);
    expect(receiver.received.map((one) => eventOf(one).event)).toEqual([
      'contact.opted-out',
      'message.failed',
    ]);
    expect(await stop(program)).toMatchObject({ forwarded: 2 });
  });

  test('repeats an event that the receiver refused, before later events of the message', async () => {
    let left = 2;
    receiver.behave((request) => ({ status: named('message.queued')(request) && left-- > 0 ? 500 : 204 }));
    const program = await listen();
    await trigger();
    await receiver.next(named('message.delivered'));
    expect(receiver.received.map((one) => eventOf(one).sequence)).toEqual([1, 1, 1, 2, 3]);
    expect(await stop(program)).toMatchObject({ forwarded: 3, repeated: 2, failed: [] });
  });

  test('gives an event up after its repetitions and says so', async () => {
    receiver.behave((request) => ({ status: named('message.sent')(request) ? 400 : 200 }));
    const program = await listen('--retries', '1');
    await trigger();
    await receiver.next(named('message.delivered'));
    expect(receiver.received.map((one) => eventOf(one).sequence)).toEqual([1, 2, 2, 3]);
    const given = await lineOf(program, ({ type }) => type === 'failed');
    expect(given).toMatchObject({ event: 'message.sent', status: 400, attempt: 2 });
    expect(await stop(program)).toMatchObject({ forwarded: 2, failed: [{ id: given.eventId }] });
  });

  test('counts a redirect and a missing answer as refusals', async () => {
    receiver.behave((request) =>
      named('message.queued')(request)
        ? { status: 307, headers: { location: '/elsewhere' } }
        : { hang: true },
    );
    const program = await listen('--retries', '0', '--timeout', '1');
    await trigger('message.sent');
    await lineOf(program, ({ event, type }) => type === 'failed' && event === 'message.sent');
    expect(program.lines().filter(({ type }) => type === 'failed')).toMatchObject([
      { event: 'message.queued', status: 307 },
      { event: 'message.sent', status: null, error: 'no answer within 1 s' },
    ]);
  });

  test('holds events while nothing listens, however long that lasts', async () => {
    const port = Number(new URL(receiver.url).port);
    const program = await listen('--retries', '0');
    await receiver.close();
    await trigger();
    await lineOf(program, ({ type, state }) => type === 'receiver' && state === 'away');
    receiver = await startReceiver(port);
    await receiver.atLeast(3);
    expect(receiver.received.map((one) => eventOf(one).sequence)).toEqual([1, 2, 3]);
    await lineOf(program, ({ type, state }) => type === 'receiver' && state === 'back');
    expect(await stop(program)).toMatchObject({ forwarded: 3, failed: [] });
  });

  test('counts the events that it holds when it is stopped', async () => {
    const beganAt = new Date().toISOString();
    await trigger();
    await receiver.close();
    // The events of --since are taken before the stream opens.
    const ran = await harness.runProcess(['listen', '--forward-to', receiver.url, '--since', beganAt], {
      onMessages: once((told) => / {2}connected\n/.test(told)),
    });
    expect(ran).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('3 unfinished, which the next listen forwards'),
    });
  });

  test('waits for the answers in progress when it is stopped, for more than a second', async () => {
    receiver.behave({ hang: true });
    const program = await listenAsProcess('--timeout', '3', '--retries', '0');
    await trigger('message.queued');
    await receiver.atLeast(1);
    const summary = await stop(program);
    expect(summary).toMatchObject({ failed: [{ id: eventOf(receiver.received[0]!).id }] });
  });

  test('ends at once by a second signal', async () => {
    receiver.behave({ hang: true });
    const program = await listenAsProcess();
    await trigger('message.queued');
    await receiver.atLeast(1);
    // Two signals at the same time are one.
    const signals = setInterval(() => program.signal('SIGINT'), 200);
    const code = await program.ended;
    clearInterval(signals);
    // After a single signal it waits for the answer, and then tells what it left.
    expect([code, program.lines().filter(({ type }) => type === 'summary')]).toEqual([130, []]);
  });

  test('leaves an event without an answer to the next run', async () => {
    receiver.behave({ hang: true });
    const program = await listen();
    await trigger('message.queued');
    await receiver.atLeast(1);
    expect(await stop(program)).toMatchObject({ forwarded: 0 });
    receiver.behave({});
    await listen();
    const [first, again] = [
      receiver.received[0]!,
      await receiver.next((one) => one !== receiver.received[0]),
    ];
    expect(eventOf(again).id).toBe(eventOf(first).id);
  });

  test('shows the secret only when it is asked for, and people a line for each event', async () => {
    const shown = await listen('--print-secret');
    expect(shown.lines()).toContainEqual({ type: 'secret', secret: expect.stringMatching(/^whsec_/) });
    await stop(shown);
    await trigger('message.sent');
    const { code, stdout, stderr } = await harness.runProcess(
      ['listen', '--forward-to', receiver.url, '--since', '1h', '--events', 'message.sent'],
      { onOutput: once((text) => text.includes('message.sent')) },
    );
    expect([code, stdout]).toEqual([130, expect.stringMatching(/message\.sent +msg_\S+ {2}200 {2}\d+ ms/)]);
    expect(`${stdout}${stderr}`).not.toContain('whsec_');
    expect(stderr).toMatch(/events? forwarded/);
  });

  test('ends with what to do when the position is no longer valid', async () => {
    const file = path.join(harness.configFolder, 'expired.json');
    const folder = path.join(harness.configFolder, 'notify/listen');
    const [any] = await readdir(folder);
    const saved = JSON.parse(await readFile(path.join(folder, any!), 'utf8')) as { cursor: string };
    const [version, , ...rest] = JSON.parse(Buffer.from(saved.cursor, 'base64url').toString()) as unknown[];
    const cursor = Buffer.from(JSON.stringify([version, 'another history', ...rest])).toString('base64url');
    await writeFile(file, JSON.stringify({ cursor }));
    const { code, stderr } = await harness.run([
      'listen',
      '--forward-to',
      receiver.url,
      '--cursor-file',
      file,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('--since now')]);
  });

  test.each([
    ['a target that is no address', ['--forward-to', 'localhost'], 2],
    ['--since with --cursor', ['--forward-to', 'http://localhost:1', '--since', 'now', '--cursor', 'x'], 2],
    ['a cursor that is made up', ['--forward-to', 'http://localhost:1', '--cursor', 'x'], 1],
  ])('refuses %s', async (_what, args, code) => {
    expect(await harness.run(['listen', ...args])).toMatchObject({ code, stdout: '' });
  });

  test('ends when the token lacks the scope', async () => {
    const token = await harness.makeToken(['messages:read']);
    const { code, stderr } = await harness.run(['listen', '--forward-to', receiver.url], {
      env: { NOTIFY_TOKEN: token },
    });
    expect([code, stderr]).toEqual([3, expect.stringContaining('events:read')]);
  });
});
