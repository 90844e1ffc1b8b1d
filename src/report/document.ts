import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LAYOUT, placeLabels } from './axis.ts';
import { Markup, markup } from './markup.ts';
import type { ReportView } from './view.ts';
import { clock } from './wording.ts';

/** In order of precedence, the lowest first. */
const STYLE_SHEETS = [
  'tokens.css',
  'base.css',
  'header.css',
  'timeline.css',
  'rows.css',
  'panels.css',
  'plots.css',
  'shots.css',
  'outcome.css',
  'takes.css',
  'narrow-and-print.css',
];

/** Without an icon, Firefox requests `/favicon.ico`, which the policy forbids. */
const NO_ICON = 'data:,';

/** A page around its body. Style sheet, script and pictures are embedded; only films are separate files. */
export function htmlDocument(
  title: string,
  { version, createdAt }: Pick<ReportView, 'version' | 'createdAt'>,
  body: Markup,
): string {
  const style = new Markup(STYLE_SHEETS.map(asset).join('\n'));
  const script = new Markup(
    `const LAYOUT = ${JSON.stringify(LAYOUT)};\n${clock}\n${placeLabels}\n${asset('script.js')}`,
  );
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(style, script, body)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="StyleDNA ${version}">
<title>${title}</title>
<link rel="icon" href="${NO_ICON}">
<style>${style}</style>
</head>
<body>
${body}
<footer>Measured by StyleDNA ${version}, ${createdAt}. What was not found is left out, never guessed.</footer>
<script>${script}</script>
</body>
</html>
`.text;
}

/**
 * Nothing is loaded from another host. Style sheet and script are allowed by hash, pictures from the page
 * itself. Films come from the page's own server, or from the disk for a local page.
 */
function contentPolicy(style: Markup, script: Markup, body: Markup): string {
  const hash = ({ text }: Markup) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    'img-src data:',
    ...(body.text.includes('<video ') ? ["media-src 'self' file:"] : []),
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Line ends normalised as in HTML parsers, so that the hash matches. */
function asset(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
}
