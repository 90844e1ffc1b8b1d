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
    summary: "Put two videos' styles side by side",
    load: async () => (await import('./compare.ts')).compare,
  },
  match: {
    summary: 'Tell whether two files share a soundtrack, and at which offset',
    load: async () => (await import('./match.ts')).match,
  },
  apply: {
    summary: 'Render videos in the style of a template',
    load: async () => (await import('./apply.ts')).apply,
  },
  edit: {
    summary: 'Make one reel of many takes, photos and a song',
    load: async () => (await import('./edit.ts')).edit,
  },
  preview: {
    summary: 'See a style on a video before rendering it',
    load: async () => (await import('./preview.ts')).preview,
  },
  grade: {
    summary: 'Write the colour grade alone, as a 3D LUT',
    load: async () => (await import('./grade.ts')).grade,
  },
  presets: {
    summary: 'List the styles that come with StyleDNA',
    load: async () => (await import('./presets.ts')).presets,
  },
  watch: {
    summary: 'Follow a job of a service until it ends',
    load: async () => (await import('./watch.ts')).watch,
  },
  demo: {
    summary: 'Show the main job: two videos in over HTTP, one out',
    load: async () => (await import('./demo.ts')).demo,
  },
  mcp: {
    summary: 'Serve agents: tools by the Model Context Protocol, over standard input and output',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  queue: {
    summary: 'See and steer the queue of a service (needs ADMIN_TOKEN)',
    load: async () => (await import('./queue.ts')).queue,
  },
  export: {
    summary: 'Write a whole installation to a folder, to move or keep it',
    load: async () => (await import('./transfer.ts')).exportCommand,
  },
  import: {
    summary: 'Bring what was exported to a new installation',
    load: async () => (await import('./transfer.ts')).importCommand,
  },
  'webhook-secret': {
    summary: 'Print the secrets that webhooks are signed with',
    load: async () => (await import('./webhook-secret.ts')).webhookSecret,
  },
  'webhook-networks': {
    summary: 'Show or change which inner networks webhooks may reach',
    load: async () => (await import('./webhook-networks.ts')).webhookNetworks,
  },
  'public-url': {
    summary: 'Show or change the address that clients know a fleet by',
    load: async () => (await import('./public-url.ts')).publicUrlCommand,
  },
  migrate: {
    summary: 'Bring the database up to date, apart from a start',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  completion: {
    summary: 'Print what makes a shell complete commands, options and their words',
    load: async () => (await import('./completion.ts')).completion,
  },
};
