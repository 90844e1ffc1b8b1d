/** What the service warns of, in plain words: what is so, and what can be done about it. */

export interface WarningWords {
  readonly title: string;
  readonly advice: string;
  /** The service's own words, which hold the figures. */
  readonly technical: string;
}

const WORDS: Readonly<Record<string, readonly [title: string, advice: string]>> = {
  CROP_CUTS: [
    'The crop cuts something off for a moment',
    'If that matters, render again with Framing: Fit, which shows all of the picture.',
  ],
  RATIO_PUBLISHED: [
    'The shape was rounded',
    'The look is nearly of a shape that players and platforms show without bars, and the result is exactly that. Nothing needs to be done.',
  ],
  SIZE_CAPPED: [
    'The result is smaller than it could be',
    'The quality has a largest size. A higher quality gives all lines.',
  ],
  UPSCALED: [
    'The picture was enlarged',
    'It shows less than its size promises. A smaller size is as sharp, and a smaller file.',
  ],
  OUTPUT_SMALL: [
    'The result is small',
    'The shape of the look leaves little of your video. Choose a larger size, or switch Shape off.',
  ],
  TONE_MAPPED: [
    'HDR became SDR',
    'Your video has more brightness than usual screens show; it was brought into their range. Nothing needs to be done.',
  ],
  TEMPLATE_SHORT: [
    'The look is a short video',
    'Its rhythm may be another than its maker meant. A longer clip of it says more.',
  ],
  TEMPLATE_UNUSABLE: [
    'The look could not be read',
    'Your video was rendered without it. Use another file of the look.',
  ],
  STYLE_EXTRACTION_FAILED: [
    'The style could not be measured',
    'Your video was rendered without it. Use another look.',
  ],
  STYLE_NOT_MEASURED: [
    'Part of the style could not be told',
    'The look shows too little of it, so it was left as it is. A longer clip shows more.',
  ],
  PACING_LIMITED: [
    'The rhythm is not quite that of the look',
    'Speech and what your video already has come first. Faster rhythm by “Cut out” may come nearer.',
  ],
  FRAME_RATE_KEPT: [
    'The frame rate stayed as it was',
    'The look has too few frames a second for moving pictures. Nothing needs to be done.',
  ],
  COLOR_NOT_MEASURED: [
    'Colours stayed as they are',
    'Your video or the look has no colour to measure. Another look may have.',
  ],
  LOOK_UNSURE: [
    'The colours of the look are a guess',
    'It shows nearly one colour only. If the result looks wrong, lower the strength of Colour.',
  ],
  LOOK_LIMITED: [
    'The look was reduced',
    'All the way, too little could have been seen, or people would have lost their colour. Nothing needs to be done.',
  ],
  SOURCE_DEVELOPED: [
    'Your video was developed first',
    'It looks like a flat camera recording (log). If it is meant to be that pale, turn Colour off.',
  ],
  CLOCK_JUMPS: [
    'The video is made of several recordings',
    'Its clock jumps between them. They play one after the other, without gaps. Nothing needs to be done.',
  ],
  SOUND_TRACK_SKIPPED: [
    'Another sound track is used',
    'The first one is of a kind that cannot be played here. If the other one is not the right one, send the video with one sound track.',
  ],
  SOUND_NOT_DECODABLE: [
    'The video is used without sound',
    'Its sound is of a kind that cannot be played here. Export the video with AAC sound to keep it.',
  ],
  SOUND_LONGER_THAN_PICTURE: [
    'The end of the sound is left out',
    'The sound runs longer than the picture, and the result ends with the picture. Make the picture longer to keep the sound.',
  ],
  TEMPLATE_FLAT: [
    'The look is flat and pale',
    'It looks like a camera recording that was never graded, and the result follows it. Another look gives more contrast.',
  ],
  LOUDNESS_LIMITED: [
    'The sound is quieter than that of the look',
    'Louder would have brought up noise or distortion. Nothing needs to be done.',
  ],
  AUDIO_STYLE_SILENT: [
    'The look has next to no sound',
    'The sound of your video stayed as it is. Nothing needs to be done.',
  ],
  NO_CAPTION_TRACK: [
    'No captions were added',
    'The look has some, but your video brings no text for them. Add a caption file (SRT or VTT) under More.',
  ],
  CAPTIONS_NOT_IN_STYLE: [
    'Your captions are not shown',
    'The look has none. Choose a look with captions to have them.',
  ],
  CAPTIONS_IN_PICTURE: [
    'No captions were added',
    'Your video seems to show some already. To show others all the same, add a caption file (SRT or VTT) under More.',
  ],
  NO_SPEECH_FOUND: [
    'No captions were added',
    'No words were heard in your video. Add a caption file (SRT or VTT) under More to have some.',
  ],
  CAPTIONS_TWICE: [
    'There may be two sets of captions',
    'Your video seems to show some already. Remove the caption file if they collide.',
  ],
  CAPTIONS_LEFT_OUT: [
    'Some captions are missing',
    'There is no typeface here for their script: Latin, Greek, Cyrillic and Japanese can be shown.',
  ],
  CAPTION_CHARACTERS_LEFT_OUT: [
    'Some characters of the captions are missing',
    'The typefaces here lack them. Replace them in the captions, and render again.',
  ],
  CAPTIONS_PAST_END: ['Captions go on after the end', 'Check that they belong to this video.'],
  CAPTION_SIGNS_LEFT_OUT: [
    'Texts placed in the picture are not shown',
    'The captions hold signs (ASS) beside the dialogue. Only the dialogue is shown.',
  ],
  CAPTIONS_ENCODING_GUESSED: [
    'The captions may show wrong letters',
    'Their encoding had to be guessed. Save them as UTF-8 if letters look wrong.',
  ],
  FRAMES_MISSING: [
    'Your video has gaps',
    'Some of its frames are missing from the file. Export it again if the result stutters.',
  ],
  ENCODER_UNAVAILABLE: [
    'It was encoded by the processor',
    'The graphics chip that this service is set to use cannot be used. The result is as good.',
  ],
  RENDERED_TWICE: [
    'It took two tries',
    'The first result had a fault and was thrown away; this one was checked. Nothing needs to be done.',
  ],
  REPORT_FAILED: [
    'There is no report',
    'The result itself is complete. To have the report too, render again.',
  ],
  EDIT_SHORTENED: [
    'The reel is shorter than asked',
    'There is too little to show that is sharp, steady and not banned. Add takes, or ask for a shorter one.',
  ],
  EDIT_PIN_MOVED: [
    'A pinned shot begins earlier',
    'Its take ends too soon after the moment that was pinned. Pin an earlier one.',
  ],
  EDIT_TAKE_UNUSED: [
    'A take that must be used is not',
    'No usable moment of it fits. Ban less of it, or ask for a longer reel.',
  ],
  COMPARISON_LEFT_OUT: [
    'There is no comparison',
    'A reel of several takes has no picture before. Nothing needs to be done.',
  ],
  JOINED_FILE_LEFT_OUT: [
    'Part of the file is not played',
    'Another video is joined behind the first, and players do not reach it. Send the two as files of their own.',
  ],
  UNKNOWN_KEY: ['A setting had no effect', 'This service does not know it: the details say which.'],
};

/** A code that this page does not know is told in the service's own words. */
export function warningWords({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): WarningWords {
  const [title, advice] = WORDS[code] ?? [message, ''];
  return { title, advice, technical: message };
}

export const KNOWN_WARNINGS: readonly string[] = Object.keys(WORDS);
