# One image for every process but one; the command says which: see docker-compose.yml.
FROM node:24-slim AS source
# What these two do for memory is in packages/runtime/src/memory.ts; the cache that is named there would have to be filled here.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages ./packages
COPY migrations ./migrations

# Linked WhatsApp devices: GPL-3.0-or-later, for the libsignal it loads.
FROM source AS whatsapp-sessions
COPY apps/whatsapp-sessions ./apps/whatsapp-sessions
# Optional packages are what a machine without Postgres or Node 24 needs; here both come from elsewhere.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund --workspace apps/whatsapp-sessions
USER node
CMD ["node", "apps/whatsapp-sessions/src/main.ts"]

# The dashboard, as files that the api serves; what built them stays here.
FROM source AS dashboard
COPY apps/dashboard ./apps/dashboard
RUN npm ci --omit=dev --no-audit --no-fund --workspace apps/dashboard
RUN node apps/dashboard/build/main.ts

# All the others, without anything of that.
FROM source AS notify
COPY --from=dashboard /app/apps/dashboard/dist ./apps/dashboard/dist
COPY apps/api ./apps/api
COPY apps/dispatch-worker ./apps/dispatch-worker
COPY apps/webhook-worker ./apps/webhook-worker
COPY apps/operator ./apps/operator
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund --workspace apps/api --workspace apps/dispatch-worker --workspace apps/webhook-worker --workspace apps/operator
USER node
EXPOSE 3000
CMD ["node", "apps/api/src/main.ts"]
