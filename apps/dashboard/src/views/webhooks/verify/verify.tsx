import { Alert, Anchor, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { CodeLine } from '../../../parts/copy/code-line.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { InfoIcon } from '../../../parts/icons.tsx';
import { Section } from '../../../parts/section.tsx';
import { Page } from '../../../shell/page.tsx';
import { curlProgram, nodeProgram, type Program, pythonProgram } from './programs.ts';

const someUrl = 'https://example.com/hooks/messages';

/** Explains how a receiver verifies that a post comes from Notify. */
export function VerifyView(): ReactNode {
  const [search] = useSearchParams();
  const id = search.get('webhook');
  const webhook = useRead('get /v1/webhooks/{id}', { path: { id: id ?? '' } }, { enabled: id !== null });
  const url = webhook.data?.url ?? someUrl;
  return (
    <Page
      title="Verify signatures"
      back={
        webhook.data === undefined ? (
          <BackLink to="/webhooks">webhooks</BackLink>
        ) : (
          <BackLink to={`/webhooks/${webhook.data.id}`}>webhook</BackLink>
        )
      }
    >
      <Stack gap="lg">
        <HowItIsSigned />
        {[nodeProgram, pythonProgram, curlProgram(url)].map((program) => (
          <ProgramSection key={program.title} program={program} />
        ))}
        <Alert color="gray" icon={<InfoIcon />} title="During secret rotation">
          The previous secret keeps signing for 24 hours. <Code>webhook-signature</Code> then holds one value
          per secret, separated by spaces, and <Code>X-Svc-Signature</Code> one per secret, separated by
          commas. One match is enough. The programs on this page handle both.
        </Alert>
      </Stack>
    </Page>
  );
}

const headers = [
  ['webhook-id', 'the event ID, the same on every retry: store it to process each event once'],
  ['webhook-timestamp', 'start of this attempt, in Unix seconds'],
  ['webhook-signature', '“v1,” and the base64 of HMAC-SHA256 over id.timestamp.body'],
  [
    'X-Svc-Signature',
    '“sha256=” and the hex of HMAC-SHA256 over the body alone, keyed with the whole secret',
  ],
] as const;

function HowItIsSigned(): ReactNode {
  return (
    <Section title="Signature headers">
      <Text size="sm" mb="md">
        Anyone can post to your endpoint. Requests from Notify carry these headers, signed with the webhook’s
        secret. Verify them over the raw body, reject requests older than five minutes, and respond with 2xx
        within 10 seconds. The first three follow{' '}
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
      <CodeLine code={code} label={`Copy the ${title} code`} />
    </section>
  );
}
