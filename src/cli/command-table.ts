import { analyze } from './analyze.ts';
import { apply } from './apply.ts';
import type { Command } from './command.ts';
import { compare } from './compare.ts';
import { completion } from './completion.ts';
import { demo } from './demo.ts';
import { extract } from './extract.ts';
import { grade } from './grade.ts';
import { match } from './match.ts';
import { mcp } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { presets } from './presets.ts';
import { preview } from './preview.ts';
import { publicUrlCommand } from './public-url.ts';
import { queue } from './queue.ts';
import { serve, work } from './serve.ts';
import { exportCommand, importCommand } from './transfer.ts';
import { watch } from './watch.ts';
import { webhookNetworks } from './webhook-networks.ts';
import { webhookSecret } from './webhook-secret.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  work,
  analyze,
  extract,
  compare,
  match,
  apply,
  preview,
  grade,
  presets,
  watch,
  demo,
  mcp,
  queue,
  export: exportCommand,
  import: importCommand,
  'webhook-secret': webhookSecret,
  'webhook-networks': webhookNetworks,
  'public-url': publicUrlCommand,
  migrate: migrateCommand,
  completion,
};
