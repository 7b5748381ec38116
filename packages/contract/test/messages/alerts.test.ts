import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { problem } from '../suite/problem.ts';
import { type Call, serviceUnderTest } from '../suite/service.ts';
import { messageWhen, newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { channels, id, lastStatus, phone, recipient, unknownId } from '../suite/values.ts';

/** What Alertmanager and Grafana post. */

const service = serviceUnderTest();

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

type Labels = Readonly<Record<string, string>>;

function alert(labels: Labels, more: object = {}): object {
  return {
    status: 'firing',
    labels: { alertname: 'DiskFull', ...labels },
    annotations: { summary: 'Disk is 91% full' },
    startsAt: '2026-01-31T09:30:00.123456789Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example.com/graph',
    fingerprint: JSON.stringify(labels),
    ...more,
  };
}

/** A group of alerts as Alertmanager 0.25 posts it, another one each time. */
function group(alerts: readonly object[] = [alert({ instance: 'node1' })], more: object = {}): object {
  return {
    receiver: 'notify',
    status: 'firing',
    alerts,
    groupLabels: { alertname: 'DiskFull' },
    commonLabels: { alertname: 'DiskFull' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com',
    version: '4',
    groupKey: `{}:{run="${randomUUID()}"}`,
    truncatedAlerts: 0,
    ...more,
  };
}

const pathOf = (channel: string, query: Record<string, string>): string =>
  `${channel}/alertmanager?${new URLSearchParams(query).toString()}`;

const post = (query: Record<string, string>, body: object, channel = 'sms'): Promise<Response> =>
  tenant.send(pathOf(channel, query), body);

/** The only message of the answer. */
async function sent(
  query: Record<string, string>,
  body: object,
  channel?: string,
): Promise<Response['body']> {
  const answer = await post(query, body, channel);
  expect([answer.status, answer.body]).toEqual([202, [expect.anything()]]);
  return answer.body[0];
}

describe.each(channels)('on %s', (channel) => {
  test('a group becomes one text, which arrives', async () => {
    const to = recipient(channel);
    const message = await sent({ to }, group(), channel);
    expect(message).toMatchObject({ id: id('msg'), provider: channel, to, type: 'text', status: 'queued' });
    expect(message.body.text).toBe(
      'FIRING: DiskFull\ninstance=node1\nDisk is 91% full\nhttp://prometheus.example.com/graph',
    );
    const ended = await messageWhen(tenant, message.id, ({ status }) => status === lastStatus(channel));
    expect(ended).toMatchObject({ body: message.body, errorCode: null });
  });

  test('a text above the limit ends in how many more there are', async () => {
    const alerts = Array.from({ length: 900 }, (_, index) => alert({ instance: `node${index}` }));
    const { body } = await sent({ to: recipient(channel) }, group(alerts), channel);
    expect(body.text).toMatch(/\n(…|\.{3}) and \d+ more$/);
  });
});

test('takes what Grafana posts, its test among it', async () => {
  const labels = { alertname: 'TestAlert', instance: 'Grafana' };
  const grafana = {
    receiver: 'Notify',
    status: 'firing',
    orgId: 1,
    alerts: [
      {
        status: 'firing',
        labels,
        annotations: { summary: 'Notification test' },
        startsAt: '2026-01-31T09:30:00.123456789+01:00',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: '',
        fingerprint: '57c6d9296de2ad39',
        silenceURL: 'http://grafana.example.com/alerting/silence/new',
        dashboardURL: '',
        panelURL: '',
        values: null,
        valueString: "[ metric='foo' labels={instance=bar} value=10 ]",
      },
    ],
    groupLabels: labels,
    commonLabels: labels,
    commonAnnotations: { summary: 'Notification test' },
    externalURL: 'http://grafana.example.com/',
    version: '1',
    groupKey: `test-${randomUUID()}`,
    truncatedAlerts: 0,
    title: '[FIRING:1]',
    state: 'alerting',
    message: '**Firing**',
  };
  expect((await sent({ to: phone() }, grafana)).body.text).toBe(
    'FIRING: TestAlert\ninstance=Grafana\nNotification test\nhttp://grafana.example.com/',
  );
});

describe('a repeat', () => {
  const now = (): string => new Date().toISOString();

  test('is no second message, whatever its words are', async () => {
    const to = phone();
    const once = group([alert({ instance: 'node1' }, { startsAt: now() })]);
    const again = {
      ...once,
      externalURL: 'http://other.example.com',
      alerts: [
        alert({ instance: 'node1' }, { ...(once as { alerts: object[] }).alerts[0], annotations: {} }),
      ],
    };
    const first = await sent({ to }, once);
    const second = await sent({ to, repeat: '4h' }, again);
    expect(second.id).toBe(first.id);
    const { body } = await tenant.get(`/v1/messages?to=${encodeURIComponent(to)}`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0].body).toEqual(first.body);
  });

  test('that another key or another account sends is none either, and no 409', async () => {
    const to = phone();
    const one = group([alert({}, { startsAt: now() })]);
    const { id: channelAccountId } = await sandboxAccount(tenant, 'sms');
    const first = await sent({ to }, one);
    expect((await sent({ to, channelAccountId, urgent: 'true' }, one)).id).toBe(first.id);
  });

  test('a second firing, an alert that joins, and the end of the group are new messages', async () => {
    const to = phone();
    const startsAt = now();
    const one = alert({ instance: 'node1' }, { startsAt });
    const begun = group([one]);
    const ended = { status: 'resolved', endsAt: now() };
    const bodies = [
      begun,
      { ...begun, alerts: [{ ...one, startsAt: new Date(Date.now() + 1_000).toISOString() }] },
      { ...begun, alerts: [one, alert({ instance: 'node2' }, { startsAt })] },
      { ...begun, alerts: [one, alert({ instance: 'node2' }, { startsAt, ...ended })] },
      { ...begun, status: 'resolved', alerts: [{ ...one, ...ended }] },
    ];
    const messages = [];
    for (const body of bodies) messages.push(await sent({ to }, body));
    expect(new Set(messages.map((message) => message.id)).size).toBe(bodies.length);
    expect(messages.map(({ body }) => body.text.split('\n')[0])).toEqual([
      'FIRING: DiskFull',
      'FIRING: DiskFull',
      'FIRING (2): DiskFull',
      'FIRING (1), RESOLVED (1): DiskFull',
      'RESOLVED: DiskFull',
    ]);
  });

  test('after its window is a new message', async () => {
    const to = phone();
    const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    // In the first window of a day, and in the middle of a later one of an hour.
    const one = group([alert({}, { startsAt: hoursAgo(2.5) })]);
    const ids = [];
    for (const repeat of ['1h', '1d', '1h', '24h']) ids.push((await sent({ to, repeat }, one)).id);
    expect(ids).toEqual([ids[0], ids[1], ids[0], ids[1]]);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('recipients', () => {
  test('several get one message each, and one that is named twice gets one', async () => {
    const [one, other] = [phone(), phone()];
    const { status, body } = await post({ to: `${one}, ${other},${one}` }, group());
    expect(status).toBe(202);
    expect(body.map(({ to }: Response['body']) => to)).toEqual([one, other]);
  });

  test('a number whose plus became a space in the URL is that number', async () => {
    const to = phone();
    const { status, body } = await tenant.send(`sms/alertmanager?to=${to}`, group());
    expect([status, body[0].to]).toEqual([202, to]);
  });

  test('stand in a label, and each gets only its alerts', async () => {
    const [one, other, rest] = [phone(), phone(), phone()];
    const alerts = [
      alert({ instance: 'node1', phone: one }),
      alert({ instance: 'node2', phone: `${one},${other}` }),
      alert({ instance: 'node3' }),
    ];
    const { status, body } = await post({ to: rest, toLabel: 'phone' }, group(alerts));
    expect(status).toBe(202);
    const texts = Object.fromEntries(
      body.map(({ to, body: { text } }: Response['body']) => [to, text.split('\n').slice(0, 2)]),
    );
    expect(texts).toEqual({
      [one]: ['FIRING (2): DiskFull', '- instance=node1: Disk is 91% full'],
      [other]: ['FIRING: DiskFull', 'instance=node2'],
      [rest]: ['FIRING: DiskFull', 'instance=node3'],
    });
  });

  test.each<[string, Record<string, string>, object[], string]>([
    ['no recipient at all', {}, [alert({})], 'query/to'],
    ['only commas', { to: ' , ' }, [alert({})], 'query/to'],
    [
      'no such label',
      { toLabel: 'phone' },
      [alert({ phone: phone() }), alert({})],
      'body/alerts/1/labels/phone',
    ],
    ['a label that objects inherit', { toLabel: 'constructor' }, [alert({})], 'labels/constructor'],
  ])('%s is 422, naming where it is missing', async (_, query, alerts, at) => {
    expect(await post(query, group(alerts))).toMatchObject(problem('invalid-request', at));
  });

  test.each<[string, Record<string, string>, string]>([
    ['query', { to: `${phone()},123` }, 'query/to'],
    ['label', { toLabel: 'phone' }, 'body/alerts/0/labels/phone'],
  ])('an invalid one in the %s is 422, and nobody gets a message', async (_, query, at) => {
    const own = await newTenant();
    const answer = await own.send(
      pathOf('sms', query),
      group([alert({ phone: '123' }), alert({ phone: phone() })]),
    );
    expect(answer).toMatchObject(problem('invalid-recipient', at));
    expect((await own.get('/v1/messages')).body.data).toEqual([]);
  });

  test('are at most 100', async () => {
    const numbers = Array.from({ length: 101 }, () => phone());
    const to = (count: number) => ({ to: numbers.slice(0, count).join(',') });
    expect(await post(to(101), group())).toMatchObject(problem('invalid-request', 'query/to'));
    expect((await post(to(100), group())).body).toHaveLength(100);
  });
});

describe('what is missing or wrong is 422, naming the field:', () => {
  const without = (field: string) => (body: Record<string, unknown>) => ({ ...body, [field]: undefined });
  const alertWith = (change: object) => (body: Record<string, unknown>) => ({
    ...body,
    alerts: [alert({}, change)],
  });

  test.each<[string, (body: Record<string, unknown>) => object, string]>([
    ['groupKey', without('groupKey'), 'body/groupKey'],
    ['status', without('status'), 'body/status'],
    ['alerts', without('alerts'), 'body/alerts'],
    ['no alerts', (body) => ({ ...body, alerts: [] }), 'body/alerts'],
    [
      '1,001 alerts',
      (body) => ({ ...body, alerts: Array.from({ length: 1_001 }, () => ({})) }),
      'body/alerts',
    ],
    ['fingerprint', alertWith({ fingerprint: undefined }), 'body/alerts/0/fingerprint'],
    ['labels', alertWith({ labels: undefined }), 'body/alerts/0/labels'],
    ['startsAt', alertWith({ startsAt: 'soon' }), 'body/alerts/0/startsAt'],
    ['a label that is a number', alertWith({ labels: { a: 1 } }), 'body/alerts/0/labels/a'],
  ])('%s', async (_, change, at) => {
    const answer = await post({ to: phone() }, change(group() as Record<string, unknown>));
    expect(answer).toMatchObject(problem('invalid-request', at));
  });

  test.each([
    ['repeat', 'often'],
    ['repeat', ''],
    ['repeat', '4'],
    ['repeat', '59s'],
    ['repeat', '7d1s'],
    ['channelAccountId', 'mine'],
    ['urgent', 'very'],
    ['too', '+491'],
  ])('%s=%s of the query', async (name, value) => {
    const answer = await post({ to: phone(), [name]: value }, group());
    expect(answer).toMatchObject(problem('invalid-request', `query/${name}`));
  });
});

test('an unknown channel is 404, and an unknown account 422', async () => {
  expect(await post({ to: phone() }, group(), 'fax')).toMatchObject(problem('unknown-channel'));
  const channelAccountId = unknownId('x').slice(2);
  expect(await post({ to: phone(), channelAccountId }, group())).toMatchObject(
    problem('channel-account-not-found'),
  );
});

describe('a template', () => {
  beforeAll(async () => {
    const { id: accountId } = await sandboxAccount(tenant, 'whatsapp');
    const list = async () => (await tenant.get(`/v1/channel-accounts/${accountId}/templates`)).body;
    await until(list, ({ syncedAt }) => syncedAt !== null);
  });

  test('is filled by labels and annotations, and its header by the title', async () => {
    const alerts = ['Ada', 'Bob'].map((first_name) => alert({ first_name }));
    const query = { to: phone(), template: 'appointment_reminder' };
    const message = await sent(query, group(alerts), 'whatsapp');
    expect(message).toMatchObject({
      type: 'template',
      body: {
        template: {
          name: 'appointment_reminder',
          language: 'en',
          parameters: { header: { text: 'DiskFull' }, body: { first_name: 'Ada, Bob', time: '-' } },
        },
      },
    });
    expect(message.body.text).toContain('Hi Ada, Bob, we expect you at -.');
    const ended = await messageWhen(tenant, message.id, ({ status }) => status === 'delivered');
    expect(ended.errorCode).toBeNull();
  });

  test('takes values of any length and form', async () => {
    const alerts = [alert({ first_name: `a\n\t${' '.repeat(9)}${'x'.repeat(5_000)}` })];
    const query = { to: phone(), template: 'appointment_reminder', language: 'en' };
    expect((await sent(query, group(alerts), 'whatsapp')).body.text).toMatch(/Hi a x+…, we expect/);
  });

  test('that is repeated is no second message', async () => {
    const one = group([alert({}, { startsAt: new Date().toISOString() })]);
    const query = { to: phone(), template: 'appointment_reminder' };
    const first = await sent(query, one, 'whatsapp');
    expect((await sent(query, one, 'whatsapp')).id).toBe(first.id);
  });

  test.each([
    ['of another name', { template: 'nobody_has_it' }, 'template-not-found'],
    ['of another language', { template: 'login_code', language: 'tlh' }, 'template-not-found'],
    ['with a button that alerts cannot fill', { template: 'login_code' }, 'template-parameters-invalid'],
  ] as const)('%s is 422', async (_, query, code) => {
    expect(await post({ to: phone(), ...query }, group(), 'whatsapp')).toMatchObject(problem(code));
  });
});

describe('the key', () => {
  const call = (given: Call) =>
    service.call('post', `/v1/notify/${pathOf('sms', { to: phone() })}`, { body: group(), ...given });
  const basic = (user: string, secret: string): Call => ({
    headers: { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` },
  });

  test.each<[string, () => Call]>([
    ['in X-Api-Key', () => ({ apiKey: tenant.apiKey })],
    ['as Bearer', () => ({ bearer: tenant.apiKey })],
    ['as bearer in small letters', () => ({ headers: { authorization: `bearer ${tenant.apiKey}` } })],
    ['as the Basic password', () => basic('alertmanager', tenant.apiKey)],
    ['as the Basic password without a user', () => basic('', tenant.apiKey)],
    ['in X-Api-Key beside a foreign Authorization', () => ({ apiKey: tenant.apiKey, ...basic('a', 'b') })],
  ])('%s', async (_, given) => {
    expect(await call(given())).toMatchObject({ status: 202 });
  });

  test.each<[string, () => Call]>([
    ['none', () => ({})],
    ['a wrong one as Bearer', () => ({ bearer: `${tenant.apiKey.slice(0, -1)}~` })],
    ['an access token', () => ({ bearer: tenant.accessToken })],
    ['the key as the Basic user', () => basic(tenant.apiKey, '')],
    ['a wrong Basic password', () => basic('x', 'svc_live_wrong')],
    ['Basic that is no base64', () => ({ headers: { authorization: 'Basic ~' } })],
    ['another scheme', () => ({ headers: { authorization: `Token ${tenant.apiKey}` } })],
    ['a wrong X-Api-Key beside a right Bearer', () => ({ apiKey: 'wrong', bearer: tenant.apiKey })],
  ])('%s is 401', async (_, given) => {
    expect(await call(given())).toMatchObject(problem('invalid-api-key'));
  });

  test('comes so on this path alone', async () => {
    for (const path of ['sms/text', 'sms/bulk', 'send'])
      for (const given of [{ bearer: tenant.apiKey }, basic('x', tenant.apiKey)])
        expect(await service.call('post', `/v1/notify/${path}`, { body: {}, ...given })).toMatchObject(
          problem('invalid-api-key'),
        );
  });

  test('needs the scope send', async () => {
    const reader = await newKey(service, tenant.accessToken, 10_000, { scopes: ['read'] });
    expect(await call({ bearer: reader })).toMatchObject(problem('forbidden'));
  });

  test('for another account sends nothing', async () => {
    const { id: whatsapp } = await sandboxAccount(tenant, 'whatsapp');
    const { id: channelAccountId } = await sandboxAccount(tenant, 'sms');
    const narrow = await newKey(service, tenant.accessToken, 10_000, { channelAccountIds: [whatsapp] });
    const path = `/v1/notify/${pathOf('sms', { to: phone(), channelAccountId, template: 'login_code' })}`;
    expect(await service.call('post', path, { bearer: narrow, body: group() })).toMatchObject(
      problem('channel-account-not-found'),
    );
    const [sms] = (
      await call({
        bearer: await newKey(service, tenant.accessToken, 10_000, { channelAccountIds: [channelAccountId] }),
      })
    ).body;
    expect(sms).toMatchObject({ channelAccountId });
  });
});
