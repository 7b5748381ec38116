import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../parts.module.css';

/** The buttons at the foot of a dialog. They stay in sight while a long dialog scrolls. */
export function DialogFoot({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Group justify="flex-end" className={classes.dialogFoot}>
      {children}
    </Group>
  );
}
