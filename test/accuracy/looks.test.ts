/**
 * Looks put on real clips, where the true answer is known, and the line-up: what it scored on 2026-11-22, less a little.
 * `bench/fidelity.ts --parts looks` measures more.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { proveLooks } from '../../bench/fidelity/look-proof.ts';
import { Looks } from '../../bench/fidelity/looks.ts';
import { MEDIA } from '../../bench/lib/long-clip.ts';

const missing = existsSync(`${MEDIA}more`) ? false : 'needs ../shared/media';

test('known looks are nearer than the source, and a template is recognized', {
  skip: missing,
}, async (t) => {
  const [gentle, usual] = await proveLooks(new Looks(), [0.4, 0.8], []);
  for (const { way, knownLooks, harmful, lineUp } of [gentle!, usual!])
    t.diagnostic(
      `${way}: ${knownLooks.toFixed(2)} left, ${(100 * harmful).toFixed(0)} % harmful, line-up ${(100 * lineUp).toFixed(0)} %`,
    );
  assert.ok(gentle!.knownLooks <= 0.75, `strength .4 leaves ${gentle!.knownLooks}`);
  assert.ok(gentle!.harmful <= 0.27, `strength .4 harms ${gentle!.harmful}`);
  assert.ok(usual!.knownLooks <= 1, `strength .8 leaves ${usual!.knownLooks}`);
  // Protected colors, greys and whites cost recognition: .73 without, .40 before whites (decisions 0096, 0220, 0286, 0291).
  assert.ok(usual!.lineUp >= 0.37, `strength .8 is recognized in ${usual!.lineUp}`);
});
