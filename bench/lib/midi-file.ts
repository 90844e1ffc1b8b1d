/** Tempo and notes of a Standard MIDI File (RP-001). */
export interface MidiSong {
  readonly bytes: Buffer;
  /** Beats a minute of most of the first minute. */
  readonly bpm: number;
  /** Share of the beats with that tempo. */
  readonly steadyShare: number;
  /** Share of the notes on quarters and thirds of a beat: few of a song that was played freely. */
  readonly placedShare: number;
  readonly seconds: number;
}

interface Events {
  readonly tempi: { readonly tick: number; readonly beatSeconds: number }[];
  readonly notes: number[];
  /** Ticks of a beat by the first time signature. */
  beatTicks: number;
}

/** Of a song, only this much is heard. */
export const HEARD_SECONDS = 60;
const DEFAULT_BEAT_SECONDS = 0.5;
const PLACES = [0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1];
const PLACE_WIDTH = 0.04;
const SAME_TEMPO = 0.01;

/** The files in some bytes, such as a game's archive. */
export function midiSongsIn(bytes: Buffer): MidiSong[] {
  const songs: MidiSong[] = [];
  for (let at = bytes.indexOf('MThd'); at >= 0; at = bytes.indexOf('MThd', at + 4)) {
    const song = songAt(bytes, at);
    if (song !== null) songs.push(song);
  }
  return songs;
}

function songAt(bytes: Buffer, start: number): MidiSong | null {
  if (start + 14 > bytes.length) return null;
  const [tracks, division] = [bytes.readUInt16BE(start + 10), bytes.readUInt16BE(start + 12)];
  if (division === 0 || division >= 0x8000) return null;
  const events: Events = { tempi: [], notes: [], beatTicks: division };
  let at = start + 14;
  for (let track = 0; track < tracks && at + 8 <= bytes.length; track++) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    readTrack(bytes.subarray(at + 8, end), division, events);
    at = end;
  }
  if (events.notes.length === 0) return null;
  return { bytes: bytes.subarray(start, at), ...describe(events, division) };
}

function readTrack(data: Buffer, division: number, events: Events): void {
  let [at, tick, status] = [0, 0, 0];
  const number = () => {
    let value = 0;
    for (;;) {
      const byte = data[at++] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  while (at < data.length) {
    tick += number();
    if (data[at] >= 0x80) status = data[at++];
    if (status === 0xff || status === 0xf0 || status === 0xf7) {
      const type = status === 0xff ? data[at++] : 0;
      const length = number();
      if (type === 0x51) events.tempi.push({ tick, beatSeconds: data.readUIntBE(at, 3) / 1e6 });
      // Beats of compound metres have three eighths.
      if (type === 0x58 && data[at + 1] === 3 && data[at] % 3 === 0) events.beatTicks = (division * 3) / 2;
      at += length;
      continue;
    }
    if (status >> 4 === 9 && data[at + 1] > 0) events.notes.push(tick);
    at += status >> 4 === 0xc || status >> 4 === 0xd ? 1 : 2;
  }
}

function describe({ tempi, notes, beatTicks }: Events, division: number): Omit<MidiSong, 'bytes'> {
  tempi.sort((one, other) => one.tick - other.tick);
  notes.sort((one, other) => one - other);
  const secondsOf = (tick: number) => {
    let [seconds, from, beatSeconds] = [0, 0, DEFAULT_BEAT_SECONDS];
    for (const tempo of tempi) {
      if (tempo.tick >= tick) break;
      seconds += ((tempo.tick - from) * beatSeconds) / division;
      [from, beatSeconds] = [tempo.tick, tempo.beatSeconds];
    }
    return seconds + ((tick - from) * beatSeconds) / division;
  };
  const heard = notes.filter((tick) => secondsOf(tick) < HEARD_SECONDS);
  const beats: number[] = [];
  for (let tick = 0; tick <= heard.at(-1)!; tick += beatTicks) beats.push(secondsOf(tick));
  const intervals = beats.slice(1).map((time, n) => time - beats[n]);
  const usual = intervals.toSorted((one, other) => one - other)[intervals.length >> 1] ?? 0;
  const placed = heard.filter((tick) =>
    PLACES.some((place) => Math.abs((tick % beatTicks) / beatTicks - place) < PLACE_WIDTH),
  );
  const steady = intervals.filter((interval) => Math.abs(interval / usual - 1) < SAME_TEMPO);
  return {
    bpm: 60 / usual,
    steadyShare: steady.length / Math.max(1, intervals.length),
    placedShare: placed.length / heard.length,
    seconds: secondsOf(heard.at(-1)!),
  };
}
