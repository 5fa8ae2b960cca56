/** spec: #storage-texel-formats: the texel formats that storage textures can have. */
import type { ScalarType } from "../types/type.ts";
import { F32, I32, U32 } from "../types/type.ts";

/** spec: #texel-formats: how the bits of one channel are read and written. */
export type ChannelFormat =
  | "8unorm"
  | "8snorm"
  | "8uint"
  | "8sint"
  | "16unorm"
  | "16snorm"
  | "16uint"
  | "16sint"
  | "16float"
  | "32uint"
  | "32sint"
  | "32float"
  | "2unorm"
  | "2uint"
  | "10unorm"
  | "10uint"
  | "10float"
  | "11float";

export interface TexelFormat {
  readonly name: string;
  /** Channels in memory order: `rgba`, `bgra`, `r`. */
  readonly channels: string;
  /** One per channel, in the same order. */
  readonly formats: readonly ChannelFormat[];
  /** Type of each component of the value in the shader. */
  readonly shaderType: ScalarType;
  /** Language extension that the format needs, or null. */
  readonly requires: string | null;
}

const TIER1 = "texture_formats_tier1";

function uniform(name: string, channels: string, format: ChannelFormat, requires: string | null): TexelFormat {
  return packed(
    name,
    channels,
    [...channels].map(() => format),
    requires,
  );
}

function packed(
  name: string,
  channels: string,
  formats: readonly ChannelFormat[],
  requires: string | null,
): TexelFormat {
  const shaderType = formats[0].endsWith("uint") ? U32 : formats[0].endsWith("sint") ? I32 : F32;
  return { name, channels, formats, shaderType, requires };
}

const ALL: readonly TexelFormat[] = [
  uniform("rgba8unorm", "rgba", "8unorm", null),
  uniform("rgba8snorm", "rgba", "8snorm", null),
  uniform("rgba8uint", "rgba", "8uint", null),
  uniform("rgba8sint", "rgba", "8sint", null),
  uniform("rgba16unorm", "rgba", "16unorm", TIER1),
  uniform("rgba16snorm", "rgba", "16snorm", TIER1),
  uniform("rgba16uint", "rgba", "16uint", null),
  uniform("rgba16sint", "rgba", "16sint", null),
  uniform("rgba16float", "rgba", "16float", null),
  uniform("rg8unorm", "rg", "8unorm", TIER1),
  uniform("rg8snorm", "rg", "8snorm", TIER1),
  uniform("rg8uint", "rg", "8uint", TIER1),
  uniform("rg8sint", "rg", "8sint", TIER1),
  uniform("rg16unorm", "rg", "16unorm", TIER1),
  uniform("rg16snorm", "rg", "16snorm", TIER1),
  uniform("rg16uint", "rg", "16uint", TIER1),
  uniform("rg16sint", "rg", "16sint", TIER1),
  uniform("rg16float", "rg", "16float", TIER1),
  uniform("r32uint", "r", "32uint", null),
  uniform("r32sint", "r", "32sint", null),
  uniform("r32float", "r", "32float", null),
  uniform("rg32uint", "rg", "32uint", null),
  uniform("rg32sint", "rg", "32sint", null),
  uniform("rg32float", "rg", "32float", null),
  uniform("rgba32uint", "rgba", "32uint", null),
  uniform("rgba32sint", "rgba", "32sint", null),
  uniform("rgba32float", "rgba", "32float", null),
  uniform("bgra8unorm", "bgra", "8unorm", null),
  uniform("r8unorm", "r", "8unorm", TIER1),
  uniform("r8snorm", "r", "8snorm", TIER1),
  uniform("r8uint", "r", "8uint", TIER1),
  uniform("r8sint", "r", "8sint", TIER1),
  uniform("r16unorm", "r", "16unorm", TIER1),
  uniform("r16snorm", "r", "16snorm", TIER1),
  uniform("r16uint", "r", "16uint", TIER1),
  uniform("r16sint", "r", "16sint", TIER1),
  uniform("r16float", "r", "16float", TIER1),
  packed("rgb10a2unorm", "rgba", ["10unorm", "10unorm", "10unorm", "2unorm"], TIER1),
  packed("rgb10a2uint", "rgba", ["10uint", "10uint", "10uint", "2uint"], TIER1),
  packed("rg11b10ufloat", "rgb", ["11float", "11float", "10float"], TIER1),
];

const byName = new Map(ALL.map((format) => [format.name, format]));

export const TEXEL_FORMAT_NAMES: readonly string[] = ALL.map((format) => format.name);

/** The format of that name; undefined when there is none. */
export function texelFormat(name: string): TexelFormat | undefined {
  return byName.get(name);
}
