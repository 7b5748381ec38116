import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import { CodeLine } from '../../parts/copy/code-line.tsx';
import { useFreshKey } from '../../session/fresh-key.ts';
import { useSession } from '../../session/session-context.ts';
import { CodeSample, LanguageChoice } from './code-samples.tsx';
import { requests, tokenCommand } from './commands.ts';
import classes from './first-steps.module.css';
import type { Language, SampleRequest } from './samples.ts';
import { accountToTry, type Step, stepsFor } from './steps.ts';
import { useDoneSteps } from './use-done-steps.ts';

/** The steps that a new tenant has not done yet, of how many; null until they are known. */
export function useStepsLeft(): { readonly left: readonly Step[]; readonly count: number } | null {
  const done = useDoneSteps();
  const { data: accounts } = useRead('get /v1/channel-accounts', {});
  if (done === null || accounts === undefined) return null;
  const steps = stepsFor(accounts);
  return { left: steps.filter(({ name }) => !done.has(name)), count: steps.length };
}

/** The first steps of a new tenant that are left. A step disappears when it is done. */
export function FirstSteps({
  left,
  count,
}: {
  readonly left: readonly Step[];
  readonly count: number;
}): ReactNode {
  const titleId = useId();
  const { data: accounts = [] } = useRead('get /v1/channel-accounts', {});
  const { key } = useFreshKey();
  const [token, setToken] = useState<string | null>(null);
  const [language, setLanguage] = useState<Language>('curl');
  const sample = requests({ origin: location.origin, key, token, account: accountToTry(accounts) });
  return (
    <Card component="aside" aria-labelledby={titleId} className={classes.panel}>
      <Group justify="space-between" mb="xs">
        <Title order={2} id={titleId}>
          Get started
        </Title>
        <Text size="sm" c="dimmed">
          {count - left.length} of {count} done
        </Text>
      </Group>
      <Stack component="ol" className={classes.steps}>
        {left.map((step, index) => (
          <OneStep
            key={step.name}
            step={step}
            request={sample[step.name]}
            language={language}
            isNext={index === 0}
          />
        ))}
      </Stack>
      <Text size="sm" mt="lg" mb="xs" fw={550}>
        The requests of these steps
      </Text>
      <Group gap="xs">
        <LanguageChoice language={language} onChange={setLanguage} />
        <FillToken isFilled={token !== null} onToken={setToken} />
      </Group>
      <TokenHelp />
    </Card>
  );
}

/** How a program gets the access token that the requests need. */
function TokenHelp(): ReactNode {
  const { data: profile } = useRead('get /auth/me');
  return (
    <details className={classes.more}>
      <summary>Get an access token</summary>
      <Text size="sm" c="dimmed" my="xs">
        The token is valid for 15 minutes. Replace the dots with your password. For all endpoints, see the{' '}
        <Anchor href="/docs" underline="always">
          API documentation
        </Anchor>
        .
      </Text>
      <CodeLine code={tokenCommand(location.origin, profile?.email ?? '')} />
    </details>
  );
}

/** Puts an access token of this session into the samples. Only on request, because it is a secret. */
function FillToken({
  isFilled,
  onToken,
}: {
  readonly isFilled: boolean;
  readonly onToken: (token: string | null) => void;
}): ReactNode {
  const session = useSession();
  const fill = (): void => {
    session
      .token()
      .then(onToken)
      .catch(({ message }: Error) =>
        notifications.show({ color: 'red', title: 'Could not get a token', message }),
      );
  };
  return (
    <Button size="compact-sm" variant="subtle" onClick={isFilled ? () => onToken(null) : fill}>
      {isFilled ? 'Hide my access token' : 'Fill in my access token'}
    </Button>
  );
}

function OneStep({
  step: { name, title, about, to, button },
  request,
  language,
  isNext,
}: {
  readonly step: Step;
  readonly request: SampleRequest;
  readonly language: Language;
  readonly isNext: boolean;
}): ReactNode {
  return (
    <li className={classes.step}>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      <Group gap="xs">
        <Button component={Link} to={to} size="xs" variant={isNext ? 'filled' : 'light'}>
          {button}
        </Button>
        {name === 'send' && request.credential.value === null && <FillKey />}
        <details className={classes.sample}>
          <summary>Show the request</summary>
          <CodeSample request={request} language={language} />
        </details>
      </Group>
    </li>
  );
}

/** Creates a key for the sample, because stored keys cannot be shown again. */
function FillKey(): ReactNode {
  const { keep } = useFreshKey();
  const { mutate, isPending } = useChange('post /tenant/api-keys', { refresh: ['get /tenant/api-keys'] });
  const create = (): void =>
    mutate(
      { body: { name: 'Quick start' } },
      {
        onSuccess: ({ key }) => keep(key),
        onError: ({ message }) =>
          notifications.show({ color: 'red', title: 'Could not create a key', message }),
      },
    );
  return (
    <Button size="xs" variant="subtle" loading={isPending} onClick={create}>
      Fill in a new key
    </Button>
  );
}
