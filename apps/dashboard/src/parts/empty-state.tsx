import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './parts.module.css';

/** Replaces an empty list. Says what the list shows, and how to add something to it. */
export function EmptyState({
  title,
  icon,
  action,
  children,
}: {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Stack align="center" gap="xs" className={classes.empty}>
      {icon !== undefined && <div className={classes.emptyIcon}>{icon}</div>}
      <Title order={2} size="h3" ta="center">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" size="sm" ta="center" maw={440} component="div">
          {children}
        </Text>
      )}
      {action !== undefined && <div className={classes.emptyAction}>{action}</div>}
    </Stack>
  );
}
