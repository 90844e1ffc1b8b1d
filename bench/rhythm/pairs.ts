/**
 * Pairs of sources and templates: chosen by their content (speech, music, one shot, many), before any
 * measurement.
 */
import { MUSIC, type Pair, UNSEEN } from '../fidelity/pairs.ts';

/** The pace was made on these. */
export const TUNING: readonly Pair[] = [
  { source: 'video/sam2_dog.mp4', template: `${UNSEEN}tuning/ad_doordash_10s.mp4` },
  { source: 'video/greenscreen_speech.mp4', template: `${UNSEEN}tuning/series_trailer_30s.mp4` },
  { source: `${UNSEEN}tuning/ocean_calm_10s.mp4`, template: `${UNSEEN}tuning/office_montage_10s.mp4` },
  { source: 'video/mdn_friday_speech.mp4', template: `${UNSEEN}tuning/mobile_game_ad_15s.mp4` },
  { source: `${UNSEEN}tuning/social_dog_19s.mp4`, template: 'edits/edit_vertical_a.mp4' },
  {
    source: `video/roof_zoom_17s.mp4${MUSIC}music/808kick_120bpm.mp3`,
    template: `${UNSEEN}tuning/ad_door1_10s.mp4`,
  },
  { source: 'video/mdn_crystal.mp4', template: `${UNSEEN}tuning/band_montage_17s.mp4` },
  {
    source: `video/mdn_frog.mp4${MUSIC}music/loop_garzul_x3_120bpm.flac`,
    template: `${UNSEEN}tuning/short_film_teaser_19s.mp4`,
  },
];

/** Nothing was looked at in these but their sums. */
export const REPORTING: readonly Pair[] = [
  { source: 'more/video/sam2_cups.mp4', template: `${UNSEEN}reporting/car_commercial_30s.mp4` },
  {
    source: `${UNSEEN}reporting/football_slow_11s.mp4`,
    template: `${UNSEEN}reporting/shooter_montage_22s.mp4`,
  },
  {
    source: `${UNSEEN}reporting/vlog_jump_cuts_50s.mp4`,
    template: `${UNSEEN}reporting/film_trailer_30s.mp4`,
  },
  { source: 'more/video/mdn_monster.mp4', template: `${UNSEEN}reporting/animation_reel_22s.mp4` },
  { source: 'more/video/moviepy_chaplin.mp4', template: `${UNSEEN}reporting/horror_game_27s.mp4` },
  {
    source: `more/video/mdn_monster.mp4${MUSIC}more/music/loop_mehackit1_x10_97bpm.flac`,
    template: `${UNSEEN}reporting/period_teaser_21s.mp4`,
  },
  {
    source: 'more/video/social_word_captions_14s.mp4',
    template: `${UNSEEN}reporting/drama_trailer_29s.mp4`,
  },
  {
    source: `${UNSEEN}reporting/sintel_excerpt_26s.mp4`,
    template: `${UNSEEN}reporting/shooter_montage_22s.mp4`,
  },
];

/** People who speak, under a fast and a slow template: cuts in speech. */
export const TALKING: readonly Pair[] = [
  'more/video/ted_small_captions_20s.mp4',
  'more/video/social_word_captions_14s.mp4',
  'video/mdn_friday_speech.mp4',
  'video/greenscreen_speech.mp4',
  `${UNSEEN}reporting/vlog_jump_cuts_50s.mp4`,
  `${UNSEEN}reporting/statement_30s.mp4`,
  `${UNSEEN}reporting/podcast_video_30s.mp4`,
].flatMap((source) =>
  ['edits/edit_landscape_a.mp4', `${UNSEEN}reporting/film_trailer_30s.mp4`].map((template) => ({
    source,
    template,
  })),
);
