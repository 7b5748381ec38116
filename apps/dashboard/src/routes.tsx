import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { Crash } from './shell/crash.tsx';
import { Inside } from './shell/inside.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Outside } from './shell/outside.tsx';
import { ViewSkeleton } from './shell/view-skeleton.tsx';

/** A view that is loaded when it is first opened. */
function view(path: string, load: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    lazy: async () => ({ Component: await load() }),
    HydrateFallback: ViewSkeleton,
    errorElement: <Crash />,
  };
}

/** Every view by its path. Paths begin with one of the words that the api knows as the dashboard's. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter([
    {
      element: <Outside />,
      HydrateFallback: ViewSkeleton,
      errorElement: <Crash />,
      children: [
        view('/login', async () => (await import('./views/login/login.tsx')).LoginView),
        view('/register', async () => (await import('./views/register/register.tsx')).RegisterView),
      ],
    },
    {
      path: '/',
      element: <Inside />,
      HydrateFallback: ViewSkeleton,
      errorElement: <Crash />,
      children: [
        { index: true, element: <Navigate to="/overview" replace /> },
        view('overview', async () => (await import('./views/overview/overview.tsx')).OverviewView),
        view('channels', async () => (await import('./views/channels/channels.tsx')).ChannelsView),
        view(
          'channels/connect/:provider',
          async () => (await import('./views/channels/connect.tsx')).ConnectView,
        ),
        view('channels/:id', async () => (await import('./views/channels/account.tsx')).AccountView),
        view('messages', async () => (await import('./views/messages/messages.tsx')).MessagesView),
        view('messages/:id', async () => (await import('./views/messages/message.tsx')).MessageView),
        view('keys', async () => (await import('./views/keys/keys.tsx')).KeysView),
        view('webhooks', async () => (await import('./views/webhooks/webhooks.tsx')).WebhooksView),
        view('webhooks/verify', async () => (await import('./views/webhooks/verify/verify.tsx')).VerifyView),
        view('webhooks/:id', async () => (await import('./views/webhooks/webhook.tsx')).WebhookView),
        view('settings', async () => (await import('./views/settings/settings.tsx')).SettingsView),
        { path: '*', element: <NotFound /> },
      ],
    },
  ]);
}
