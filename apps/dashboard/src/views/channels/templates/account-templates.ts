import type { Template } from '@notify/core';
import type { Provider, TemplateSync } from '@notify/sdk';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { calmMs, unchangedAnswers } from '../../../api/calmly.ts';
import type { AnswerOf, Call } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import { keyOf } from '../../../api/query-key.ts';
import { useSession } from '../../../session/session-context.ts';

/** All stored templates of an account, and when they were read from its provider. */
export interface AccountTemplates {
  readonly templates: readonly Template[];
  readonly sync: TemplateSync;
}

/** Whether accounts of this provider have templates. */
export function hasTemplates(provider: Provider | undefined): boolean {
  return provider?.capabilities.templates === true;
}

const operation = 'get /v1/channel-accounts/{id}/templates';
/** The largest page. */
const limit = 500;
/** How often the list is read again, in ms: while the provider is being asked, and else. */
const syncingMs = 1_000;
const restingMs = 30_000;

/** The stored templates of an account, all pages of them, so that a search finds every one. */
export function useTemplates(
  id: string,
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<AccountTemplates, Failure> {
  const { call } = useSession();
  return useQuery<AccountTemplates, Failure>({
    queryKey: keyOf(operation, { path: { id } }),
    queryFn: ({ signal }) => readAll(call, id, signal),
    refetchInterval: (query) =>
      calmMs(query.state.data?.sync.syncPending === true ? syncingMs : restingMs, unchangedAnswers(query)),
    enabled,
  });
}

async function readAll(call: Call, id: string, signal: AbortSignal): Promise<AccountTemplates> {
  const templates: Template[] = [];
  let page: AnswerOf<typeof operation> | null = null;
  do {
    const query: object = page === null ? { limit } : { limit, cursor: page.nextCursor };
    page = await call(operation, { path: { id }, query }, signal);
    // The schema lists the fields of every kind of header and button together.
    templates.push(...(page.data as Template[]));
  } while (page.nextCursor !== null);
  const { data: _, nextCursor: __, ...sync } = page;
  return { templates, sync };
}
