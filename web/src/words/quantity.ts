/** Quantities as people read them. */

const SECONDS_A_MINUTE = 60;
const MINUTES_AN_HOUR = 60;

/** `1:02`, `1:02:03`: a length or a place in a video. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / SECONDS_A_MINUTE);
  const two = (value: number) => String(value).padStart(2, '0');
  if (minutes < MINUTES_AN_HOUR) return `${minutes}:${two(whole % SECONDS_A_MINUTE)}`;
  const hours = Math.floor(minutes / MINUTES_AN_HOUR);
  return `${hours}:${two(minutes % MINUTES_AN_HOUR)}:${two(whole % SECONDS_A_MINUTE)}`;
}

/** `0:03.4`: a time in a video, for work frame by frame. */
export function timecode(seconds: number): string {
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6);
  return `${clock(Math.floor(tenths / 10))}.${tenths % 10}`;
}

/** `about 2 min`, `about 40 s`: how long something will take. Rounded as roughly as it is known. */
export function about(seconds: number): string {
  if (seconds < 8) return 'a few seconds';
  if (seconds < 55) return `about ${Math.round(seconds / 5) * 5} s`;
  const minutes = seconds / SECONDS_A_MINUTE;
  if (minutes < 55) return `about ${Math.max(1, Math.round(minutes))} min`;
  return `about ${Math.round((minutes / MINUTES_AN_HOUR) * 2) / 2} h`;
}

/** `3.4 s`, `2 min 5 s`: how long something took. */
export function took(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < SECONDS_A_MINUTE) return `${whole} s`;
  const minutes = Math.floor(whole / SECONDS_A_MINUTE);
  if (minutes < MINUTES_AN_HOUR) return `${minutes} min ${whole % SECONDS_A_MINUTE} s`;
  return `${Math.floor(minutes / MINUTES_AN_HOUR)} h ${minutes % MINUTES_AN_HOUR} min`;
}

/** `1.4 GB`, in powers of ten as file managers and networks count. */
export function bytes(count: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let value = count;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** `3 cuts`, `1 cut`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `2 minutes ago`. */
export function ago(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1000;
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return 'just now';
}

/** A text in which no line ends between a number and its unit. */
export function withWholeQuantities(text: string): string {
  return text.replace(/(\d) (?=(?:s|ms|min|h|px|kB|MB|GB|dB|LU|LUFS|BPM)\b|%)/g, '$1\u00A0');
}
