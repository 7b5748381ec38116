import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { processNames } from '@notify/core';
import type { BacklogFigures, KnownProcess, ProcessFigures, SampleFigures } from '@notify/db/operations';
import type { TopFigures } from './figures.ts';
import { frameOf, type Surface } from './frame.ts';
import { painted, unpainted, widthOf } from './layout.ts';

const now = new Date('2026-01-31T15:04:05.000Z');
const ids = {
  tenant: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
  account: '01912d68-783e-7a52-9d3a-6c4f2b1e8a91',
  webhook: '01912d68-783e-7a52-9d3a-6c4f2b1e8a92',
};
const processFigures: ProcessFigures = {
  turns: [
    { kind: 'dispatch', lane: 'fast', running: 3, slots: 64 },
    { kind: 'dispatch', lane: 'slow', running: 1, slots: 16 },
  ],
  permits: [
    { kind: 'dispatch', lane: 'fast', of: 'calls', limit: 512, inUse: 40, waiting: 2 },
    { kind: 'dispatch', lane: 'fast', of: 'media', limit: 32, inUse: 6, waiting: 0 },
  ],
  perSecond: { requests: 2, accepted: 12.34, calls: 12, sent: 12, delivered: 11, failed: 0.25, posts: 3_600 },
  requestsOpen: 1,
  streamsOpen: 2,
  eventLoopLagMs: 12.4,
  memoryBytes: 123_456_789,
  devicePartitions: 0,
  pools: [{ pool: 'main', limit: 10, used: 3, idle: 4, waiting: 1 }],
};

function processOf(changes: Partial<KnownProcess> = {}): KnownProcess {
  return {
    id: ids.tenant,
    name: 'dispatch-worker',
    version: '0.1.0',
    host: 'mars',
    pid: 42,
    health: null,
    startedAt: new Date(now.getTime() - 7_300_000),
    seenAt: new Date(now.getTime() - 2_000),
    isAlive: true,
    figures: processFigures,
    ...changes,
  };
}

function backlog(id: string): BacklogFigures {
  const waiting = { count: 1_234_567, isEstimate: true };
  return {
    waiting,
    lanes: [
      { lane: 'fast', due: { count: 120, isEstimate: false }, oldestMs: 1_200 },
      { lane: 'slow', due: { count: 0, isEstimate: false }, oldestMs: 0 },
    ],
    busiest: {
      subjects: [{ id, tenantId: ids.tenant, waiting }],
      tenants: [{ id: ids.tenant, tenantId: ids.tenant, waiting }],
    },
    slowest: {
      subjects: [{ id, tenantId: ids.tenant, oldestMs: 40_000 }],
      tenants: [{ id: ids.tenant, tenantId: ids.tenant, oldestMs: 40_000 }],
    },
  };
}

function figuresWith(changes: Partial<TopFigures> = {}): TopFigures {
  const groups = {
    waiting: { count: 7, isEstimate: false },
    lanes: [{ lane: 'fast', due: { count: 2, isEstimate: false }, oldestMs: 90_000 }],
  };
  const figures = {
    messages: backlog(ids.account),
    deliveries: backlog(ids.webhook),
    groups,
    messagesScheduled: { count: 6, isEstimate: false },
  } as unknown as SampleFigures;
  return {
    now,
    heldSince: null,
    byId: new Map([
      [ids.tenant, 'Acme'],
      [ids.account, 'Main (twilio)'],
      [ids.webhook, 'https://example.com/hook'],
    ]),
    processes: [processOf()],
    sample: { takenBy: ids.tenant, ageMs: 2_000, figures },
    ...changes,
  };
}

const file: Surface = { columns: 140, rows: null, paint: unpainted };

test('a frame shows rates, what waits in each lane, the busiest tenants, accounts and webhooks, and the processes', () => {
  const text = frameOf(figuresWith(), file).join('\n');
  expect(text).toMatch(/^notify top {3}2026-01-31 15:04:05Z {3}sampled 2 s ago/);
  expect(text).toMatch(
    /accepted 12 {2}sent 12 {2}delivered 11 {2}failed 0\.3 {2}posts 3,600 {2}requests 2\.0/,
  );
  expect(text).toMatch(/postgres: 3 of 10 in use, 4 idle, 1 caller waiting *\nhttp: 1 request, 2 streams/);
  expect(text).toMatch(/^messages +~1\.2M +120 +1\.2 s +0 +- +- +-/m);
  expect(text).toMatch(/^groups +7 +2 +90 s +- +- +- +-/m);
  expect(text).toMatch(/^Acme +ten_01912d68\S+8a90 +~1\.2M {2}Acme +ten_01912d68\S+8a90 +40 s$/m);
  expect(text).toMatch(/^Main \(twilio\) +01912d68\S+8a91 +~1\.2M/m);
  expect(text).toMatch(/^example\.com\/hook +wh_\S+8a92 +~1\.2M/m);
  expect(text).toMatch(/^scheduled +6 +- +- +- +- +- +-/m);
  expect(text).not.toContain('q quits');
  expect(text).toMatch(
    /^dispatch-worker +mars +42 0\.1\.0 +2 h +2\.0 s +slow 1\/16 +media 6\/32 +12 ms +123 MB/m,
  );
});

