import type { CommandTable } from './command.ts';

/** In the order of the overview. */
export const COMMANDS: CommandTable = {
  serve: {
    summary: 'Run the service: HTTP, a worker, or both',
    load: async () => (await import('./serve.ts')).serve,
  },
  work: {
    summary: 'Run a worker (short for: serve --role worker)',
    load: async () => (await import('./serve.ts')).work,
  },
  analyze: {
    summary: 'Measure a clip or a piece of music',
    load: async () => (await import('./analyze.ts')).analyze,
  },
  extract: {
    summary: 'Write the Style DNA of a template as JSON',
    load: async () => (await import('./extract.ts')).extract,
  },
  compare: {
    summary: 'Show the styles of two videos side by side',
    load: async () => (await import('./compare.ts')).compare,
  },
  match: {
    summary: 'Check whether two files share a soundtrack, and at which offset',
    load: async () => (await import('./match.ts')).match,
  },
  apply: {
    summary: 'Render videos in the style of a template',
    load: async () => (await import('./apply.ts')).apply,
  },
  edit: {
    summary: 'Make one reel from many takes, photos and a song',
    load: async () => (await import('./edit.ts')).edit,
  },
  preview: {
    summary: 'Show a style on a video before rendering it',
    load: async () => (await import('./preview.ts')).preview,
  },
  grade: {
    summary: 'Write only the color grade, as a 3D LUT',
    load: async () => (await import('./grade.ts')).grade,
  },
  presets: {
    summary: 'List the included styles',
    load: async () => (await import('./presets.ts')).presets,
  },
  watch: {
    summary: 'Follow a job of a service until it ends',
    load: async () => (await import('./watch.ts')).watch,
  },
  demo: {
    summary: 'Run a demonstration: two videos in over HTTP, one out',
    load: async () => (await import('./demo.ts')).demo,
  },
  mcp: {
    summary: 'Serve agents: tools of the Model Context Protocol, over standard input and output',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  queue: {
    summary: 'Show and control the queue of a service (needs ADMIN_TOKEN)',
    load: async () => (await import('./queue.ts')).queue,
  },
  export: {
    summary: 'Write a whole installation to a folder, to move it or as a backup',
    load: async () => (await import('./transfer.ts')).exportCommand,
  },
  import: {
    summary: 'Write an export to a new installation',
    load: async () => (await import('./transfer.ts')).importCommand,
  },
  'webhook-secret': {
    summary: 'Print the secrets that sign webhooks',
    load: async () => (await import('./webhook-secret.ts')).webhookSecret,
  },
  'webhook-networks': {
    summary: 'Show or change the private networks that webhooks may reach',
    load: async () => (await import('./webhook-networks.ts')).webhookNetworks,
  },
  'public-url': {
    summary: 'Show or change the public address of a fleet',
    load: async () => (await import('./public-url.ts')).publicUrlCommand,
  },
  migrate: {
    summary: 'Migrate the database without starting the service',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  completion: {
    summary: 'Print a shell script that completes commands, options and values',
    load: async () => (await import('./completion.ts')).completion,
  },
};
