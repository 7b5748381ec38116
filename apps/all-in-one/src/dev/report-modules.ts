import { registerHooks } from 'node:module';

// Loaded into each process of `npm run dev` before its own code: tells the parent each file of ours that it loads. A file
// is told before it is compiled, so one with a syntax error is, too.
registerHooks({
  load(url, context, next) {
    const ours = url.startsWith('file:') && !url.includes('/node_modules/');
    if (ours && process.connected) process.send?.({ loaded: url });
    return next(url, context);
  },
});
