import { Failure } from '../domain/errors.ts';
import { COMPONENT_NAMES, type ComponentName } from '../domain/job-choices.ts';
import { dialsOfLook } from '../style/model/color-dials.ts';
import type { Look } from '../style/model/look.ts';
import { type Style, styleSchema } from '../style/model/schema.ts';
import { STYLE_VERSION } from '../style/model/style-version.ts';
import { AUTHORED, type AuthoredPreset } from './authored.ts';
import { lookOfAuthored } from './look.ts';

/** An authored Style DNA: a look to start from without a template. */
export type Preset = Omit<AuthoredPreset, 'look' | 'style'> & { readonly style: Style };

const WRITTEN_AT = '2026-11-21T00:00:00Z';

export const PRESETS: readonly Preset[] = AUTHORED.map(({ look, style, ...about }) => ({
  ...about,
  style: writtenStyle(lookOfAuthored(look), style),
}));

/** The Style DNA of an authored look. */
export function writtenStyle(look: Look, style: AuthoredPreset['style']): Style {
  return styleSchema.parse({
    version: STYLE_VERSION,
    aspect_ratio: '16:9',
    frame_rate: 30,
    motion_intensity: 0.2,
    zoom_usage: 0,
    use_subtitles: false,
    created_at: WRITTEN_AT,
    // A preset has no measurements and no uncertainty.
    source_duration_seconds: 0,
    extraction_confidence: 1,
    color_grade: dialsOfLook(look),
    look: { greys: look.greys.map((grey) => ({ ...grey })), chroma: look.chroma },
    ...style,
  });
}

/** Throws PRESET_NOT_FOUND with the names of all presets. */
export function presetNamed(id: string): Preset {
  const preset = PRESETS.find((one) => one.id === id);
  if (preset !== undefined) return preset;
  const names = PRESETS.map((one) => one.id).join(', ');
  throw new Failure('PRESET_NOT_FOUND', `There is no preset ${JSON.stringify(id)}; there are ${names}`);
}

/**
 * A raw `config` that switches off all components outside the preset, and switches on the shape if the preset has one. No preset
 * describes a talk: a `config` that names it decides.
 * Components in `config` take precedence.
 */
export function withPreset(preset: Pick<Preset, 'components'>, config: Readonly<Record<string, unknown>>) {
  const isNamed = (name: ComponentName) => name === 'talk' && config['talk'] !== undefined;
  const off = COMPONENT_NAMES.filter((name) => !preset.components.includes(name) && !isNamed(name));
  const shape = preset.components.includes('aspect_ratio') ? { aspect_ratio: true } : {};
  const own = (config['components'] ?? {}) as Record<string, unknown>;
  const components = { ...Object.fromEntries(off.map((name) => [name, false])), ...shape, ...own };
  return { ...config, components };
}
