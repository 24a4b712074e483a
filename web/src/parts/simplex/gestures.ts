// Drag to pan, two fingers or Ctrl + wheel to zoom, click to fix the cross-hair. The bare wheel scrolls the page, as it
// does everywhere else.
export interface Gestures {
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
}

const slop = 4; // pixels a click may wander

export function gestures(handler: () => Gestures) {
  return (element: SVGElement) => {
    const fingers = new Map<number, { x: number; y: number }>();
    let wandered = 0;
    const local = (event: PointerEvent | WheelEvent) => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };

    function down(event: PointerEvent): void {
      // Handles are dragged by themselves (Svelte hears events at the root, too late to stop them here).
      if (event.button !== 0 || (event.target instanceof Element && event.target.closest('[data-dragged]'))) return;
      fingers.set(event.pointerId, local(event));
      wandered = 0;
    }

    function move(event: PointerEvent): void {
      const now = local(event);
      const before = fingers.get(event.pointerId);
      if (!before) {
        if (event.buttons === 0) handler().hover(now.x, now.y);
        return;
      }
      const [dx, dy] = [now.x - before.x, now.y - before.y];
      wandered += Math.abs(dx) + Math.abs(dy);
      if (fingers.size === 2) pinch(event.pointerId, before, now);
      else if (wandered > slop) {
        // Only now: a captured pointer would take clicks away from what is drawn here.
        element.setPointerCapture(event.pointerId);
        handler().pan(dx, dy);
      }
      fingers.set(event.pointerId, now);
    }

    function pinch(id: number, before: { x: number; y: number }, now: { x: number; y: number }): void {
      const other = [...fingers].find(([finger]) => finger !== id)?.[1];
      if (!other) return;
      const span = (p: { x: number; y: number }) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
      handler().zoom(span(now) / span(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    }

    function up(event: PointerEvent): void {
      if (!fingers.delete(event.pointerId)) return;
      const { x, y } = local(event);
      if (event.type === 'pointerup' && wandered <= slop) handler().click(x, y);
    }

    function wheel(event: WheelEvent): void {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { x, y } = local(event);
      handler().zoom(Math.exp(-event.deltaY * 0.004), x, y);
    }

    const leave = () => handler().leave();
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', up);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', up);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('wheel', wheel);
    };
  };
}
