import { randomBytes } from 'node:crypto';
import { secretText } from '@notify/runtime';

// Prints settings for `notify all`, as lines of an env file.
console.log(`NOTIFY_SEED_API_KEY=${secretText('svc_live_').make()}`);
console.log(`NOTIFY_SEED_SERVICE_TOKEN=${secretText('svc_tok_').make()}`);
console.log(`NOTIFY_SEED_WEBHOOK_SECRET=whsec_${randomBytes(32).toString('base64')}`);
