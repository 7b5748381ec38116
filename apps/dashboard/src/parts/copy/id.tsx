import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from './copy-button.tsx';
import classes from '../parts.module.css';

/** An ID on one line, cut off where there is no room for it, with a button that copies all of it. */
export function Id({
  id,
  what,
  to,
}: {
  readonly id: string;
  /** Such as `message ID`. */
  readonly what: string;
  /** The page of what has the ID. */
  readonly to?: string;
}): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      <span className={classes.id} title={id}>
        {to === undefined ? (
          id
        ) : (
          <Link to={to} className={classes.idLink}>
            {id}
          </Link>
        )}
      </span>
      <CopyButton text={id} label={`Copy the ${what}`} />
    </Group>
  );
}
