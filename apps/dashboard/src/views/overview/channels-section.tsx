import { Anchor, Group, Table, Text } from '@mantine/core';
import type { Usage } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { channelName } from '../../parts/channel-name.ts';
import { ChannelIcon } from '../../parts/icons.tsx';
import { percent } from '../../parts/percent.ts';
import { Section } from '../../parts/section.tsx';
import { amount, duration } from '../../parts/time/time-text.ts';
import classes from './overview.module.css';

/** Each channel in use: its delivery rate and latency. */
export function ChannelsSection({ channels }: { readonly channels: Usage['channels'] }): ReactNode {
  const used = channels.filter(({ accepted }) => accepted > 0);
  return (
    <Section title="Channels" about="Delivery rate, and latency from your request to the recipient.">
      {used.length === 0 ? (
        <Text size="sm" c="dimmed">
          No messages in this period.
        </Text>
      ) : (
        <Table className={`${classes.figures} ${classes.foldable}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Channel</Table.Th>
              <Table.Th>Messages</Table.Th>
              <Table.Th>Delivered</Table.Th>
              <Table.Th>Read</Table.Th>
              <Table.Th>Median (p50)</Table.Th>
              <Table.Th>p95</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {used.map((one) => (
              <ChannelRow key={one.channel} channel={one} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}

function ChannelRow({
  channel: { channel, accepted, deliveryRate, read, timeToDelivered },
}: {
  readonly channel: Usage['channels'][number];
}): ReactNode {
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Group gap={8} wrap="nowrap">
          <ChannelIcon channel={channel} size={16} />
          <Anchor component={Link} to={`/messages?channel=${channel}`} inherit>
            {channelName(channel)}
          </Anchor>
        </Group>
      </Table.Th>
      <Table.Td data-label="Messages">{amount(accepted)}</Table.Td>
      <Table.Td data-label="Delivered">{percent(deliveryRate)}</Table.Td>
      <Table.Td data-label="Read">{amount(read)}</Table.Td>
      <Table.Td data-label="Median (p50)">
        {timeToDelivered === null ? '–' : duration(timeToDelivered.p50Ms)}
      </Table.Td>
      <Table.Td data-label="p95">{timeToDelivered === null ? '–' : duration(timeToDelivered.p95Ms)}</Table.Td>
    </Table.Tr>
  );
}
