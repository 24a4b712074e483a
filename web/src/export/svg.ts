// A picture of the page as a file of its own: what the style sheets say is written onto each element, colours are no
// longer variables, and the patterns it uses come along.

// SVG presentation attributes that our style sheets set.
const properties = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor',
  'dominant-baseline', 'letter-spacing', 'paint-order', 'visibility', 'vector-effect', 'stop-color', 'stop-opacity',
];

const namespace = 'http://www.w3.org/2000/svg';

export function svgText(picture: SVGSVGElement, title: string, source: string): string {
  const copy = resolved(picture) as SVGSVGElement;
  const { width, height } = picture.getBoundingClientRect();
  copy.setAttribute('xmlns', namespace);
  copy.setAttribute('width', String(Math.round(width)));
  copy.setAttribute('height', String(Math.round(height)));
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${Math.round(width)} ${Math.round(height)}`);
  copy.prepend(titled('title', title), titled('desc', source), definitions(copy), ground(picture));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

// The largest: small ones are swatches and icons.
export function mainPicture(within: Element): SVGSVGElement | null {
  const area = (picture: Element) => {
    const { width, height } = picture.getBoundingClientRect();
    return width * height;
  };
  const pictures = [...within.querySelectorAll<SVGSVGElement>('svg')];
  return pictures.reduce<SVGSVGElement | null>((best, one) => (best && area(best) >= area(one) ? best : one), null);
}

// A deep copy with computed styles as attributes; what is not shown is left out.
function resolved(element: Element): Element {
  const copy = element.cloneNode(false) as Element;
  const style = getComputedStyle(element);
  for (const property of properties) {
    const value = style.getPropertyValue(property);
    if (value) copy.setAttribute(property, value.replaceAll('"', "'"));
  }
  for (const name of ['class', 'style', 'tabindex', 'role']) copy.removeAttribute(name);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.cloneNode());
    else if (child instanceof Element && isShown(child)) copy.append(resolved(child));
  }
  return copy;
}

function isShown(element: Element): boolean {
  if (element instanceof SVGTitleElement || element instanceof SVGDefsElement) return true;
  return getComputedStyle(element).display !== 'none';
}

// Patterns live once in the page, outside the picture.
function definitions(copy: Element): Element {
  const defs = document.createElementNS(namespace, 'defs');
  const used = new Set<string>();
  for (const element of copy.querySelectorAll('*')) {
    for (const name of ['fill', 'stroke']) {
      const id = /url\(['"]?#([\w-]+)/.exec(element.getAttribute(name) ?? '')?.[1];
      if (id && !copy.querySelector(`#${CSS.escape(id)}`)) used.add(id);
    }
  }
  for (const id of used) {
    const pattern = document.getElementById(id);
    if (pattern) defs.append(resolved(pattern));
  }
  return defs;
}

function titled(name: 'title' | 'desc', text: string): Element {
  const element = document.createElementNS(namespace, name);
  element.textContent = text;
  return element;
}

// The page's ground, so that a picture saved in dark mode is readable anywhere.
function ground(picture: SVGSVGElement): Element {
  const box = picture.viewBox.baseVal;
  const { width, height } = picture.getBoundingClientRect();
  const rectangle = document.createElementNS(namespace, 'rect');
  rectangle.setAttribute('x', String(box?.x ?? 0));
  rectangle.setAttribute('y', String(box?.y ?? 0));
  rectangle.setAttribute('width', String(box?.width || width));
  rectangle.setAttribute('height', String(box?.height || height));
  rectangle.setAttribute('fill', getComputedStyle(document.documentElement).getPropertyValue('--surface').trim());
  return rectangle;
}
