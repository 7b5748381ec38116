import type { Style } from '../output/style.ts';
import { paintStatus } from '../output/shown.ts';
import type { Column } from '../output/table.ts';

/** What a table shows of a message. */
interface ShownMessage {
  readonly messageId: string;
  readonly createdAt: string;
  readonly provider: string;
  readonly to: string;
  readonly type: string;
  readonly status: string;
  readonly errorCode?: string | null;
  readonly body: unknown;
}

/** The columns of a table of messages. */
export function messageColumns(style: Style): Column<ShownMessage>[] {
  return [
    { title: 'ID', cell: ({ messageId }) => messageId },
    { title: 'STATUS', cell: ({ status }) => status, paint: paintStatus(style) },
    { title: 'TO', cell: ({ to }) => to },
    { title: 'CREATED', cell: ({ createdAt }) => createdAt, isTime: true },
    { title: 'ERROR', cell: ({ errorCode }) => errorCode, paint: style.red },
    { title: 'CONTENT', cell: ({ body, type }) => contentOf(body, type), shrinks: true },
    { title: 'CHANNEL', cell: ({ provider }) => provider },
  ];
}

/** The text of a message, or what it is. */
export function contentOf(body: unknown, type: string): string {
  const { text, caption, filename } = (body ?? {}) as { text?: string; caption?: string; filename?: string };
  return text ?? [type, caption ?? filename].filter(Boolean).join(': ');
}
