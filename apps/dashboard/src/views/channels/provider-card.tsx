import { Badge, Button, Card, Group, Text } from '@mantine/core';
import type { Provider } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ChannelIcon } from '../../parts/icons.tsx';
import { abilitiesOf, channelNameOf, guideOf } from './provider-guides.ts';
import classes from './channels.module.css';

/** A provider, with a link to create an account of it. */
export function ProviderCard({ provider }: { readonly provider: Provider }): ReactNode {
  const { id, name } = provider;
  const { summary, needs } = guideOf(id);
  return (
    <Card component="li" className={classes.provider}>
      <Text size="xs" c="dimmed" className={classes.kind}>
        <ChannelIcon channel={provider.channel} size={14} /> {channelNameOf(provider)}
      </Text>
      <Text fw={600} component="h3" m={0}>
        {name}
      </Text>
      <Text size="sm" mt={4} mb="sm">
        {summary}
      </Text>
      {needs !== '' && (
        <Text size="sm" c="dimmed" mb="sm">
          You need {needs}.
        </Text>
      )}
      <Group gap={6} mb="md">
        {abilitiesOf(provider).map((ability) => (
          <Badge key={ability} variant="default" radius="sm" tt="none" fw={500}>
            {ability}
          </Badge>
        ))}
      </Group>
      <Button
        component={Link}
        to={`/channels/connect/${id}`}
        variant="light"
        mt="auto"
        style={{ alignSelf: 'flex-start' }}
        aria-label={`Connect ${name}`}
      >
        Connect
      </Button>
    </Card>
  );
}
