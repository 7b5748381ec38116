import { noStream } from '../../test/conformance/conformance.ts';
import type { Template } from '@notify/core';
import type { HttpRequest, HttpResult } from '@notify/egress';
import { listPages, type TemplatePage } from './list-pages.ts';

/* The bounds that a provider cannot show in a test of seconds. The conformance suite has the others. */

const { signal } = new AbortController();

function named(name: string, status: Template['status'] = 'approved'): Template {
  const body = { text: '', variables: [] };
  const rest = { label: null, category: null, reason: null, named: false, header: null, body, footer: null };
  return { ...rest, name, language: 'en', status, buttons: [] };
}

/** Lists pages of a provider that takes `tookMs` for each, and says what was asked. */
async function list(pageAt: (index: number) => TemplatePage, { tookMs = 0, bytes = 2 } = {}) {
  const asked: HttpRequest[] = [];
  let clock = 1_000;
  const http = {
    async request(request: HttpRequest): Promise<HttpResult> {
      asked.push(request);
      clock += tookMs;
      const body = Buffer.from(`"${'x'.repeat(bytes - 2)}"`);
      return { ok: true, status: 200, headers: {}, body, truncated: false, durationMs: tookMs };
    },
    stream: noStream,
    close: async () => undefined,
  };
  const pages = {
    request: (next: string | null) => ({ method: 'GET', url: `https://a.example/${next ?? ''}` }) as const,
    read: () => pageAt(asked.length),
    failureOf: () => ({ kind: 'failed', refused: true, detail: 'failed' }) as const,
  };
  return { result: await listPages(pages, { http, signal }, () => clock), asked };
}

const endless = (index: number) => ({ templates: [named(String(index))], next: String(index) });
const failed = (detail: string) => ({ kind: 'failed', refused: false, detail });

test('a slow provider has a minute for all pages, and each call ends with it', async () => {
  const { result, asked } = await list(endless, { tookMs: 14_000 });
  expect(asked.map(({ deadlineMs }) => deadlineMs)).toEqual([15_000, 15_000, 15_000, 15_000, 4_000]);
  expect(result).toEqual(failed('Reading the templates took more than 60 seconds.'));
});

test('a list has at most 150 pages', async () => {
  const { result, asked } = await list(endless);
  expect(asked).toHaveLength(150);
  expect(result).toEqual(failed('The list of templates has no end.'));
  const whole = await list((index) => ({ ...endless(index), next: index < 150 ? String(index) : null }));
  expect(whole.result).toMatchObject({ kind: 'listed' });
});

test('a list has at most 64 MB', async () => {
  const { result, asked } = await list(endless, { bytes: 4_000_000 });
  expect(asked).toHaveLength(17);
  expect(result).toEqual(failed('The list of templates is too long.'));
});

test('a page that names itself, or names the next at great length, ends the list', async () => {
  for (const next of ['same', 'x'.repeat(2_001)]) {
    const { result, asked } = await list(() => ({ templates: [], next }));
    expect(asked.length).toBeLessThan(3);
    expect(result).toEqual(failed('The list of templates has no end.'));
  }
});

test('a template that is listed again, because the pages moved, counts once, as it was last', async () => {
  const pages = [
    { templates: [named('a'), named('b')], next: '2' },
    { templates: [named('b', 'paused'), named('c')], next: null },
  ];
  const { result } = await list((index) => pages[index - 1]!);
  expect(result).toEqual({ kind: 'listed', templates: [named('a'), named('b', 'paused'), named('c')] });
});
