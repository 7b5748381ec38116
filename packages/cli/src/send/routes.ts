import type { Notify } from '@notify/sdk';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { UsageFailure } from '../failures.ts';
import { given } from '../given.ts';
import { type Group, showGroup } from '../groups/group-text.ts';
import { channels } from '../messages/channels.ts';
import { localTime } from '../output/shown.ts';
import type { AwaitedStatus } from './wait.ts';
import { lateText, pollUntil } from './wait.ts';

type SendGroup = Parameters<Notify['tenantGroups']['send']>[0];
type Route = SendGroup['routes'][number];

/** The routes that were typed: `channel:recipient`, which have the content of the other options, or JSON as the API takes it. */
export function routesOf(typed: readonly string[], content: () => Record<string, unknown>): Route[] {
  return typed.map((one) => (one.startsWith('{') ? routeOfJson(one) : routeOf(one, content())));
}

function routeOfJson(typed: string): Route {
  try {
    return JSON.parse(typed) as Route;
  } catch {
    throw new UsageFailure('--route must be channel:recipient, or a JSON object');
  }
}

function routeOf(typed: string, content: Record<string, unknown>): Route {
  const [name, ...rest] = typed.split(':');
  const channel = channels.find((one) => one === name);
  const to = rest.join(':');
  if (channel === undefined || to === '')
    throw new UsageFailure(
      `--route must begin with one of ${channels.join(', ')}, and :recipient must follow`,
    );
  return { channel, to, ...given(contentOfRoute(content)) };
}

function contentOfRoute({ telegram, ...content }: Record<string, unknown>): Record<string, unknown> {
  return 'type' in content ? { media: given(content), telegram } : { ...content, telegram };
}

/** How long `--wait` waits for a group, and for what. */
export interface GroupWait {
  readonly until: AwaitedStatus;
  readonly timeoutMs: number;
}

/** Sends a group, and waits for it if asked to. */
export async function sendGroup(
  context: Context,
  body: SendGroup,
  wait: GroupWait | null,
): Promise<ExitCode> {
  const { output, signal } = context;
  const notify = await context.client();
  const sent = await notify.tenantGroups.send(body, { signal });
  if (wait === null) {
    const at = sent.messages[0]?.scheduledAt ?? null;
    output.document(sent, (style) => [
      `${style.green('Queued')} ${sent.id}${at === null ? '' : ` for ${localTime(at)}`}`,
    ]);
    return exitCodes.done;
  }
  output.note(output.noteStyle.dim(`Queued ${sent.id}; waiting until it is ${wait.until} …`));
  const group = await pollUntil(
    () => notify.tenantGroups.get(sent.id, { signal }),
    (one) => one.status === 'failed' || reached(one, wait.until),
    { ...wait, signal },
  );
  showGroup(output, group);
  if (reached(group, wait.until)) return exitCodes.done;
  if (group.status !== 'failed') output.note(lateText(wait, group.status));
  return exitCodes.failed;
}

function reached({ status }: Pick<Group, 'status'>, until: AwaitedStatus): boolean {
  return status === 'delivered' || (until === 'sent' && status === 'sent');
}
