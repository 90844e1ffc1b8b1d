import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../src/domain/errors.ts';
import { seededRandom } from '../../../src/signal/seeded-random.ts';
import type { EditPlan, EditRequest } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeSong, madeTake, madeTemplate } from './made-material.ts';

/** `npm run test:long` tries more. */
const REQUESTS = process.env['TEST_LONG'] === '1' ? 120 : 20;

const RATES = [24000 / 1001, 25, 30, 60];

/** Requests of all kinds: short and long takes, photos, faults, songs with and without beats, pins and bans. */
function anyRequest(seed: number): EditRequest {
  const random = seededRandom(seed);
  const between = (least: number, most: number) => least + random() * (most - least);
  const takes = Array.from({ length: 1 + Math.floor(random() * 9) }, (_, at) => {
    const seconds = between(0.4, 25);
    const start = between(0, seconds);
    return madeTake({
      content: contentOf(seed * 100 + at),
      seconds,
      seed: seed * 100 + at,
      isPhoto: random() < 0.15,
      mustUse: random() < 0.15,
      faults: random() < 0.5 ? [[start, Math.min(seconds, start + between(0, 6)), 'shaken']] : [],
      exclude: random() < 0.2 ? [[0, between(0, 3)]] : [],
      impacts: [{ timeSeconds: start, strength: random() }],
      speech: random() < 0.3 ? [[start, Math.min(seconds, start + 3)]] : [],
    });
  });
  const song = madeSong(between(60, 190), Math.floor(between(0, 120)));
  const silent = {
    ...song,
    energy: [],
    energyStepSeconds: 0,
    sections: [],
    soundEndSeconds: 40,
    durationSeconds: 40,
  };
  const beats = Array.from({ length: 1 + Math.floor(random() * 25) }, () => Math.ceil(random() * 8) / 2);
  const hasMusic = random() < 0.7;
  return madeRequest({
    takes,
    template: madeTemplate(beats, seed),
    music: hasMusic
      ? {
          song: song.beats.length < 8 ? { ...silent, beats: [] } : song,
          startSeconds: random() < 0.2 ? between(0, 3) : null,
          templateStartSeconds: random() < 0.2 ? between(0, 3) : null,
        }
      : null,
    playsTakes: random() < 0.3,
    order: random() < 0.5 ? 'story' : 'free',
    duration: random() < 0.5 ? { kind: 'template' } : { kind: 'seconds', seconds: between(2, 60) },
    pins: random() < 0.3 ? [{ slot: 0, take: 0, startSeconds: null }] : [],
    bans: random() < 0.3 ? [{ take: 0, startSeconds: 1, endSeconds: 3 }] : [],
    lengths: random() < 0.4 ? [{ slot: 0, beats: random() < 0.5 ? 1 : -1 }] : [],
    seed,
    frameRate: RATES[Math.floor(random() * RATES.length)],
  });
}

function faultsOf(plan: EditPlan, { frameRate, takes }: EditRequest): string[] {
  const found: string[] = [];
  const frame = 1 / frameRate;
  plan.slots.forEach((slot, at) => {
    const length = slot.endSeconds - slot.startSeconds;
    const source = slot.sourceEndSeconds - slot.sourceStartSeconds;
    const { material } = takes[slot.take];
    if (Math.abs(slot.startSeconds - (plan.slots[at - 1]?.endSeconds ?? 0)) > 1e-6) found.push(`${at}: gap`);
    if (length < 0.2) found.push(`${at}: sliver of ${length}`);
    if (source > length + 1e-3 || source < length - 2 * frame)
      found.push(`${at}: source ${source} for ${length}`);
    if (slot.sourceStartSeconds < -1e-6) found.push(`${at}: before its take`);
    if (!material.isPhoto && slot.sourceEndSeconds > material.durationSeconds + 1e-3)
      found.push(`${at}: after its take`);
    if (Math.abs(slot.endSeconds * frameRate - Math.round(slot.endSeconds * frameRate)) > 1e-6)
      found.push(`${at}: off the frames`);
    for (const other of plan.slots.slice(at + 1)) {
      const common =
        Math.min(slot.sourceEndSeconds, other.sourceEndSeconds) -
        Math.max(slot.sourceStartSeconds, other.sourceStartSeconds);
      if (other.take === slot.take && common > 1e-3) found.push(`${at}: an instant twice`);
    }
  });
  return found;
}

test(`${REQUESTS} requests give a valid plan or an error`, () => {
  let planned = 0;
  for (let seed = 1; seed <= REQUESTS; seed++) {
    const request = anyRequest(seed);
    try {
      assert.deepEqual(faultsOf(planEdit(request), request), [], `seed ${seed}`);
      planned += 1;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  assert.ok(planned >= 0.8 * REQUESTS, `${planned} of ${REQUESTS}`);
});
