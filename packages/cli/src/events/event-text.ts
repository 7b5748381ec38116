import type { Output } from '../output/output.ts';
import { plain } from '../output/plain.ts';
import { localTime } from '../output/shown.ts';
import type { Style } from '../output/style.ts';

/** What an event says, as far as it has a line. Each event has other fields; all have a name and a time. */
export interface ShownEvent {
  readonly event: string;
  readonly occurredAt?: string | null;
  readonly messageId?: string | null;
  readonly groupId?: string | null;
  readonly provider?: string | null;
  readonly direction?: string | null;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly error?: string | null;
  readonly errorCode?: string | null;
}

/** One line for an event. */
export function eventLine(event: ShownEvent, style: Style): string {
  const party = event.direction === 'inbound' ? `from ${event.from ?? ''}` : event.to;
  const words = [
    event.provider,
    party,
    event.groupId,
    event.messageId,
    event.errorCode ?? null,
    event.error ?? null,
  ];
  const told = words.filter((word): word is string => typeof word === 'string' && word !== '');
  const name = event.event.padEnd('message.delivered'.length);
  return [
    style.dim(localTime(event.occurredAt) ?? ''),
    painted(name, event.event, style),
    ...told.map((word) => plain(word)),
  ].join('  ');
}

/** Shows one event of a list or a stream. With `--json`: the body that a webhook gets. */
export function showEvent({ item }: Output, event: ShownEvent): void {
  item(event, (style) => [eventLine(event, style)]);
}

function painted(text: string, event: string, style: Style): string {
  if (event.endsWith('.failed') || event === 'contact.opted-out') return style.red(text);
  if (event.endsWith('.delivered') || event === 'message.read') return style.green(text);
  return event === 'message.received' ? style.bold(text) : style.cyan(text);
}
