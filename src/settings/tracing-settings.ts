import { z } from 'zod';

const SAMPLER_NAMES = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLER_NAMES)[number];

/** OpenTelemetry's standard variables that this code depends on; its exporter reads the others. */
export const tracingEnvironment = {
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((text) => text.toLowerCase() === 'true'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'console', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/protobuf').optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal('http/protobuf').optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLER_NAMES).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

type Environment = z.output<z.ZodObject<typeof tracingEnvironment>>;

export interface TracingSettings {
  readonly exporter: 'otlp' | 'console';
  readonly sampler: SamplerName;
  /** 0..1, of the samplers by ratio. */
  readonly samplerRatio: number;
}

/** Null: traces are forwarded, but none are recorded. An exporter or an address enables them. */
export function tracingSettings(environment: Environment): TracingSettings | null {
  const { OTEL_SDK_DISABLED: isDisabled, OTEL_TRACES_EXPORTER: exporter } = environment;
  const hasAddress =
    environment.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined;
  if (isDisabled || exporter === 'none' || (exporter === undefined && !hasAddress)) return null;
  return {
    exporter: exporter ?? 'otlp',
    sampler: environment.OTEL_TRACES_SAMPLER,
    samplerRatio: environment.OTEL_TRACES_SAMPLER_ARG,
  };
}
