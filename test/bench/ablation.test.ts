/** Each rule that the ablation switches off is found in the source as it is now. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RULES, withoutRule } from '../../bench/ablation/rules.ts';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

for (const rule of RULES)
  test(rule.name, () => {
    withoutRule(rule, readFileSync(join(SOURCES, rule.file), 'utf8'));
  });
