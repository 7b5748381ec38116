import { Alert, Anchor, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { CodeLine } from '../../../parts/code-line.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { InfoIcon } from '../../../parts/icons.tsx';
import { Section } from '../../../parts/section.tsx';
import { Page } from '../../../shell/page.tsx';
import { curlProgram, nodeProgram, type Program, pythonProgram } from './programs.ts';

const someUrl = 'https://example.com/hooks/messages';

/** Explains how a receiver tells what this service posts from what others do. */
export function VerifyView(): ReactNode {
  const [search] = useSearchParams();
  const id = search.get('webhook');
  const webhook = useRead('get /v1/webhooks/{id}', { path: { id: id ?? '' } }, { enabled: id !== null });
  const url = webhook.data?.url ?? someUrl;
  return (
    <Page
      title="Check signatures"
      about={
        <Anchor
          component={Link}
          to={webhook.data === undefined ? '/webhooks' : `/webhooks/${webhook.data.id}`}
          inherit
        >
          {webhook.data === undefined ? 'Back to the webhooks' : 'Back to the webhook'}
        </Anchor>
      }
    >
      <Stack gap="lg">
        <HowItIsSigned />
        {[nodeProgram, pythonProgram, curlProgram(url)].map((program) => (
          <ProgramSection key={program.title} program={program} />
        ))}
        <Alert color="gray" icon={<InfoIcon />} title="While a secret is being rotated">
          A replaced secret signs for 24 hours more: <Code>webhook-signature</Code> holds one value for each
          secret with spaces between them, and <Code>X-Svc-Signature</Code> one for each with commas. One that
          matches is enough; the programs above know that.
        </Alert>
      </Stack>
    </Page>
  );
}

const headers = [
  ['webhook-id', 'the event; the same over every retry, so keep it to handle each event once'],
  ['webhook-timestamp', 'when this attempt began, in seconds since 1970'],
  ['webhook-signature', 'v1, and the base64 of HMAC-SHA256 over id.timestamp.body'],
  ['X-Svc-Signature', 'sha256= and the hex of HMAC-SHA256 over the body alone, keyed with the whole secret'],
] as const;

function HowItIsSigned(): ReactNode {
  return (
    <Section title="How it is signed">
      <Text size="sm" mb="md">
        Anybody can post to your address. What Notify posts carries these headers, made with the webhook’s
        secret. Check them over the bytes as they arrived, refuse what is older than five minutes, and answer
        with 2xx within 10 seconds. The first three follow{' '}
        <Anchor
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          underline="always"
          inherit
        >
          Standard Webhooks
        </Anchor>
        , so its libraries work too.
      </Text>
      <Facts facts={headers} />
    </Section>
  );
}

function ProgramSection({ program: { title, says, code } }: { readonly program: Program }): ReactNode {
  return (
    <section aria-label={title}>
      <Title order={2} mb={4}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {says}
      </Text>
      <CodeLine code={code} label={`Copy the lines for ${title}`} />
    </section>
  );
}
