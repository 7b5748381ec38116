import { Badge, Group, Stack, Text } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';

type Interactive = Extract<MessageDetails['body'], { interactive: object }>['interactive'];

/** Buttons or a list, below their text. `className` is that of a paragraph. */
export function InteractiveParts({
  interactive,
  className,
}: {
  readonly interactive: Interactive;
  readonly className: string | undefined;
}): ReactNode {
  const { header, text, footer, buttons = [], list } = interactive;
  return (
    <Stack gap={6}>
      {header !== undefined && (
        <Text size="sm" fw={600}>
          {header}
        </Text>
      )}
      <p className={className}>{text}</p>
      {footer !== undefined && (
        <Text size="xs" c="dimmed">
          {footer}
        </Text>
      )}
      <Group gap={6}>
        {buttons.map(({ title, url }) => (
          <Badge key={title} variant="outline" tt="none" title={url}>
            {title}
          </Badge>
        ))}
        {list !== undefined && (
          <Badge variant="outline" tt="none">
            {list.button}
          </Badge>
        )}
      </Group>
      {list?.sections.map(({ title, rows }) => (
        <div key={rows[0]?.id}>
          {title !== undefined && (
            <Text size="xs" fw={600}>
              {title}
            </Text>
          )}
          {rows.map((row) => (
            <Text key={row.id} size="sm">
              {row.description === undefined ? row.title : `${row.title}: ${row.description}`}
            </Text>
          ))}
        </div>
      ))}
    </Stack>
  );
}
