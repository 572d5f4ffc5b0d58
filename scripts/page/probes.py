"""What is asked of an open page: pieces of JavaScript that give back what is wrong with it."""

# Beside each other, above each other, but never upon each other: half a pixel is the browser's rounding.
OVERLAPS = """
const found = [];
for (const details of document.querySelectorAll('details')) details.open = true;
for (const svg of document.querySelectorAll('svg')) {
  const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()])
    .filter(([, b]) => b.width > 0);
  const frame = svg.getBoundingClientRect();
  for (const [text, b] of boxes)
    if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1)
      found.push(`"${text}" reaches out of its picture`);
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length; j++) {
      const [s, a] = boxes[i], [t, b] = boxes[j];
      if (a.left + .5 < b.right && b.left + .5 < a.right && a.top + 2.5 < b.bottom && b.top + 2.5 < a.bottom)
        found.push(`"${s}" and "${t}"`);
    }
}
return found.slice(0, 5);
"""

# The contrast of text with what lies behind it, as WCAG 2 defines it.
CONTRAST = """
const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
const behind = element => { for (let e = element; e; e = e.parentElement) {
  const c = parse(getComputedStyle(e).backgroundColor); if (c.length && (c.length < 4 || c[3] > 0)) return c; } return [255, 255, 255]; };
const weak = new Set();
for (const element of document.querySelectorAll(
    'p,h1,h2,h3,td,th,dd,dt,li,b,code,caption,figcaption,summary,label span,output,button,input,select,pre,.word,svg text:not(.on)')) {
  const style = getComputedStyle(element), inside = element instanceof SVGElement;
  const a = light(parse(inside ? style.fill : style.color)), b = light(behind(element));
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) weak.add(`${element.tagName} ${element.className.baseVal ?? element.className}: ${ratio.toFixed(1)}`);
}
return [[...weak].slice(0, 5), getComputedStyle(document.body).backgroundColor];
"""

SECTIONS = """
return [...document.querySelectorAll('section[aria-labelledby]')].filter(s =>
  document.getElementById(s.getAttribute('aria-labelledby'))?.textContent.trim()).map(s => s.id);
"""

DOUBLED = """
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
return ids.filter((id, i) => ids.indexOf(id) !== i).slice(0, 3);
"""

DEAD = """
return [...document.querySelectorAll('a')].map(a => a.getAttribute('href')).filter(to => to && to.startsWith('#'))
  .map(to => to.slice(1)).filter(id => !document.getElementById(id)).slice(0, 3);
"""

# What can be reached with the Tab key and has no name for those who do not see it.
NAMELESS = """
return [...document.querySelectorAll('a,button,input,select,summary,[tabindex="0"]')].filter(e =>
  !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.[0]?.textContent.trim())).map(e => e.outerHTML.slice(0, 80)).slice(0, 3);
"""
