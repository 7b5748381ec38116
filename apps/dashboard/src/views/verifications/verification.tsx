import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import type { CodeVerification } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { ApiProblem } from '../../api/failure.ts';
import { useRead } from '../../api/hooks.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/copy/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time/time.tsx';
import { Page } from '../../shell/page.tsx';
import { useGroup } from '../groups/use-group.ts';
import { RouteList } from '../messages/group/group-story.tsx';
import { attemptsInWords } from './attempts-in-words.ts';
import { VerificationStatus } from './verification-status.tsx';

const everyMs = 2_000;

/** One verification: what became of its code and of its messages. */
export function VerificationView(): ReactNode {
  const { id = '' } = useParams();
  const verification = useRead(
    'get /v1/verifications/{id}',
    { path: { id } },
    { everyMs: (found) => (found === undefined || found.status === 'pending' ? everyMs : false) },
  );
  return (
    <Loaded
      query={verification}
      what="the verification"
      notFound="verification"
      skeleton={<Skeleton height={320} radius="lg" />}
    >
      {(found) => (
        <Page
          title={`Verification of ${found.to}`}
          back={<BackLink to="/verifications">verifications</BackLink>}
        >
          <Stack gap="lg">
            <Section title="Details">
              <VerificationFacts verification={found} />
            </Section>
            <Messages groupId={found.groupId} />
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function VerificationFacts({ verification }: { readonly verification: CodeVerification }): ReactNode {
  const { status, sandbox, createdAt, expiresAt, endedAt, id, groupId } = verification;
  const facts: (readonly [string, ReactNode])[] = [
    ['Status', <VerificationStatus key="status" status={status} />],
    ['Attempts', attemptsInWords(verification)],
    ['Started', <Time key="started" at={createdAt} />],
    endedAt === null
      ? ['Code valid until', <Time key="expires" at={expiresAt} />]
      : [ends[status], <Time key="ended" at={endedAt} />],
  ];
  if (sandbox) facts.push(['Sandbox', 'Yes: nothing was sent, and the code has only zeros']);
  facts.push(
    ['ID', <Id key="id" id={id} what="verification ID" />],
    [
      'Group',
      <Anchor key="group" component={Link} to={`/groups/${groupId}`} inherit>
        View group
      </Anchor>,
    ],
  );
  return <Facts facts={facts} />;
}

const ends: Readonly<Record<CodeVerification['status'], string>> = {
  pending: 'Ended',
  approved: 'Approved',
  failed: 'Failed',
  expired: 'Expired',
  canceled: 'Canceled',
};

/** The messages that carried the code. They are removed before their verification. */
function Messages({ groupId }: { readonly groupId: string }): ReactNode {
  const group = useGroup(groupId);
  const isGone = group.error instanceof ApiProblem && group.error.status === 404;
  return (
    <Section
      title="Messages"
      about="The routes by which the code was sent. Messages show •••••• in its place."
    >
      {isGone ? (
        <Text size="sm" c="dimmed">
          These messages are no longer stored.
        </Text>
      ) : (
        <Loaded query={group} what="the messages" skeleton={<Skeleton height={80} radius="md" />}>
          {(found) => <RouteList group={found} messageId={null} />}
        </Loaded>
      )}
    </Section>
  );
}
