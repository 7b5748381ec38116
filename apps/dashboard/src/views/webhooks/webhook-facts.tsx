import { Box, Group, Text } from '@mantine/core';
import type { Webhook } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Fact, FactGrid } from '../../parts/fact.tsx';
import { Id } from '../../parts/copy/id.tsx';
import { WebhookStatus } from '../../parts/status-badge.tsx';
import { DueTime, Time } from '../../parts/time/time.tsx';
import { useRead } from '../../api/hooks.ts';
import { eventsInShort } from './event-kinds.ts';
import { filterLines, isWithoutAccounts } from './filters.ts';
import { packingInWords } from './packing.ts';
import { waitingInWords } from './waiting.ts';
import classes from './webhooks.module.css';

/** A webhook's URL and its health in figures. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { id, url, events, createdAt, lastSuccessAt, lastTriggeredAt, nextAttemptAt, failingSince, waiting } =
    webhook;
  const packs = packingInWords(webhook.delivery);
  return (
    <section className={classes.panel} aria-label="Status">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="md">
        <Box miw={0}>
          <Text className={classes.url} fw={600} component="div">
            {url}
          </Text>
          <Id id={id} what="webhook ID" />
        </Box>
        <WebhookStatus webhook={webhook} />
      </Group>
      <FactGrid>
        <Fact term="Pending">{waitingInWords(waiting)}</Fact>
        <Fact term="Last success">
          <Time at={lastSuccessAt} since never="None yet" />
        </Fact>
        <Fact term="Last attempt">
          <Time at={lastTriggeredAt} since never="None yet" />
        </Fact>
        {failingSince !== null && (
          <Fact term="Failing since">
            <Time at={failingSince} since />
          </Fact>
        )}
        {nextAttemptAt !== null && (
          <Fact term="Next attempt">
            <DueTime at={nextAttemptAt} />
          </Fact>
        )}
        <Fact term="Events">{eventsInShort(events)}</Fact>
        <OnlyOf webhook={webhook} />
        {packs !== null && <Fact term="Packs">{packs}</Fact>}
        <Fact term="Added">
          <Time at={createdAt} since />
        </Fact>
      </FactGrid>
    </section>
  );
}

/** Which of these events it receives, if not all. */
function OnlyOf({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { data: accounts = null } = useRead(
    'get /v1/channel-accounts',
    {},
    {
      enabled: webhook.channelAccountIds !== null,
    },
  );
  const lines = filterLines(webhook, accounts);
  if (lines.length === 0) return null;
  return (
    <Fact term="Only of" wide>
      {lines.map((line) => (
        <Text key={line} inherit style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
      {isWithoutAccounts(webhook, accounts) && (
        <Text inherit c="dimmed">
          All accounts of this filter were deleted, so the webhook receives no message events.
        </Text>
      )}
    </Fact>
  );
}
