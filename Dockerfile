# One image for every process; the command says which: see docker-compose.yml.
FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
COPY apps ./apps
COPY packages ./packages
COPY migrations ./migrations
# Optional packages are what a machine without Postgres or Node 24 needs; here both come from elsewhere.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund
USER node
EXPOSE 3000
CMD ["node", "apps/api/src/main.ts"]
