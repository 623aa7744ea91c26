import { expect, test } from 'vitest';
import '../../../src/ui/design/tokens.css';

/** Text on ground, as the elements pair them; AA asks for 4.5 to 1. */
const PAIRS = [
  ['--ink', '--paper'],
  ['--ink', '--surface'],
  ['--ink', '--sunken'],
  ['--ink-soft', '--paper'],
  ['--ink-soft', '--surface'],
  ['--ink-soft', '--sunken'],
  ['--ink', '--woad-tint'],
  ['--woad', '--paper'],
  ['--woad', '--surface'],
  ['--woad', '--woad-tint'],
  ['--on-woad', '--woad'],
  ['--on-woad', '--woad-strong'],
  ['--on-weld', '--weld'],
  ['--madder', '--surface'],
  ['--madder', '--paper'],
  ['--ink', '--madder-tint'],
  ['--on-madder', '--madder'],
] as const;

/** Edges of controls; AA asks for 3 to 1. */
const EDGES = [
  ['--line-strong', '--surface'],
  ['--line-strong', '--paper'],
  ['--woad', '--sunken'],
] as const;

test.each(['light', 'dark'])('Text and edges are readable in %s', (theme) => {
  document.documentElement.dataset.theme = theme;
  for (const [text, ground] of PAIRS)
    expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  for (const [edge, ground] of EDGES)
    expect(contrast(edge, ground), `${edge} on ${ground}`).toBeGreaterThanOrEqual(3);
  delete document.documentElement.dataset.theme;
});

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(token: string): number {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const channels = getComputedStyle(probe)
    .color.match(/[\d.]+/g)!
    .slice(0, 3)
    .map(Number);
  probe.remove();
  const [r, g, b] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
