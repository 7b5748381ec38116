import { Notify } from '@notify/sdk';
import { createApp } from './app.js';

const webhookSecret = process.env.NOTIFY_WEBHOOK_SECRET;
if (!webhookSecret) throw new Error('NOTIFY_WEBHOOK_SECRET is not set: it is the secret of the webhook');
// The client reads NOTIFY_URL and NOTIFY_API_KEY.
const app = createApp({ notify: new Notify(), webhookSecret });
app.listen(process.env.PORT ?? 4000);
