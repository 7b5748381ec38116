import { loadContacts } from '../environment/contacts.ts';
import { startService } from '../environment/service.ts';
import { registerTenant } from '../environment/session.ts';
import { makeLoadTenant } from '../environment/tenants.ts';
import { plain } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark } from './benchmark.ts';

const mostContacts = 1_000_000;
const asked = 500;
const asking = 4;

/** Times three reads for a tenant with many contacts: the newest conversations, older pages, and a long thread. */
export const conversations: Benchmark = {
  name: 'conversations',
  async run(environment, { rows }, say) {
    const count = Math.min(rows, mostContacts);
    await using service = await startService(environment, { workers: [] });
    const { token, tenantId } = await registerTenant(service.apiUrl);
    const options = { gatewayUrl: 'http://127.0.0.1:9/send' };
    const { accountId } = await makeLoadTenant(service.db, environment.secrets, options);
    await service.db
      .updateTable('channel_accounts')
      .set({ tenant_id: tenantId, is_default: false })
      .where('id', '=', accountId)
      .execute();
    const thread = await loadContacts(service.db, { tenantId, accountId }, count);
    const list = `${service.apiUrl}/v1/conversations`;
    const pages = await pagesOf(list, token);
    const questions: Readonly<Record<string, readonly string[]>> = {
      'the newest conversations': [list],
      'a later page of conversations': pages,
      'a page of a long thread': await pagesOf(`${list}/cnv_${thread}/messages`, token),
    };
    const figures = [];
    for (const [what, urls] of Object.entries(questions)) {
      const took = await askAll(urls, token);
      say(`${what}: p50 ${quantile(took, 0.5).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms`);
      const figure = `${what}, ${count} contacts, p99`;
      figures.push(plain('conversations', figure, [quantile(took, 0.99)], 'ms', { atMost: 50 }));
    }
    return figures;
  },
};

/** The addresses of the first pages of a list. */
async function pagesOf(url: string, token: string): Promise<string[]> {
  const pages = [url];
  for (let next: string | null = ''; next !== null && pages.length < 20;) {
    const answer: { nextCursor: string | null } = await read(pages.at(-1)!, token);
    next = answer.nextCursor;
    if (next !== null) pages.push(`${url}?cursor=${encodeURIComponent(next)}`);
  }
  return pages;
}

/** Asks each address in turn, with a few askers at once. Resolves with the time of every answer, in ms. */
async function askAll(urls: readonly string[], token: string): Promise<number[]> {
  const took: number[] = [];
  let begun = 0;
  async function askOn(): Promise<void> {
    while (begun < asked) {
      const url = urls[begun % urls.length]!;
      begun += 1;
      const began = performance.now();
      await read(url, token);
      took.push(performance.now() - began);
    }
  }
  await Promise.all(Array.from({ length: asking }, askOn));
  return took;
}

async function read<T extends { nextCursor: string | null }>(url: string, token: string): Promise<T> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const answer = (await response.json()) as T & { data?: unknown[] };
  if (!response.ok || (answer.data ?? []).length === 0) throw new Error(`${url}: ${response.status}`);
  return answer;
}
