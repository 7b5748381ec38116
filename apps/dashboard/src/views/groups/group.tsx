import { Skeleton, Stack } from '@mantine/core';
import type { Group } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { BackLink } from '../../parts/back-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/copy/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { DueTime, Time } from '../../parts/time/time.tsx';
import { Page } from '../../shell/page.tsx';
import { RouteList } from '../messages/group/group-story.tsx';
import { GroupStatus } from './group-status.tsx';
import { useGroup } from './use-group.ts';

/** One group: its routes, what became of each, and its messages. */
export function GroupView(): ReactNode {
  const { id = '' } = useParams();
  return (
    <Loaded
      query={useGroup(id)}
      what="the group"
      notFound="group"
      skeleton={<Skeleton height={320} radius="lg" />}
    >
      {(group) => (
        <Page title={`Group to ${group.routes[0]?.to ?? 'nobody'}`} back={<Back group={group} />}>
          <Stack gap="lg">
            <Section title="Routes" about="Tried in this order, until one delivers.">
              <RouteList group={group} messageId={null} />
            </Section>
            <Section title="Details">
              <GroupFacts group={group} />
            </Section>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

/** The list has no groups of verifications. */
function Back({ group: { verificationId } }: { readonly group: Group }): ReactNode {
  if (verificationId === null) return <BackLink to="/groups">groups</BackLink>;
  return <BackLink to={`/verifications/${verificationId}`}>verification</BackLink>;
}

function GroupFacts({ group }: { readonly group: Group }): ReactNode {
  const { deliveredTwice, createdAt, scheduledAt, nextRouteAt, expiresAt, endedAt } = group;
  const facts: (readonly [string, ReactNode])[] = [
    ['Status', <GroupStatus key="status" status={group.status} />],
    ['Accepted', <Time key="accepted" at={createdAt} />],
  ];
  if (scheduledAt !== null) facts.push(['Scheduled for', <Time key="scheduled" at={scheduledAt} />]);
  if (nextRouteAt !== null) facts.push(['Next route', <DueTime key="next" at={nextRouteAt} />]);
  facts.push(
    endedAt === null
      ? ['Expires', <Time key="expires" at={expiresAt} />]
      : ['Ended', <Time key="ended" at={endedAt} />],
  );
  if (deliveredTwice) facts.push(['Delivered twice', 'Yes, by more than one route']);
  facts.push(['ID', <Id key="id" id={group.id} what="group ID" />]);
  return <Facts facts={facts} />;
}
