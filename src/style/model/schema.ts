import { z } from 'zod';
import { DIRECTIONS, EASINGS, GENRES, TRANSITION_TYPES } from '../../analysis/facts.ts';
import { TITLE_ANIMATIONS, TITLE_SIDES } from '../../analysis/title-facts.ts';
import { MAX_EDIT_SLOTS } from './edit-slots.ts';
import { talkStyleSchema } from './talk.ts';

const share = z.number().min(0).max(1);
const dial = z.number().min(-100).max(100);

const transitionType = z.enum(TRANSITION_TYPES);
const pair = z.tuple([z.number(), z.number()]);

/**
 * A shot of the template as a slot to fill; ranks are among its shots, by time. Values that were not measured are left
 * out.
 */
const editSlotSchema = z
  .object({
    length_seconds: z.number().positive().max(86400),
    length_beats: z.number().positive().max(100000).optional(),
    /** Position of its beginning within a beat. */
    phase: z.number().min(0).max(1).optional(),
    motion_rank: share.optional(),
    activity_rank: share.optional(),
    contrast_rank: share.optional(),
    detail_rank: share.optional(),
    lightness_rank: share.optional(),
    /** Diagonals per second, diagonals per second, deviation of luma, share of pixels, CIELAB lightness. */
    motion: z.number().min(0).max(100).optional(),
    activity: z.number().min(0).max(100).optional(),
    contrast: share.optional(),
    detail: share.optional(),
    lightness: z.number().min(0).max(100).optional(),
    size: z.enum(['close', 'medium', 'wide']).optional(),
    size_confidence: share.optional(),
    move: z.enum(['static', 'pan', 'tilt', 'zoom_in', 'zoom_out', 'handheld']).optional(),
    speaks: z.boolean().optional(),
    /** Number of the first slot that shows the same view. */
    returns_to: z.int().min(0).max(MAX_EDIT_SLOTS).optional(),
    transition: z
      .object({
        type: transitionType,
        duration_ms: z.int().min(0).max(10000),
        easing: z.enum(EASINGS),
        direction: z.enum(DIRECTIONS).optional(),
      })
      .loose()
      .optional(),
  })
  .loose();

const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i);

const subtitleStyleSchema = z
  .object({
    position: z.enum(['top', 'middle', 'bottom']),
    line_height: share,
    color: hexColor,
    outlined: z.boolean(),
    boxed: z.boolean().optional(),
    /** Mean width of upright strokes over the type size: the weight. */
    stroke_width: share.optional(),
    /** Edge of the ink on the side of `position`, or its middle for `middle`: 0..1 from the top. */
    anchor_y: share.optional(),
    timing: z.enum(['lines', 'words']).optional(),
  })
  .loose();

const titleAnimationSchema = z
  .object({
    type: z.enum(TITLE_ANIMATIONS),
    duration_ms: z.int().min(0).max(5000),
    side: z.enum(TITLE_SIDES).optional(),
    /** From its place, as a share of the picture's width or height. */
    distance: z.number().min(0).max(2).optional(),
    confidence: share,
  })
  .loose();

/** The largest of the template's titles. Without a part that is not certain. */
const titleStyleSchema = subtitleStyleSchema.omit({ boxed: true, timing: true }).extend({
  box: z.object({ color: hexColor, opacity: share, confidence: share }).loose().optional(),
  animation_in: titleAnimationSchema.optional(),
  animation_out: titleAnimationSchema.optional(),
});

/**
 * Style DNA as clients receive it. Fields that were not found are left out. Units and effect of each field:
 * `docs/style-dna.md`.
 */
