import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Longest wait for one answer, in ms. */
const patienceMs = 300_000;

/** One answer; status 0 where none came. */
export interface Answered {
  readonly status: number;
  readonly tookMs: number;
  readonly retryAfterMs: number;
}

/** Sends JSON and waits for the answer. */
export function ask(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>>,
  agent?: Agent,
): Promise<Answered> {
  const began = performance.now();
  const text = JSON.stringify(body);
  const sent = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers };
  return new Promise((resolve) => {
    const end = (status: number, retryAfter = '0') =>
      resolve({ status, tookMs: performance.now() - began, retryAfterMs: Number(retryAfter) * 1_000 });
    const options = { method: 'POST', headers: sent, timeout: patienceMs, ...(agent && { agent }) };
    const asking = request(url, options, (answer) => {
      answer.resume().on('end', () => end(answer.statusCode ?? 0, answer.headers['retry-after']));
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => end(0)).end(text);
  });
}

/** Sends texts at that rate, whatever the answers, until `end()`, which resolves with all answers. */
export function sendSteadily(apiUrl: string, key: string, perSecond: number): { end(): Promise<Answered[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const sent: Promise<Answered>[] = [];
  const send = () => {
    const body = { to: '+14155550123', text: `honest ${sent.length}` };
    sent.push(ask(`${apiUrl}/v1/notify/sms/text`, body, { 'x-api-key': key }, agent));
  };
  const timer = setInterval(send, 1_000 / perSecond);
  return {
    async end() {
      clearInterval(timer);
      const answers = await Promise.all(sent);
      agent.destroy();
      return answers;
    },
  };
}

/**
 * Logs in, and tries again as `Retry-After` says. Resolves with the total time, in ms; infinite where no login
 * succeeded.
 */
export async function logIn(apiUrl: string, email: string, password: string): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < patienceMs) {
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    const { status, retryAfterMs } = await ask(`${apiUrl}/auth/login`, { email, password }, headers);
    if (status === 200) return performance.now() - began;
    await wait(Math.max(retryAfterMs, 100));
  }
  return Infinity;
}
