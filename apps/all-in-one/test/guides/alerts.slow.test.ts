import { readGuide, type RegisteredTenant, registerTenant, testWith } from '@notify/testkit';
import { parse } from 'yaml';
import { openWorld } from './world.ts';

/** The requests that the samples of the guide to alerts make. A real Alertmanager runs its configurations: alertmanager.slow.test.ts. */

const guide = readGuide('alerts');
const world = openWorld();

let tenant: RegisteredTenant;
beforeEach(async () => {
  tenant = await registerTenant(world.url);
});

const to = '+15550001000';
const example = 'https://notify.example.com';

/** The text of the only message of the tenant, which goes to the recipient of the samples. */
async function toldText(): Promise<string> {
  const { data } = await tenant.get('/v1/messages');
  expect(data).toEqual([expect.objectContaining({ to, type: 'text' })]);
  return data[0].body.text;
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  const answer = await fetch(url.replace(example, world.url), { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

const keyed = (): Readonly<Record<string, string>> => ({
  NOTIFY_URL: world.url,
  NOTIFY_API_KEY: tenant.apiKey,
});

/** The alerts of the guide's sample. */
function sampleBody(): string {
  return /-d '(\{.*\})'/s.exec(guide.take('alert.sh'))![1]!;
}

testWith('curl')('alert.sh sends the text that the guide shows', async () => {
  const { status, errors } = await world.workshop.run('alert.sh', guide.take('alert.sh'), keyed());
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  const shown = guide.blocks.find(
    ({ language, heading }) => language === 'text' && heading === 'Alertmanager',
  );
  expect(await toldText()).toBe(shown?.code.trim());
});

test('contact-points.yml: Grafana posts with its scheme and credentials', async () => {
  const { contactPoints } = parse(guide.take('contact-points.yml'));
  const [{ type, settings }] = contactPoints[0].receivers;
  expect([type, settings.httpMethod, settings.maxAlerts]).toEqual(['webhook', 'POST', '100']);
  const credentials = settings.authorization_credentials.replace('$NOTIFY_API_KEY', tenant.apiKey);
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `${settings.authorization_scheme} ${credentials}`,
  };
  const body = {
    ...JSON.parse(sampleBody()),
    version: '1',
    orgId: 1,
    title: '[FIRING:2]',
    state: 'alerting',
  };
  expect(await post(settings.url, headers, JSON.stringify(body))).toBe(202);
  expect(await toldText()).toMatch(/^FIRING \(2\): DiskFull\n/);
});

test('uptime-kuma.liquid: Uptime Kuma posts its message as the text', async () => {
  const msg = '[Shop] [🔴 Down] "timeout" of 48000ms\nexceeded';
  const body = guide.take('uptime-kuma.liquid').replace('{{ msg | json }}', JSON.stringify(msg));
  const headers = JSON.parse(guide.take('uptime-kuma-headers.json').replace('svc_live_…', tenant.apiKey));
  expect(await post(`${example}/v1/notify/sms/text`, headers, body)).toBe(202);
  expect(await toldText()).toBe(msg);
  // What the guide says of a forgotten content type.
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(await post(`${example}/v1/notify/sms/text`, form, body)).toBe(415);
});

test('configuration.yaml: Home Assistant posts what automations.yaml says', async () => {
  const secret = { tag: '!secret', resolve: (name: string) => ({ notify_api_key: tenant.apiKey })[name] };
  const { notify } = parse(guide.take('configuration.yaml'), { customTags: [secret] });
  const [rest] = notify;
  const [automation] = parse(guide.take('automations.yaml'));
  const [{ action, data }] = automation.actions;
  expect([rest.platform, rest.method, action]).toEqual(['rest', 'POST_JSON', `notify.${rest.name}`]);
  const body = { [rest.message_param_name]: data.message, [rest.target_param_name]: data.target };
  const headers = { ...rest.headers, 'Content-Type': 'application/json' };
  expect(await post(rest.resource, headers, JSON.stringify(body))).toBe(202);
  expect(await toldText()).toBe(data.message);
});

testWith('curl')('failed-job.yml: the step of GitHub Actions runs', async () => {
  const [step] = parse(guide.take('failed-job.yml'));
  expect(step.if).toBe('failure()');
  expect(Object.keys(step.env)).toEqual(Object.keys(keyed()));
  const runner = {
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '1658821493',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'build',
  };
  for (let times = 0; times < 2; times += 1) {
    const { status, errors } = await world.workshop.run('step.sh', step.run, { ...keyed(), ...runner });
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
  }
  expect(await toldText()).toBe('acme/shop failed: https://github.com/acme/shop/actions/runs/1658821493');
});

testWith('curl')('or-tell.sh tells of a command that fails, and of no other', async () => {
  const runs = async (command: string): Promise<number | null> => {
    const code = `set -- ${command}\n${guide.take('or-tell.sh')}`;
    return (await world.workshop.run('or-tell.sh', code, { ...keyed(), HOSTNAME: 'node1' })).status;
  };
  expect(await runs('/bin/true')).toBe(0);
  expect((await tenant.get('/v1/messages')).data).toEqual([]);
  expect(await runs("/bin/sh -c 'exit 3'")).toBe(3);
  expect(await toldText()).toBe('node1: sh ended with 3');
});

test('every program of the guide was run', () => expect(guide.unused()).toEqual([]));
