import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { CodeLine } from '../../parts/code-line.tsx';
import { useFreshKey } from '../../session/fresh-key.ts';
import { commands, type StepName } from './commands.ts';
import classes from './first-steps.module.css';
import { useDoneSteps } from './use-done-steps.ts';

interface Step {
  readonly name: StepName;
  readonly title: string;
  readonly about: ReactNode;
  readonly to: string;
  readonly button: string;
}

const steps: readonly Step[] = [
  {
    name: 'connect',
    title: 'Connect a channel',
    about:
      'Your phone, bot or SMS provider. Until then, the sandbox simulates messages, where it is enabled.',
    to: '/channels',
    button: 'Connect a channel',
  },
  {
    name: 'key',
    title: 'Create an API key',
    about: 'Authenticates API requests.',
    to: '/keys',
    button: 'Create a key',
  },
  {
    name: 'send',
    title: 'Send a message',
    about: 'Use your own number to see it arrive.',
    to: '/messages',
    button: 'Send test message',
  },
  {
    name: 'webhook',
    title: 'Add a webhook',
    about: 'Notify posts every status change to your endpoint.',
    to: '/webhooks',
    button: 'Add a webhook',
  },
];

/** The first steps of a new tenant. A step disappears when it is done, and the panel with the last one. */
export function FirstSteps(): ReactNode {
  const titleId = useId();
  const done = useDoneSteps();
  const { data: profile } = useRead('get /auth/me');
  const { data: accounts } = useRead('get /v1/channel-accounts');
  const { key } = useFreshKey();
  const left = done === null ? [] : steps.filter(({ name }) => !done.has(name));
  if (left.length === 0 || profile === undefined) return null;
  const account = accounts?.find(({ isDefault, channel }) => isDefault && channel === 'sms') ?? accounts?.[0];
  const curl = commands({ origin: location.origin, email: profile.email, key, account: account ?? null });
  return (
    <Card component="section" aria-labelledby={titleId} className={classes.panel} mb="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} id={titleId}>
          Get started
        </Title>
        <Text size="sm" c="dimmed">
          {steps.length - left.length} of {steps.length} done
        </Text>
      </Group>
      <Stack component="ol" className={classes.steps}>
        {left.map((step, index) => (
          <OneStep key={step.name} step={step} command={curl[step.name]} isNext={index === 0} />
        ))}
      </Stack>
      <details className={classes.more}>
        <summary>Get an access token</summary>
        <Text size="sm" c="dimmed" my="xs">
          The token is valid for 15 minutes. Replace the dots with your password. For all endpoints, see the{' '}
          <Anchor href="/docs" underline="always">
            API documentation
          </Anchor>
          .
        </Text>
        <CodeLine code={curl.token} />
      </details>
    </Card>
  );
}

function OneStep({
  step: { title, about, to, button },
  command,
  isNext,
}: {
  readonly step: Step;
  readonly command: string;
  readonly isNext: boolean;
}): ReactNode {
  return (
    <li className={classes.step}>
      <Group justify="space-between" gap="sm">
        <div className={classes.words}>
          <Text fw={600}>{title}</Text>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </div>
        <Button component={Link} to={to} size="sm" variant={isNext ? 'filled' : 'light'}>
          {button}
        </Button>
      </Group>
      <CodeLine code={command} />
    </li>
  );
}
