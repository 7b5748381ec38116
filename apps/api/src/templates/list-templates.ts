import { ChannelTemplates, TemplatesQuery } from '@notify/contract';
import { exampleParameters, isStorable, type Template, wantedParameters } from '@notify/core';
import { findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { listTemplates as readTemplates, readSyncState, type TemplateCursor } from '@notify/db/templates';
import { AccountParams, readAccountId } from '../channel-accounts/account.ts';
import { found } from '../problems/found.ts';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoBody } from '../http/route.ts';
import { toSync } from './sync-state.ts';

const defaultLimit = 100;

export const listTemplates = defineRoute({
  operationId: 'templates.list',
  method: 'get',
  path: '/v1/channel-accounts/:id/templates',
  tag: 'Channel accounts',
  summary: 'List the templates of an account',
  description:
    'As they were last read from the provider, by name and language. An account whose provider has no templates has an empty list.',
  credential: 'bearer',
  scope: 'templates:read',
  params: AccountParams,
  query: TemplatesQuery,
  body: NoBody,
  status: 200,
  response: ChannelTemplates,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, query, caller }, { dashboardDb: db }: { dashboardDb: Db }) {
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    const { limit = defaultLimit } = query;
    const { id } = found(await findAccount(db, caller.tenantId, readAccountId(params.id)));
    const [templates, state] = await Promise.all([
      readTemplates(db, id, { after, limit: limit + 1 }),
      readSyncState(db, id),
    ]);
    const page = templates.slice(0, limit);
    const last = templates.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toShown),
      nextCursor: last === undefined ? null : toCursor(last),
      ...toSync(state),
    };
  },
});

function toShown(template: Template): ChannelTemplates['data'][number] {
  const { name, language } = template;
  const parameters = exampleParameters(template);
  const isFixed = Object.keys(parameters).length === 0;
  return {
    ...shown(template),
    wants: wantedParameters(template),
    example: { name, language, ...(isFixed ? {} : { parameters }) },
  };
}

/** The template as it is shown. Fields that a later version stores beside these are left out. */
function shown(template: Template): Omit<ChannelTemplates['data'][number], 'wants' | 'example'> {
  const { name, language, label, category, status, reason, named, header, body, footer, buttons } = template;
  const { text, variables } = body;
  return {
    name,
    language,
    label,
    category,
    status,
    reason,
    named,
    header: header?.kind === 'text' ? { ...header, variables: [...header.variables] } : header,
    body: { text, variables: [...variables] },
    footer,
    buttons: [...buttons],
  };
}

function toCursor({ name, language }: TemplateCursor): string {
  return Buffer.from(JSON.stringify([name, language])).toString('base64url');
}

function readCursor(text: string): TemplateCursor {
  const [name, language] = parse(text);
  if (typeof name !== 'string' || typeof language !== 'string' || !isStorable(name + language))
    throw invalidRequest({ at: 'query/cursor', message: 'must be the nextCursor of a previous page' });
  return { name, language };
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
