import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startProcess, testDatabase } from '@notify/testkit';

test('an api whose mail server is away is ready, answers as usual, and tells in its log what became of a mail', async () => {
  await using database = await testDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-mail-'));
  const api = await startProcess('api', {
    databaseUrl: database.url,
    redisUrl: null,
    dataDir,
    env: {
      SMTP_URL: `smtp://mailer:hidden@127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'no-reply@example.com',
      PUBLIC_URL: 'https://notify.example.com',
      BCRYPT_COST: '4',
    },
  });
  try {
    await api.ready();
    const post = (at: string, body: object) =>
      fetch(`${api.url}${at}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const email = 'ada@example.com';
    await post('/auth/register', { name: 'Ada', email, password: 'correct horse battery' });
    const asked = await post('/auth/password/forgot', { email });
    expect([asked.status, await asked.json()]).toEqual([202, { delivery: 'email' }]);
    await lineWith(api.lines, 'mail not sent, will try again');
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    await api.stop();
    expect(api.process.exitCode).toBe(0);
    await lineWith(api.lines, 'mail given up: the process ends');
    expect(api.lines.join('\n')).not.toMatch(/hidden|lnk_/);
  } finally {
    await api.stop();
    await rm(dataDir, { recursive: true });
  }
});

async function lineWith(lines: readonly string[], text: string): Promise<void> {
  while (!lines.some((line) => line.includes(text))) await new Promise((resolve) => setTimeout(resolve, 20));
}
