import { checkTemplate, renderTemplate, type Template } from '@notify/core';
import { alertParameters } from './alert-template.ts';
import { describe as described, type News } from './describe.ts';

const plain: Template = {
  name: 'alert',
  language: 'en',
  label: null,
  category: 'utility',
  status: 'approved',
  reason: null,
  named: true,
  header: null,
  body: { text: '', variables: [] },
  footer: null,
  buttons: [],
};

/** A template with these variables in its body. */
function withBody(text: string, more: Partial<Template> = {}): Template {
  const names = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!));
  const variables = [...names].map((name) => ({ name, example: null }));
  return { ...plain, body: { text, variables }, named: !names.has('1'), ...more };
}

const alerts: News['alerts'] = ['node1', 'node2'].map((instance) => ({
  status: 'firing',
  labels: { alertname: 'DiskFull', severity: 'page', instance },
  annotations: { summary: `${instance} is\nfull`, runbook_url: 'https://runbooks.example.com/disk' },
  startsAt: '2026-01-31T09:30:00Z',
  fingerprint: instance,
}));

function filled(template: Template, given: readonly News['alerts'][number][] = alerts): string {
  const news = { alerts: given, groupLabels: {}, externalURL: '', truncated: 3 };
  const parameters = alertParameters(template, described(news), 'whatsapp');
  expect(checkTemplate(template, parameters)).toEqual([]);
  return renderTemplate(template, parameters);
}

test('fills variables by their names: its own, labels and annotations; a missing one is a dash', () => {
  const text =
    '{{status}} {{title}} {{count}} ({{labels}}): {{summary}}. {{instance}} {{severity}} {{runbook_url}} {{link}} {{nobody}} {{constructor}}';
  expect(filled(withBody(text))).toBe(
    'FIRING (2) DiskFull 5 (severity=page): node1 is full; node2 is full. node1, node2 page https://runbooks.example.com/disk https://runbooks.example.com/disk - -',
  );
});

test('fills variables without names in the order of the guide', () => {
  expect(filled(withBody('{{1}}|{{2}}|{{3}}|{{4}}|{{5}}|{{6}}|{{7}}'))).toBe(
    'FIRING (2)|DiskFull|node1 is full; node2 is full|5|severity=page|https://runbooks.example.com/disk|-',
  );
});

test('fills a header with the title, and a template without variables with nothing', () => {
  const header = { kind: 'text', text: 'Alert: {{1}}', variables: [{ name: '1', example: null }] } as const;
  expect(filled({ ...withBody('{{1}}'), header })).toBe('Alert: DiskFull\nFIRING (2)');
  expect(filled(withBody('An alert.'))).toBe('An alert.');
});

test.each([1, 3, 20])('cuts long values, so that a text with %d of them can be sent', (places) => {
  const long = alerts.map((alert) => ({
    ...alert,
    labels: { alertname: '😀'.repeat(5_000) },
    annotations: { summary: `${alert.fingerprint} ${'word '.repeat(2_000)}` },
  }));
  const header = { kind: 'text', text: 'Alert: {{1}}', variables: [{ name: '1', example: null }] } as const;
  const text = filled({ ...withBody(`x ${'{{summary}} '.repeat(places)}`), header }, long);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain('…');
});
