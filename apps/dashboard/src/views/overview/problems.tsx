import { Alert, Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { WarningIcon } from '../../parts/icons.tsx';
import classes from './overview.module.css';
import { problemsOf } from './problems-of.ts';

const everyMs = 60_000;
const most = 5;

/** What needs attention now, each with a link to its page. Nothing where there is no problem. */
export function Problems(): ReactNode {
  const { data: webhooks = [] } = useRead('get /v1/webhooks', {}, { everyMs });
  const { data: accounts = [] } = useRead('get /v1/channel-accounts', {}, { everyMs });
  const problems = problemsOf(webhooks, accounts);
  const rest = problems.length - most;
  if (problems.length === 0) return null;
  return (
    <Alert color="red" icon={<WarningIcon />} title="Needs attention" role="group">
      <ul className={classes.problems}>
        {problems.slice(0, most).map(({ what, name, to, says }) => (
          <li key={to}>
            {what}{' '}
            <Anchor component={Link} to={to} inherit underline="always">
              {name}
            </Anchor>{' '}
            {says}.
          </li>
        ))}
        {rest > 0 && (
          <li>
            And {rest} more, under{' '}
            <Anchor component={Link} to="/webhooks" inherit underline="always">
              Webhooks
            </Anchor>{' '}
            and{' '}
            <Anchor component={Link} to="/channels" inherit underline="always">
              Channels
            </Anchor>
            .
          </li>
        )}
      </ul>
    </Alert>
  );
}
