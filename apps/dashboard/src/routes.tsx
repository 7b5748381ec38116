import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { loadPatiently } from './session/load-patiently.ts';
import type { Session } from './session/session.ts';
import { Crash } from './shell/crash.tsx';
import { Inside, nowhere } from './shell/inside.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Outside } from './shell/outside.tsx';
import { ViewSkeleton } from './shell/view-skeleton.tsx';

type Load = () => Promise<ComponentType>;

/** Makes routes of views that are loaded when they are first opened. */
function viewMaker(session: Session) {
  return (path: string, load: Load): RouteObject => ({
    path,
    lazy: async () => ({ Component: await loadPatiently(load, session) }),
    HydrateFallback: ViewSkeleton,
    errorElement: <Crash />,
  });
}

/** Every view by its path. The first word of a path must be one that the api serves the dashboard for. */
export function createRouter(session: Session): ReturnType<typeof createBrowserRouter> {
  const view = viewMaker(session);
  return createBrowserRouter([
    {
      element: <Outside />,
      HydrateFallback: ViewSkeleton,
      errorElement: <Crash />,
      children: [
        view('/login', async () => (await import('./views/login/login.tsx')).LoginView),
        view('/register', async () => (await import('./views/register/register.tsx')).RegisterView),
        view(
          '/forgot-password',
          async () => (await import('./views/forgot-password/forgot-password.tsx')).ForgotPasswordView,
        ),
      ],
    },
    {
      element: <Outside forAll />,
      HydrateFallback: ViewSkeleton,
      errorElement: <Crash />,
      children: [
        view(
          '/reset-password',
          async () => (await import('./views/reset-password/reset-password.tsx')).ResetPasswordView,
        ),
        view(
          '/verify-email',
          async () => (await import('./views/verify-email/verify-email.tsx')).VerifyEmailView,
        ),
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
        view(
          'channels/:id/consent',
          async () => (await import('./views/channels/consent/consent.tsx')).ConsentView,
        ),
        view(
          'channels/:id/templates',
          async () => (await import('./views/channels/templates/templates.tsx')).TemplatesView,
        ),
        view(
          'channels/:id/templates/:name/:language',
          async () => (await import('./views/channels/templates/template.tsx')).TemplateView,
        ),
        view('messages', async () => (await import('./views/messages/messages.tsx')).MessagesView),
        view('messages/:id', async () => (await import('./views/messages/message.tsx')).MessageView),
        view('groups', async () => (await import('./views/groups/groups.tsx')).GroupsView),
        view('groups/:id', async () => (await import('./views/groups/group.tsx')).GroupView),
        view(
          'conversations/:id?',
          async () => (await import('./views/conversations/conversations.tsx')).ConversationsView,
        ),
        view('keys', async () => (await import('./views/keys/keys.tsx')).KeysView),
        view('tokens', async () => (await import('./views/tokens/tokens.tsx')).TokensView),
        view('webhooks', async () => (await import('./views/webhooks/webhooks.tsx')).WebhooksView),
        view('webhooks/verify', async () => (await import('./views/webhooks/verify/verify.tsx')).VerifyView),
        view('webhooks/:id', async () => (await import('./views/webhooks/webhook.tsx')).WebhookView),
        view(
          'verifications',
          async () => (await import('./views/verifications/verifications.tsx')).VerificationsView,
        ),
        view(
          'verifications/:id',
          async () => (await import('./views/verifications/verification.tsx')).VerificationView,
        ),
        view('settings', async () => (await import('./views/settings/settings.tsx')).SettingsView),
        { path: '*', element: <NotFound />, handle: nowhere },
      ],
    },
  ]);
}
