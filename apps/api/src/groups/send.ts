import type { Adapter } from '@notify/channels';
import type { AcceptedGroup, ProblemCode, SendGroup } from '@notify/contract';
import { formatId, noLabels } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { NewGroup } from '@notify/db/groups';
import type { Settings } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Callers } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import type { GroupResult } from '../sending/accept-group.ts';
import { acceptGroup, type Acceptor } from '../sending/accept.ts';
import { shownLabels } from '../sending/labels.ts';
import type { LookUps } from '../sending/look-up.ts';
import {
  interactiveProblems,
  mediaProblems,
  refusalOf,
  singleSendProblems,
  templateProblems,
} from '../sending/send.ts';
import { shownBody } from '../sending/shown-body.ts';
import { takeMessages } from '../sending/take-messages.ts';
import type { KnownTemplates } from '../templates/known-templates.ts';
import { type GroupRequest, type GroupSender, toGroup } from './group-request.ts';

/** What `sendGroupOf` needs. */
export interface GroupNeeds {
  readonly db: Db;
  readonly settings: Settings;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly messageRates: KeyRates;
  readonly lookUps: LookUps;
  readonly templates: KnownTemplates;
  readonly acceptor: Acceptor;
}

/** Fields that both routes share. */
export const sendDescription =
  'Sends by the first route. The next one begins when the message of the present one fails, or when its time is over and it is not delivered. A message that was given up is never sent later, but one that had been handed to its provider may still arrive. All routes are checked before the response, and the group is stored durably. Accepting a group counts as one message.';

/** Problems that a send of a group may answer. */
export const groupProblems: readonly ProblemCode[] = [
  ...singleSendProblems.filter((code) => code !== 'unknown-channel'),
  ...mediaProblems,
  ...templateProblems,
  ...interactiveProblems,
  'rate-limited',
];

/** Sends a group of the caller and answers it. Throws the Problem of a refusal. */
export async function sendGroupOf(
  caller: Pick<Callers['api-key' | 'bearer'], 'tenantId' | 'plan'>,
  sender: GroupSender,
  body: SendGroup,
  { origin }: Pick<RequestInfo, 'origin'>,
  deps: GroupNeeds,
): Promise<AcceptedGroup> {
  const request = await toGroup(sender, body, deps);
  await takeMessages(caller, 1, deps);
  const result = await acceptGroup(deps.acceptor, request.group, origin);
  return toAccepted(request, result, deps);
}

function toAccepted(
  request: GroupRequest,
  result: GroupResult,
  { settings }: { settings: Settings },
): AcceptedGroup {
  if (result.kind === 'refused') throw toProblem(request, result, settings);
  const { group } = request;
  const { channel, to, type, body } = group.routes[0]!;
  const { id, createdAt, channelAccountId } = result.message;
  const { labels } = result.repeated ? result.message : group;
  const messageId = formatId('msg', id);
  const message = {
    id: messageId,
    messageId,
    tenantId: formatId('ten', group.tenantId),
    provider: channel,
    channelAccountId,
    to,
    type,
    status: 'queued' as const,
    body: shownBody(body),
    createdAt: createdAt.toISOString(),
    scheduledAt: group.sendAt?.toISOString() ?? null,
    ...shownLabels(labels ?? noLabels),
  };
  return { id: formatId('grp', result.groupId), status: 'pending', messages: [message] };
}

/** Why the commit refused the group. What is about a route names it. */
function toProblem(
  { group, problems }: GroupRequest,
  { code, route }: Extract<GroupResult, { kind: 'refused' }>,
  settings: Settings,
): Problem {
  const known = route === null ? undefined : problems[route];
  const item: Pick<NewGroup, 'keyId' | 'sendAt'> & { readonly problem?: Problem } =
    known === undefined ? group : { ...group, problem: known };
  const problem = refusalOf(item, code, settings);
  const { options } = problem;
  if (route === null || (options.errors ?? []).length > 0) return problem;
  const errors = [
    { at: `body/routes/${route}/${faultyField(group, route, code)}`, message: problem.message },
  ];
  return new Problem(problem.code, { ...options, errors });
}

function faultyField({ routes }: NewGroup, route: number, code: string): string {
  if (code.startsWith('template-')) return 'template';
  if (code === 'interactive-not-supported') return 'interactive';
  if (code === 'file-not-found') return 'media/fileId';
  return routes[route]!.accountId === null ? 'channel' : 'channelAccountId';
}
