/** The `edit` of a job: an edit from many takes. Validation, the OpenAPI document and the client's types are made from these lines. */
import { z } from 'zod';
import { focusPointSchema } from './job-config.ts';

export const MAX_TAKES = 50;
/** The longest edit; its sound is mixed in memory, 23 MB a minute. */
/** The shortest edit, and the shortest part of a song that an edit plays. */
export const MIN_EDIT_SECONDS = 1;
export const MAX_EDIT_SECONDS = 600;
/** Slots that can be pinned, banned or changed in length: as many as an edit of `MAX_EDIT_SECONDS` has at 2 s a slot. */
const MAX_CHANGES = 300;
/** Four bars of four: more than the longest slots of the reels that were measured (8 beats). */
export const MAX_LENGTH_BEATS = 16;
const MAX_TITLES = 10;
const MAX_TITLE_CHARACTERS = 200;

const seconds = z.number().min(0);
const RANGE_FORM = 'must be [from, to] in seconds, with from before to';
const range = z.tuple([seconds, seconds], RANGE_FORM).refine(([from, to]) => from < to, RANGE_FORM);
const videoId = z.uuid();

export const TAKE_ROLES = ['auto', 'talk', 'b_roll'] as const;
export const EDIT_SOUNDS = ['music', 'mix', 'takes'] as const;
export const EDIT_ORDERS = ['story', 'free'] as const;
export const EDIT_RHYTHMS = ['on_beat', 'loose'] as const;
const PLACES = ['start', 'end'] as const;
/** `look`: as the template's titles, or its captions if it has no certain title; the others are plain. */
export const TITLE_STYLES = ['look', 'clean', 'bold', 'box', 'small'] as const;
export type TitleStyle = (typeof TITLE_STYLES)[number];
export const TITLE_ANIMATIONS = ['auto', 'none', 'fade', 'slide', 'pop'] as const;

const editTakeSchema = z.looseObject({
  video_id: videoId.describe('A video or a photo'),
  exclude: z
    .array(range)
    .max(MAX_CHANGES)
    .default(() => [])
    .describe('Parts that are not shown, `[from, to]` in seconds'),
  must_use: z.boolean().default(false).describe('Whether at least one moment of it is shown'),
  role: z
    .enum(TAKE_ROLES)
    .optional()
    .describe(
      'In a talk: `talk`: somebody speaks in it, and it is heard; `b_roll`: its picture hides cuts, without its sound; `auto` (default): `talk` if at least half of it is speech, with its pauses. A take with `talk` makes the edit a talk, as `config.talk: "on"` does',
    ),
});

export const editSchema = z.looseObject({
  takes: z
    .array(editTakeSchema)
    .max(MAX_TAKES)
    .default(() => [])
    .describe(
      'Takes after `video_id`, which is the first; naming it here sets its options. At most 50 in all',
    ),
  music: z
    .looseObject({
      video_id: videoId.describe('A song, or a video whose sound is used'),
      start_seconds: seconds
        .nullable()
        .default(null)
        .describe('Where the edit begins in it, at least 1 s before its end; null: chosen'),
    })
    .nullable()
    .default(null)
    .describe('The song that the edit is cut to; null: none'),
  sound: z
    .enum(EDIT_SOUNDS)
    .default('music')
    .describe(
      '`music`: the song alone, but in a talk as `mix`; `mix`: takes over the song, which is ducked under speech; `takes`: takes alone, as without a song',
    ),
  duration: z
    .union(
      [z.literal('template'), z.literal('music'), z.number().min(MIN_EDIT_SECONDS).max(MAX_EDIT_SECONDS)],
      {
        error: `Expected "template", "music" or seconds from ${MIN_EDIT_SECONDS} to ${MAX_EDIT_SECONDS}`,
      },
    )
    .default('template')
    .describe(
      'Length of the output: as the template, as the song, or in seconds. Shorter where there is too little material; `template` also where more would show the same again, or shots in which nothing happens',
    ),
  order: z
    .enum(EDIT_ORDERS)
    .default('story')
    .describe('`story`: takes in the listed order, each by its time; `free`: any order'),
  rhythm: z
    .enum(EDIT_RHYTHMS)
    .default('on_beat')
    .describe(
      '`on_beat`: all cuts lie on beats of the song; `loose`: as near to beats as those of the template, and as many beside them',
    ),
  pins: z
    .array(
      z.looseObject({
        slot: z.int().min(0).describe('Number of the slot, from 0'),
        video_id: videoId,
        start_seconds: seconds.nullable().default(null).describe('In the take; null: chosen'),
        focus: focusPointSchema
          .nullable()
          .optional()
          .describe('Point of the picture that crops keep in view; null: chosen'),
      }),
    )
    .max(MAX_CHANGES)
    .default(() => [])
    .describe('Takes that slots must show'),
  lengths: z
    .array(
      z.looseObject({
        slot: z.int().min(0).describe('Number of the slot, from 0'),
        beats: z
          .int()
          .min(-MAX_LENGTH_BEATS)
          .max(MAX_LENGTH_BEATS)
          .describe('Beats more (or less, if negative) than planned; 0: stays as planned'),
      }),
    )
    .max(MAX_CHANGES)
    .optional()
    .describe(
      'Slots that are longer or shorter than planned. The nearest slot after it that is not named here and has the time gives or takes the beats, else the nearest before it; all other cuts stay. A beat is one of the song, else of the template, else half a second',
    ),
  bans: z
    .array(z.looseObject({ video_id: videoId, range }))
    .max(MAX_CHANGES)
    .default(() => [])
    .describe('Parts of takes that the edit does not show'),
  replan: z
    .boolean()
    .default(false)
    .describe(
      'Whether bans plan the whole edit again; otherwise they change the slots that showed the banned parts, and the output keeps its shape',
    ),
  titles: z
    .array(
      z.looseObject({
        at: z.union([z.enum(PLACES), seconds]).describe('`start`, `end`, or seconds of the output'),
        text: z.string().trim().min(1).max(MAX_TITLE_CHARACTERS).describe('At most two lines'),
        style: z
          .enum(TITLE_STYLES)
          .optional()
          .describe(
            "`look`: as the template's titles, or its captions if it has no certain title, the default; `clean`, `bold`, `box`, `small`: white, large or small, on a shadow, an outline or a box",
          ),
        place: focusPointSchema
          .nullable()
          .optional()
          .describe(
            'Middle of the text in the output, in shares of its width and height; null: as the style has it',
          ),
        box: z.boolean().nullable().optional().describe('A box behind the text; null: as the style has it'),
        animation: z
          .enum(TITLE_ANIMATIONS)
          .optional()
          .describe(
            "How it appears and disappears: `auto` (default): as the template's titles with the style `look`, at once with others; `none`: at once; `fade`, `slide` (from below), `pop` (grows)",
          ),
      }),
    )
    .max(MAX_TITLES)
    .default(() => [])
    .describe('Texts over the picture, about 3 s each'),
  revises: z.uuid().nullable().default(null).describe('The job that this one changes, for its history'),
});

export type EditOptions = z.output<typeof editSchema>;
export type EditInput = z.input<typeof editSchema>;
