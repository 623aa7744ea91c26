export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Place {
  left: number;
  top: number;
}

/** Pixels between our button and what it stands next to. */
const GAP = 8;

/**
 * Where the button goes: beside the composer level with the send button, else above its end, else in the window's
 * corner. Never over anything that can be clicked.
 *
 * @param composer the box with the composer and its buttons; undefined where the site has none
 * @param send the send button
 * @param size width and height of our button, in pixels
 * @param isFree whether nothing clickable lies at a point
 */
export function placeButton(
  { composer, send }: { composer: Box | undefined; send: Box | undefined },
  view: { width: number; height: number; rightToLeft: boolean },
  size: { width: number; height: number },
  isFree: (x: number, y: number) => boolean,
): Place & { where: 'beside' | 'above' | 'corner' } {
  const fits = ({ left, top }: Place) =>
    left >= 0 && top >= 0 && left + size.width <= view.width && top + size.height <= view.height;
  const free = ({ left, top }: Place) =>
    [left + 2, left + size.width / 2, left + size.width - 2].every((x) => isFree(x, top + size.height / 2));
  const end = (box: Box) => (view.rightToLeft ? box.left : box.right - size.width);
  if (composer) {
    const level = send ? (send.top + send.bottom) / 2 : (composer.top + composer.bottom) / 2;
    const beside = {
      left: view.rightToLeft ? composer.left - GAP - size.width : composer.right + GAP,
      top: level - size.height / 2,
    };
    if (fits(beside) && free(beside)) return { ...beside, where: 'beside' };
    const above = { left: end(composer), top: composer.top - GAP - size.height };
    if (fits(above) && free(above)) return { ...above, where: 'above' };
  }
  const corner = {
    left: view.rightToLeft ? 2 * GAP : view.width - size.width - 2 * GAP,
    top: view.height - size.height - 2 * GAP,
  };
  return { ...corner, where: 'corner' };
}

/** Where a panel goes so that it is whole in the window: above the button where there is room, else below. */
export function placePanel(
  anchor: Box,
  view: { width: number; height: number; rightToLeft: boolean },
  size: { width: number; height: number },
): Place {
  const wanted = view.rightToLeft ? anchor.left : anchor.right - size.width;
  const left = Math.min(Math.max(GAP, wanted), Math.max(GAP, view.width - size.width - GAP));
  const above = anchor.top - GAP - size.height;
  const below = anchor.bottom + GAP;
  const top = above >= GAP ? above : Math.min(below, Math.max(GAP, view.height - size.height - GAP));
  return { left, top };
}
