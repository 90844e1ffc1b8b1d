/** A voice at another speed and pitch. */

/** Window, hop and search of the overlap, in seconds (W. Verhelst, M. Roelands, ICASSP 1993). */
const WINDOW = 0.03;
const SEARCH = 0.01;

/** `pitch` and `speed` as factors. */
export function varied(
  voice: Float32Array,
  rate: number,
  { pitch, speed }: { readonly pitch: number; readonly speed: number },
): Float32Array {
  return stretched(resampled(voice, pitch), rate, pitch / speed);
}

function resampled(voice: Float32Array, factor: number): Float32Array {
  return Float32Array.from({ length: Math.floor(voice.length / factor) }, (_, n) => {
    const at = Math.floor(n * factor);
    return voice[at] + (n * factor - at) * ((voice[at + 1] ?? 0) - voice[at]);
  });
}

/** So many times as long, at the same pitch: windows overlap where they resemble what would follow. */
function stretched(voice: Float32Array, rate: number, factor: number): Float32Array {
  const window = 2 * Math.round((WINDOW * rate) / 2);
  const hop = window / 2;
  const search = Math.round(SEARCH * rate);
  const out = new Float32Array(Math.floor(voice.length * factor));
  let natural = 0;
  for (let at = 0; at + window < out.length; at += hop) {
    const wanted = Math.floor(at / factor);
    let [best, most] = [wanted, Number.NEGATIVE_INFINITY];
    for (let from = Math.max(0, wanted - search); at > 0 && from <= wanted + search; from += 2) {
      if (from + window > voice.length) break;
      let likeness = 0;
      for (let n = 0; n < hop; n += 3) likeness += voice[from + n] * voice[natural + n];
      if (likeness > most) [best, most] = [from, likeness];
    }
    for (let n = 0; n < window; n++)
      out[at + n] += (voice[best + n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / window));
    natural = best + hop;
  }
  return out;
}
