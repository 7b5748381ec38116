import { Alert, List, Skeleton, Title } from '@mantine/core';
import type { Provider } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { WarningIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { Page } from '../../shell/page.tsx';
import classes from './channels.module.css';
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
    <Page
      title={`Connect ${provider.name}`}
      about={summary}
      back={<BackLink to="/channels">channels</BackLink>}
    >
      <div className={classes.connect}>
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
      </div>
    </Page>
  );
}
