import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FactGrid } from '../fact.tsx';
import rows from '../list/rows.module.css';
import { Time } from '../time/time.tsx';
import classes from './credential.module.css';

/** A key or a token in a list: its name, the end of its secret, its state, what can be done, and facts about it. */
export function CredentialRow({
  name,
  hint,
  createdAt,
  state,
  actions,
  children,
}: {
  readonly name: string;
  /** Such as `svc_live_…x9Kd`. */
  readonly hint: string;
  readonly createdAt: string;
  readonly state?: ReactNode;
  readonly actions: ReactNode;
  /** Each a `Fact`. */
  readonly children: ReactNode;
}): ReactNode {
  return (
    <li className={`${rows.row} ${classes.credential}`}>
      <div className={classes.name}>
        <Text fw={600}>{name}</Text>
        <span className={classes.hint}>{hint}</span>
        <Text size="sm" c="dimmed" component="span">
          created <Time at={createdAt} since />
        </Text>
        {state}
      </div>
      <Group gap={6} className={classes.actions}>
        {actions}
      </Group>
      <div className={classes.facts}>
        <FactGrid>{children}</FactGrid>
      </div>
    </li>
  );
}
