import { smsSegments } from '@notify/core';
import { alertText } from './alert-text.ts';
import { describe as described, type News } from './describe.ts';

type Given = News['alerts'][number];

function alert(labels: Record<string, string>, more: Partial<Given> = {}): Given {
  const fingerprint = JSON.stringify(labels);
  return { status: 'firing', labels, startsAt: '2026-01-31T09:30:00Z', fingerprint, ...more };
}

function textOf(
  alerts: readonly Given[],
  { channel = 'whatsapp', ...more }: Partial<News> & { channel?: 'sms' | 'telegram' | 'whatsapp' } = {},
): string {
  return alertText(described({ alerts, groupLabels: {}, externalURL: '', truncated: 0, ...more }), channel);
}

const node = (name: string, summary: string, more: Partial<Given> = {}): Given =>
  alert({ alertname: 'DiskFull', severity: 'page', instance: name }, { annotations: { summary }, ...more });

const alertmanager = 'http://alertmanager.example.com';

test('one alert: what it is, its labels, its annotations and its links', () => {
  const one = node('node1', 'Disk is 91% full', {
    annotations: {
      summary: 'Disk is\n91% full',
      description: 'It fills by 2 GB an hour.\nIt is full at noon.',
      runbook_url: 'https://runbooks.example.com/disk',
    },
    generatorURL: 'http://prometheus.example.com/graph',
  });
  expect(textOf([one], { externalURL: alertmanager })).toBe(
    [
      'FIRING: DiskFull',
      'severity=page, instance=node1',
      'Disk is 91% full',
      'It fills by 2 GB an hour.',
      'It is full at noon.',
      'https://runbooks.example.com/disk',
      'http://prometheus.example.com/graph',
    ].join('\n'),
  );
});

test('several: what they share once, and a line for each with what differs, resolved ones last', () => {
  const alerts = [
    node('node3', 'Disk is 80% full', { status: 'resolved' }),
    node('node1', 'Disk is 91% full'),
    node('node2', ''),
  ];
  expect(textOf(alerts, { externalURL: alertmanager })).toBe(
    [
      'FIRING (2), RESOLVED (1): DiskFull',
      'severity=page',
      '- instance=node1: Disk is 91% full',
      '- instance=node2',
      '- resolved: instance=node3: Disk is 80% full',
      alertmanager,
    ].join('\n'),
  );
});

test('resolved alerts say so', () => {
  const gone = { status: 'resolved' } as const;
  expect(textOf([node('node1', 'Disk is 91% full', gone)])).toMatch(/^RESOLVED: DiskFull\n/);
  expect(textOf([node('node1', 'a', gone), node('node2', 'b', gone)])).toMatch(/^RESOLVED \(2\): DiskFull\n/);
});

test('alerts of several names are named by their group, or counted', () => {
  const alerts = [alert({ alertname: 'A' }), alert({ alertname: 'B' })];
  expect(textOf(alerts, { groupLabels: { cluster: 'eu' } })).toBe(
    'FIRING (2): cluster=eu\n- alertname=A\n- alertname=B',
  );
  expect(textOf(alerts)).toMatch(/^FIRING \(2\): 2 alerts\n/);
});

test('says neither the recipients nor labels of the sender itself, and no link that is none', () => {
  const one = alert(
    { alertname: 'A', phone: '+4917012345678', __rule__: 'x' },
    { generatorURL: '?orgId=1', annotations: { runbook_url: 'javascript:alert(1)' } },
  );
  expect(textOf([one], { toLabel: 'phone' })).toBe('FIRING: A');
});

test('labels with the names that objects inherit are labels like any other', () => {
  const labels = JSON.parse('{"alertname":"A","__proto__":"x","constructor":"y"}');
  expect(textOf([alert(labels), alert({ alertname: 'A' })])).toBe('FIRING (2): A\n- constructor=y\n- alert');
});

describe.each(['sms', 'telegram', 'whatsapp'] as const)('on %s', (channel) => {
  const fits = (text: string): boolean =>
    channel === 'sms' ? smsSegments(text).segments <= 4 : text.length <= 4_096;
  const dots = channel === 'sms' ? '...' : '…';
  const ending = new RegExp(`\\n${channel === 'sms' ? '\\.\\.\\.' : '…'} and (\\d+) more$`);

  test.each([
    ['plain', 'Disk is full'],
    ['Cyrillic', 'Диск полон'],
    ['emoji', '😀'.repeat(100)],
    ['long', 'x'.repeat(10_000)],
  ])('1,000 alerts with %s summaries end in how many more there are', (_, summary) => {
    const alerts = Array.from({ length: 1_000 }, (__, index) => node(`node${index}`, summary));
    const text = textOf(alerts, { channel, truncated: 7, externalURL: alertmanager });
    const listed = text.split('\n').filter((line) => line.startsWith('- ')).length;
    expect(Number(ending.exec(text)?.[1]) + listed).toBe(1_007);
    expect(listed).toBeGreaterThan(0);
    expect([fits(text), text.isWellFormed()]).toEqual([true, true]);
  });

  test('whatever is long, the text fits and says how many more', () => {
    const long = '😀'.repeat(1_000);
    const alerts = [1, 2, 3].map((one) =>
      alert({ alertname: long, severity: long, instance: `${one}${long}` }),
    );
    const text = textOf(alerts, { channel, externalURL: `http://${'x'.repeat(1_000)}/` });
    expect([fits(text), text.isWellFormed()]).toEqual([true, true]);
    expect(text).toMatch(channel === 'sms' ? ending : /^- instance=3/m);
  });

  test('alerts that the sender left out count, however short the text is', () => {
    expect(textOf([node('node1', 'full')], { channel, truncated: 2 })).toMatch(
      new RegExp(`full\\n${dots === '…' ? '…' : '\\.\\.\\.'} and 2 more$`),
    );
  });

  test('the words of a single alert are cut before its links', () => {
    const one = node('node1', '', {
      annotations: { summary: 'Full', description: 'word '.repeat(5_000) },
      generatorURL: alertmanager,
    });
    const text = textOf([one], { channel });
    expect([fits(text), text.endsWith(`${dots}\n${alertmanager}`)]).toEqual([true, true]);
    const room = channel === 'sms' ? 450 : 4_000;
    expect(text.length).toBeGreaterThan(room);
  });
});

test('a text by sms stays in the small alphabet if its alerts do', () => {
  const alerts = Array.from({ length: 100 }, (_, index) => node(`node${index}`, 'x'.repeat(500)));
  expect(smsSegments(textOf(alerts, { channel: 'sms' })).encoding).toBe('GSM-7');
});
