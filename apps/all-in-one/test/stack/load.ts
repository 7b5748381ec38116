import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** Between two texts of a sender, in ms, so that all of them stay below the rate limit of their key. */
const pauseMs = 80;

/** What became of one send: the status of its answer, or the code of the error. */
export interface Sent {
  readonly to: string;
  readonly result: number | string;
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Sends that go on until they are told to stop. */
export interface Load {
  readonly sent: readonly Sent[];
  /** Resolves with all sends when the last has its answer. */
  stop(): Promise<readonly Sent[]>;
}

/**
 * Posts texts to different recipients, so many at a time, each once and without an idempotency key. Half of the senders keep
 * their connection, the others open one for each text.
 */
export function startLoad(url: string, key: Readonly<Record<string, string>>, senders: number): Load {
  const sent: Sent[] = [];
  const keeping = new Agent({ keepAlive: true });
  let stopped = false;
  let count = 0;
  const loop = async (agent: Agent | false): Promise<void> => {
    while (!stopped) {
      count += 1;
      const to = `+1555${String(count).padStart(7, '0')}`;
      const beganAt = performance.now();
      const result = await post(`${url}/v1/notify/sms/text`, key, { to, text: 'hello' }, agent);
      sent.push({ to, result, beganAt, endedAt: performance.now() });
      await wait(pauseMs);
    }
  };
  const loops = Array.from({ length: senders }, (_, index) => loop(index % 2 === 0 ? keeping : false));
  return {
    sent,
    async stop() {
      stopped = true;
      await Promise.all(loops);
      keeping.destroy();
      return sent;
    },
  };
}

function post(
  url: string,
  key: Readonly<Record<string, string>>,
  body: object,
  agent: Agent | false,
): Promise<number | string> {
  const headers = { 'content-type': 'application/json', ...key };
  return new Promise((resolve) => {
    const asked = request(url, { method: 'POST', headers, agent }, (response) => {
      text(response).then(
        () => resolve(response.statusCode ?? 0),
        (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message),
      );
    });
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end(JSON.stringify(body));
  });
}
