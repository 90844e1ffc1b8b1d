import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COMPONENT_NAMES as SERVICE_COMPONENTS, strengthOf } from '../../src/domain/job-choices.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import {
  COMPONENT_NAMES,
  configOf,
  DEFAULT_SETTINGS,
  type Settings,
  settingsOf,
} from '../../web/src/state/settings.ts';

describe('settings of the page', () => {
  test('untouched they are the defaults of the service', () => {
    assert.deepEqual(jobConfigSchema.parse(configOf(DEFAULT_SETTINGS)), jobConfigSchema.parse({}));
  });

  test('the page knows every component', () => {
    assert.deepEqual([...COMPONENT_NAMES].sort(), [...SERVICE_COMPONENTS].sort());
  });

  test('a job brings its settings back', () => {
    const settings: Settings = {
      ...DEFAULT_SETTINGS,
      strength: 0.55,
      talk: 'on',
      adjust: { ...DEFAULT_SETTINGS.adjust, warmth: 0.5, cuts: -1 },
      follow: {
        ...DEFAULT_SETTINGS.follow,
        color: { isOn: true, strength: 0.3 },
        audio: { isOn: false, strength: null },
      },
      shape: false,
      captions: false,
      speech: true,
      quality: 'high',
      resolution: '2160p',
      framing: 'pad',
      pacing: 'trim',
    };
    const config = jobConfigSchema.parse(configOf(settings));
    assert.deepEqual(settingsOf(config), settings);
    assert.equal(strengthOf(config, 'color'), 0.3);
    assert.equal(strengthOf(config, 'audio'), 0);
    assert.equal(strengthOf(config, 'pacing'), 0.55);
  });

  test('of a talk with parts that stay or go the mode comes back', () => {
    for (const [talk, mode] of [
      [{ mode: 'on', keep: [[1, 2]] }, 'on'],
      [{ mode: 'auto', keep: [[1, 2]] }, 'auto'],
      ['on', 'on'],
    ] as const)
      assert.equal(settingsOf({ talk }).talk, mode, JSON.stringify(talk));
    assert.equal(settingsOf({ talk: 'off' }).follow.talk.isOn, false);
  });

  test('a job of another client without settings has the defaults', () => {
    assert.deepEqual(settingsOf({}), DEFAULT_SETTINGS);
  });
});
