import { Card, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A part of a view with its own title. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string;
  /** One line on its purpose. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" mb="md" wrap="nowrap">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {about !== undefined && (
            <Text size="sm" c="dimmed" mt={2}>
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Card>
  );
}
