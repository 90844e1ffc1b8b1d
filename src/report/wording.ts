/** Numbers in an editor's notation: true minus signs, units, few digits. */

export function decimal(value: number, digits = 1): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

export function signed(value: number, digits = 0): string {
  const text = decimal(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

export function percent(share: number, digits = 0): string {
  return `${decimal(share * 100, digits)} %`;
}

/** `0:07.25`, `1:02:03`. */
export function clock(seconds: number, digits = 0): string {
  const step = 10 ** digits;
  const whole = Math.round(seconds * step);
  const minutes = Math.floor(whole / (60 * step));
  const rest = ((whole - minutes * 60 * step) / step)
    .toFixed(digits)
    .padStart(digits === 0 ? 2 : digits + 3, '0');
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** A duration: `480 ms`, `1.6 s`, `2 min 5 s`. */
export function lengthText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 100) return `${decimal(seconds, seconds < 10 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** `zoom_in` → `zoom in`. */
export function spoken(word: string): string {
  const known: Readonly<Record<string, string>> = {
    zoom_in: 'zoom in',
    zoom_out: 'zoom out',
    ease_in: 'ease in',
    ease_out: 'ease out',
    ease_in_out: 'ease in and out',
  };
  return known[word] ?? word.replaceAll('_', ' ');
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

export function frequencyText(hertz: number): string {
  return hertz >= 1000 ? `${Number((hertz / 1000).toFixed(1))} kHz` : `${Math.round(hertz)} Hz`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