test('webhooks of one host are told apart by the end of their URLs, or by their descriptions', () => {
  const urls = [
    'http://127.0.0.1:4000/hooks/of/the/shop/orders',
    'http://127.0.0.1:4000/hooks/of/the/shop/payments',
  ];
  for (const columns of [80, 140]) {
    const shown = [...urls, 'Orders of the shop'].map((name) => {
      const byId = new Map([[ids.webhook, name]]);
      const text = frameOf(figuresWith({ byId }), { columns, rows: null, paint: unpainted }).join('\n');
      return /BUSIEST WEBHOOKS.*\n(.*)/.exec(text)?.[1] ?? '';
    });
    expect(shown[0]).toMatch(/orders +\S*6c4f2b1e8a92 /);
    expect(shown[1]).toMatch(/payments +\S*6c4f2b1e8a92 /);
    expect(shown[2]).toMatch(/^Orders of th/);
  }
});

test('a terminal says how to leave', () => {
  const lines = frameOf(figuresWith(), { columns: 80, rows: 24, paint: unpainted });
  expect(lines).toContainEqual(expect.stringMatching(/^http: 1 request, 2 streams {3}q quits *$/));
});

test.each([
  [80, 24],
  [80, 12],
  [40, 10],
  [200, 60],
])('a frame for %i columns and %i rows fits', (columns, rows) => {
  const many = Array.from({ length: 9 }, (_, index) =>
    processOf({ pid: index, host: 'a-very-long-host-name' }),
  );
  const byId = new Map([[ids.tenant, '株式会社アクメ '.repeat(9)]]);
  for (const figures of [figuresWith(), figuresWith({ processes: many, byId })]) {
    const lines = frameOf(figures, { columns, rows, paint: unpainted });
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
  }
});

test('a window of 80 by 24 shows every part with a process of each kind', () => {
  const names = processNames;
  const processes = names.map((name) => processOf({ name }));
  const text = frameOf(figuresWith({ processes }), { columns: 80, rows: 24, paint: unpainted }).join('\n');
  for (const part of ['per second', 'WAITING WORK', 'BUSIEST TENANTS', 'SLOWEST WEBHOOKS', ...names])
    expect(text).toContain(part);
  expect(text).not.toContain('more lines');
  expect(text).toMatch(/^Acme +…6c4f2b1e8a90 +~1\.2M {2}Acme/m);
});

test.each([80, 110, 140])('%i columns show a full lane of 4,000 turns and permits uncut', (columns) => {
  const turns = [
    { kind: 'dispatch', lane: 'slow', running: 0, slots: 4_000 },
    { kind: 'dispatch', lane: 'fast', running: 4_000, slots: 4_000 },
  ];
  const permits = (['calls', 'media'] as const).map((of) => {
    return {
      kind: 'dispatch',
      lane: 'fast',
      of,
      limit: 4_000,
      inUse: of === 'media' ? 4_000 : 0,
      waiting: 9,
    };
  });
  const figures = figuresWith({ processes: [processOf({ figures: { ...processFigures, turns, permits } })] });
  const text = frameOf(figures, { columns, rows: null, paint: unpainted }).join('\n');
  expect(text).toMatch(/^PROCESS .* PID .* TURNS +PERMITS +LAG/m);
  expect(text).toMatch(/ fast 4000\/4000 +media 4000\/4000 +12 ms/);
});

test('old figures say how old they are, and that nobody takes new ones', () => {
  const ended = processOf({ isAlive: false, seenAt: new Date(now.getTime() - 40_000) });
  const figures = figuresWith({ processes: [ended], sample: { ...figuresWith().sample!, ageMs: 40_000 } });
  const lines = frameOf(figures, file);
  expect(lines[0]).toContain('sampled 40 s ago; no dispatch worker is alive');
  expect(lines[1]).toContain('accepted 0');
  expect(lines.join('\n')).toMatch(/^dispatch-worker +mars +42 0\.1\.0 +- +40 s +ended/m);
});

test('before the first sample and the first process it says so', () => {
  const text = frameOf(figuresWith({ processes: [], sample: null }), file).join('\n');
  expect(text).toContain('nothing has been sampled yet; no dispatch worker is alive');
  expect(text).toContain('none has been seen within the last hour');
  expect(text).toMatch(/^messages +\?/m);
});

test('names cannot drive the terminal', () => {
  const byId = new Map([[ids.tenant, 'Ac\u001b[2Jme\n\u202egnp']]);
  const text = frameOf(figuresWith({ byId, processes: [processOf({ host: 'ma\u0007rs' })] }), file).join('');
  expect(text).toContain('Ac [2Jme gnp');
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('colours change nothing but colours', () => {
  const surface = { columns: 80, rows: 24 };
  const plainLines = frameOf(figuresWith(), { ...surface, paint: unpainted });
  const colours = frameOf(figuresWith(), { ...surface, paint: painted }).join('\n');
  expect(colours).toContain('\u001b[1m');
  // oxlint-disable-next-line no-control-regex
  expect(colours.replaceAll(/\u001b\[[\d;]*m/g, '')).toBe(plainLines.join('\n'));
});

test('the recorded frame of docs/inspect.md has the words of today', async () => {
  const target = path.resolve(import.meta.dirname, '../../../../docs/inspect.md');
  const [, recorded = ''] = /<!-- recorded: top -->([^]*?)```\n\n/.exec(await readFile(target, 'utf8')) ?? [];
  const wordsOf = (line: string): string =>
    line
      .replaceAll(/~?\d[\d,.]*[kM]?/g, '#')
      .replaceAll(/(caller|request|stream)s?/g, '$1s')
      .replaceAll(/\s+/g, ' ');
  const frame = frameOf(figuresWith(), file);
  const fixed = [...frame.slice(1, 4), ...frame.filter((line) => /^(WAITING|BUSIEST|PROCESS) /.test(line))];
  expect(fixed).toHaveLength(8);
  const lines = recorded.split('\n').map((line) => wordsOf(line.trim()));
  for (const line of fixed) expect(lines).toContain(wordsOf(line.trim()));
});