export const styleSchema = z
  .object({
    version: z.string().regex(/^1\.\d+\.\d+$/, 'must be a 1.x.y version'),
    aspect_ratio: z
      .string()
      .regex(/^[1-9]\d{0,4}:[1-9]\d{0,4}$/, 'must be width:height, such as 16:9')
      .refine((text) => {
        const [width, height] = text.split(':').map(Number);
        return width! / height! >= 0.1 && width! / height! <= 10;
      }, 'must lie between 1:10 and 10:1'),
    frame_rate: z.number().min(1).max(240),
    cut_frequency: z.number().min(0).max(60),
    motion_intensity: share,
    zoom_usage: share,
    use_subtitles: z.boolean(),
    tempo_bpm: z.number().min(40).max(240).optional(),
    music_genre: z.enum(GENRES).optional(),
    created_at: z.iso.datetime(),
    source_duration_seconds: z.number().min(0),
    extraction_confidence: share,
    color_grade: z
      .object({
        temperature: dial,
        tint: dial,
        saturation: dial,
        contrast: dial,
        highlights: dial,
        shadows: dial,
      })
      .loose(),
    audio_style: z
      .object({
        normalization_level: z.number().min(-70).max(0),
        compression_ratio: z.number().min(1).max(20),
        bass_boost: z.number().min(-12).max(12),
        enhance_speech: z.boolean(),
      })
      .loose()
      .optional(),
    primary_transition: z
      .object({
        type: transitionType,
        duration_ms: z.int().min(0).max(10000),
        easing: z.enum(EASINGS),
      })
      .loose()
      .optional(),
    detected_beats: z
      .array(
        z
          .object({
            timestamp_ms: z.int().min(0),
            confidence: share,
            frequency: z.enum(['low', 'mid', 'high', 'full']),
          })
          .loose(),
      )
      .max(60000)
      .optional(),

    // Additive: beyond the interface specification.
    source_kind: z.enum(['video', 'image', 'audio']).optional(),
    confidence: z
      .object({
        color: share,
        pacing: share,
        transitions: share,
        motion: share,
        audio: share,
        subtitles: share,
      })
      .partial()
      .loose()
      .optional(),
    /**
     * The grade of the template's picture, independent of its content. Greys: CIELAB lightness `in` becomes
     * `out`, with the cast (a, b). A factor of chroma is 0 for black and white.
     */
    look: z
      .object({
        greys: z
          .array(
            z
              .object({
                in: z.number().min(0).max(100),
                out: z.number().min(0).max(100),
                a: z.number().min(-128).max(128),
                b: z.number().min(-128).max(128),
              })
              .loose(),
          )
          .min(2)
          .max(64)
          .refine(
            (greys) => greys.every((grey, at) => at === 0 || grey.in > greys[at - 1].in),
            'must ascend in `in`',
          ),
        chroma: z.number().min(0).max(4),
        confidence: share.optional(),
      })
      .loose()
      .optional(),
    palette: z
      .array(z.object({ hex: z.string().regex(/^#[0-9a-f]{6}$/i), weight: share }).loose())
      .max(64)
      .optional(),
    shot_lengths: z
      .object({
        p10: z.number().min(0),
        p25: z.number().min(0),
        p50: z.number().min(0),
        p75: z.number().min(0),
        p90: z.number().min(0),
        mean: z.number().min(0),
      })
      .loose()
      .optional(),
    cuts_on_beat: z.number().min(-1).max(1).optional(),
    transition_mix: z.partialRecord(transitionType, share).optional(),
    /** Color of `fade_color` transitions; required if there are any. */
    transition_color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #0040ff')
      .optional(),
    /** Frame diagonals per second. */
    camera_shake: z.number().min(0).max(10).optional(),
    loudness_range_lu: z.number().min(0).max(100).optional(),
    true_peak_dbtp: z.number().min(-150).max(24).optional(),
    tempo_alternatives: z
      .array(z.object({ bpm: z.number().min(20).max(480), confidence: share }).loose())
      .max(16)
      .optional(),
    subtitle_style: subtitleStyleSchema.optional(),
    title_style: titleStyleSchema.optional(),
    fingerprint: z.string().max(200000).optional(),
    /** Additional input of the color match: see `ColorStatistics`. */
    color_statistics: z
      .object({
        lightness_percentiles: z.array(z.number().min(0).max(100)).length(21),
        mean_ab: pair,
        covariance_ab: z.tuple([z.number().min(0), z.number(), z.number().min(0)]),
        /** Mean (a, b) of L < 35, 35..70, > 70; null with hardly any pixels. */
        tones_ab: z.tuple([pair.nullable(), pair.nullable(), pair.nullable()]).optional(),
        neutral_ab: pair.optional(),
      })
      .loose()
      .optional(),
    /** Third-octave long-term spectrum in dB relative to its mean. */
    spectrum: z
      .object({ centres_hz: z.array(z.number().positive()).max(40), levels_db: z.array(z.number()).max(40) })
      .loose()
      .optional(),
    /** Pauses of somebody who speaks. */
    talk: talkStyleSchema.optional(),
    /** Shots in order: the template of an edit from many takes. */
    edit: z
      .object({
        slots: z.array(editSlotSchema).min(1).max(MAX_EDIT_SLOTS),
        /** Share of cuts within 60 ms of a beat. */
        on_beat_share: share.optional(),
        /** In the quiet, medium and loud third of its music. */
        cuts_per_bar: z.tuple([z.number().min(0), z.number().min(0), z.number().min(0)]).optional(),
      })
      .loose()
      .optional(),
    /** Of a style of several templates: how far they agree. */
    consensus: z
      .object({
        templates: z
          .array(
            z
              .object({
                name: z.string().max(1024),
                weight: z.int().min(1),
                /** Parts in which this template differs while the others agree. */
                outlier_in: z.array(z.string().max(64)).max(16),
              })
              .loose(),
          )
          .min(1)
          .max(64),
        /** By field: mean closeness of the templates; 1: equal, .5: a noticeable difference. */
        agreement: z.record(z.string().max(64), share),
        /** By field, such as `color_grade.tint`: range over the templates. */
        spread: z.record(z.string().max(128), z.object({ least: z.number(), most: z.number() })),
      })
      .loose()
      .optional(),
  })
  .loose()
  .refine(
    ({ primary_transition: primary, transition_mix: mix, transition_color: color }) =>
      color !== undefined || (primary?.type !== 'fade_color' && (mix?.fade_color ?? 0) === 0),
    {
      path: ['transition_color'],
      message: 'is required with transitions of the type fade_color, such as #0040ff',
    },
  );

export type Style = z.output<typeof styleSchema>;
export type StyleField = keyof typeof styleSchema.shape;
