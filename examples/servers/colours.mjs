/** A colour as `#rrggbb`, lower case. */
const HEX = /^#[0-9a-f]{6}$/;

/** The pattern of a colour, for the schemas of the tools. */
export const HEX_PATTERN = HEX.source;

/** The middle of two colours. */
export function mix(left, right) {
  const other = channels(right);
  return toHex(channels(left).map((value, index) => (value + other[index]) / 2));
}

/** The colour and its companions around the colour wheel, `count` in all. */
export function harmony(colour, count) {
  const [hue, saturation, lightness] = toHsl(channels(colour));
  return Array.from({ length: count }, (_, index) =>
    toHex(fromHsl([(hue + index / count) % 1, saturation, lightness])),
  );
}

/** Five shades around a hue in degrees, from dark to light. */
export function shades(hue, saturation) {
  return [0.2, 0.35, 0.5, 0.65, 0.8].map((lightness) =>
    toHex(fromHsl([hue / 360, saturation, lightness])),
  );
}

function channels(colour) {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

function toHex(values) {
  return `#${values.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function toHsl(values) {
  const [red, green, blue] = values.map((value) => value / 255);
  const high = Math.max(red, green, blue);
  const low = Math.min(red, green, blue);
  const lightness = (high + low) / 2;
  const spread = high - low;
  if (spread === 0) return [0, 0, lightness];
  const saturation = spread / (1 - Math.abs(2 * lightness - 1));
  if (high === red) return [((green - blue) / spread / 6 + 1) % 1, saturation, lightness];
  if (high === green) return [((blue - red) / spread + 2) / 6, saturation, lightness];
  return [((red - green) / spread + 4) / 6, saturation, lightness];
}

function fromHsl([hue, saturation, lightness]) {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const position = (offset + hue * 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  });
}
