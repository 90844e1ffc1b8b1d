# The service, its worker and the command line in one image: the role is the command ("serve", "serve --role api", …).
# docs/deploying.md says how to run it with a read-only root and with the media processes confined.

FROM node:24-bookworm-slim AS built
WORKDIR /styledna
COPY package.json package-lock.json ./
# No scripts: the only ones are the builds of page and database, which follow, and those of packages that tests alone need.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm run build:page -- --logLevel warn && npm run build:database
# What is left are the packages of the running program, at the versions of package-lock.json.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf src scripts web/src tsconfig*.json

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="StyleDNA" \
      org.opencontainers.image.description="Measures the style of a template video and renders your video in it" \
      org.opencontainers.image.licenses="MIT AND GPL-3.0-or-later"
# unshare, mount, setpriv and prlimit, which confine media processes, are part of Debian's base (util-linux, mount).
COPY --from=built /styledna /styledna
RUN ln -s /styledna/bin/styledna.mjs /usr/local/bin/styledna \
 && install -d -o node -g node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# By number, so that Kubernetes can see that it is not root; `node` in the base image.
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["styledna"]
CMD ["serve"]
