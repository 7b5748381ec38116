import path from 'node:path';
import { freePort, readGuide, type RegisteredTenant, registerTenant, testWith } from '@notify/testkit';
import { describeInEach, everyLanguage, fileIn } from './languages.ts';
import type { Variables } from './run-sample.ts';
import { openWorld } from './world.ts';

const guide = readGuide('first-message');
const readme = readGuide('../../README');
const root = path.resolve(import.meta.dirname, '../../../..');

const world = openWorld();

const variables = ({ apiKey }: RegisteredTenant): Variables => ({
  NOTIFY_URL: world.url,
  NOTIFY_API_KEY: apiKey,
});

testWith('curl')('the lines of the terminal register and print a key that sends', async () => {
  const register = guide.take('register.sh').replace('http://127.0.0.1:3000', world.url);
  const { status, output, errors } = await world.workshop.run(
    'both.sh',
    register + guide.take('send.sh'),
    {},
  );
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(output).toMatch(/^svc_live_\w{49}\nmsg_[\w-]{36}\ndelivered\n$/);
});

testWith('curl')('the lines of the terminal print no key if the address is taken, and say so', async () => {
  const { email } = await registerTenant(world.url);
  const code = guide
    .take('register.sh')
    .replace('http://127.0.0.1:3000', world.url)
    .replace('grace@example.com', email);
  const asTyped = `set +e +o pipefail\n${code}`;
  const { status, output, errors } = await world.workshop.run('register.sh', asTyped, {});
  expect({ status: status === 0, output }).toEqual({ status: false, output: '' });
  expect(errors).toMatch(/409[^]*NOTIFY_API_KEY: is empty/);
});

testWith('curl')('the lines of the README send, receive verified events and clean up', async () => {
  const receiver = `http://127.0.0.1:${await freePort()}/`;
  const code = [`cd '${root}'`, readme.take('first.sh'), readme.take('stop.sh')]
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', world.url)
    .replaceAll('http://127.0.0.1:4000/', receiver)
    .replace('field secret)', `field secret) ${new URL(receiver).port}`);
  const { status, output } = await world.workshop.run('readme.sh', code, {});
  expect(status).toBe(0);
  // The receiver and curl write to one output, so what curl prints may come between.
  expect(output.match(/\{"event":"message\.(queued|sent|delivered)"/g)).toHaveLength(3);
  expect(output.match(/signature verified/g)).toHaveLength(3);
  expect(output).toMatch(/^\{"id":"[^"]+","messageId":.*"status":"delivered"/m);
});

test('the program of the README sends', async () => {
  const tenant = await registerTenant(world.url);
  const code = readme.take('send.mjs').replace('http://127.0.0.1:3000', world.url);
  const ended = await world.workshop.run('readme.mjs', code, { KEY: tenant.apiKey });
  expect(ended).toEqual({ status: 0, errors: '', output: expect.stringMatching(/^msg_\S+ queued\n$/) });
});

describeInEach('the sample in', (language) => {
  const file = fileIn(language, 'send');

  test('sends one message, also when it runs twice, and prints the end', async () => {
    const tenant = await registerTenant(world.url);
    const first = await world.workshop.run(file, guide.take(file), variables(tenant));
    expect(first).toEqual({ status: 0, errors: '', output: expect.stringMatching(/^msg_.*\ndelivered\n$/) });
    expect(await world.workshop.run(file, guide.take(file), variables(tenant))).toEqual(first);
    const { data } = await tenant.get('/v1/messages');
    expect(data).toEqual([expect.objectContaining({ to: '+14155550123', status: 'delivered' })]);
    expect(first.output).toContain(data[0].messageId);
  });

  test('fails loudly with a revoked key', async () => {
    const tenant = await registerTenant(world.url);
    await tenant.revokeKeys();
    const { status, errors } = await world.workshop.run(file, guide.take(file), variables(tenant));
    expect(status).not.toBe(0);
    expect(errors).toMatch(/401|invalid-api-key/);
  });
});

testWith(...everyLanguage)('every program of the guide was run', () => expect(guide.unused()).toEqual([]));
