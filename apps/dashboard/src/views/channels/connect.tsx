import { Alert, Button, List, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import type { Provider } from '../../api/schema.ts';
import { ArrowLeftIcon, WarningIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../shell/page.tsx';
import { ConnectForm } from './connect-form.tsx';
import { guideOf } from './provider-guides.ts';

/** Creates an account of one provider: the steps at the provider first, then the settings. */
export function ConnectView(): ReactNode {
  const { provider: id } = useParams();
  const providers = useRead('get /v1/providers');
  return (
    <Loaded query={providers} what="the provider" skeleton={<Skeleton h={420} maw={640} radius="lg" />}>
      {(data) => {
        const provider = data.find((one) => one.id === id);
        return provider === undefined ? (
          <NotFound what="provider" />
        ) : (
          <Connect key={id} provider={provider} />
        );
      }}
    </Loaded>
  );
}

function Connect({ provider }: { readonly provider: Provider }): ReactNode {
  const { summary, before, caution } = guideOf(provider.id);
  return (
    <Page title={`Connect ${provider.name}`} about={summary} actions={<BackToChannels />}>
      <Stack gap="lg" maw={640}>
        {caution !== undefined && (
          <Alert color="yellow" icon={<WarningIcon />} title="Unofficial and risky">
            {caution}
          </Alert>
        )}
        {before.length > 0 && (
          <section aria-labelledby="first">
            <Title order={2} size="h4" mb="xs" id="first">
              Before you start
            </Title>
            <List type="ordered" spacing={6} size="sm">
              {before.map((step) => (
                <List.Item key={step}>{step}</List.Item>
              ))}
            </List>
          </section>
        )}
        <ConnectForm provider={provider} />
      </Stack>
    </Page>
  );
}

/** Links back to the list. */
export function BackToChannels(): ReactNode {
  return (
    <Button component={Link} to="/channels" variant="subtle" color="gray" leftSection={<ArrowLeftIcon />}>
      All channels
    </Button>
  );
}
