extension PageScriptParts {
    /// The picture of latency over time answers to pointer and keys, and shows what the filter leaves; the others over time tell their columns.
    static let picture = #"""
        const scale = picture && Object.fromEntries(['span', 'left', 'width', 'bottom', 'row', 'rows']
          .map(name => [name, Number(picture.dataset[name])]));
        const place = row => ({ x: scale.left + scale.width * Math.min(1, Math.max(0, row.at / scale.span)),
          y: row.latency === null ? scale.bottom + 20
            : scale.bottom - scale.row * Math.min(scale.rows, Math.max(0, 10 * Math.log10(Math.max(1, row.latency) / 100))) });
        const families = new Map();
        const shapes = new Map(all('#latency .key path').map(path => {
          const name = path.getAttribute('class');
          return [name, path.getAttribute('d').replace(/^M7 7/, '')];
        }));
        for (const item of all('#owners li')) for (const owner of item.dataset.owners.split(' '))
          families.set(owner, item.dataset.family);
        let shown = rows;
        const layer = draw('g', { class: 'picked', 'aria-hidden': 'true' }), ring = draw('g', { 'aria-hidden': 'true' });
        const redraw = isFiltered => {
          if (!picture) return;
          for (const group of all('g.whole', picture)) group.style.display = isFiltered ? 'none' : '';
          const paths = new Map();
          for (const row of isFiltered ? shown : []) {
            const name = row.latency === null ? 'wrong' : `o-${families.get(row.owner) || 'notifier'}`;
            const shape = row.latency === null ? 'm-4-4l8 8m0-8l-8 8' : shapes.get(name) || 'm-2-2h4v4h-4z';
            const { x, y } = place(row);
            paths.set(name, `${paths.get(name) || ''}M${x.toFixed(1)} ${y.toFixed(1)}${shape}`);
          }
          layer.replaceChildren(...[...paths].map(([name, d]) => draw('path', { class: name, d })));
        };
        const markChosen = () => {
          if (!picture) return;
          ring.replaceChildren();
          if (!chosen) return;
          const { x, y } = place(chosen);
          ring.append(draw('path', { class: 'edge', d: `M${x} ${scale.bottom}V12` }),
            draw('circle', { class: 'chosen', cx: x, cy: y, r: 8 }));
        };
        const step = by => {
          const index = shown.indexOf(chosen);
          const next = shown[index < 0 ? (by > 0 ? 0 : shown.length - 1) : index + by];
          if (next) choose(next);
        };
        const pointed = (svg, event) => {
          const matrix = svg.getScreenCTM();
          return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
        };
        const nearest = event => {
          const at = pointed(picture, event);
          let found = null, least = 196;
          for (const row of at ? shown : []) {
            const { x, y } = place(row), far = (x - at.x) ** 2 + (y - at.y) ** 2;
            if (far < least) { least = far; found = row; }
          }
          return found;
        };
        const cells = row => all('th,td', row).map(cell => cell.textContent);
        const column = (svg, event) => {
          const at = pointed(svg, event), table = byID(svg.dataset.columns);
          if (!at || !table) return null;
          const number = Math.floor((at.x - Number(svg.dataset.left)) / 4);
          const row = table.querySelector(`tr[data-column="${number}"]`);
          if (!row) return null;
          const names = cells(table.querySelector('thead tr'));
          return cells(row).map((value, index) => `${names[index]}${index ? ':' : ''} ${value}`);
        };
        for (const svg of all('svg[data-columns]')) {
          svg.addEventListener('pointermove', event => {
            const row = svg === picture ? nearest(event) : null;
            const lines = row ? [title(row), `done at ${row.clock}`, outcome(row)] : column(svg, event);
            svg.classList.toggle('hot', Boolean(row));
            if (lines) showTip(event, lines); else hideTip();
          });
          svg.addEventListener('pointerleave', hideTip);
        }
        addEventListener('scroll', hideTip, { passive: true });
        if (picture && rows.length) {
          picture.append(layer, ring);
          picture.addEventListener('click', event => { const row = nearest(event); if (row) choose(row); });
          picture.parentElement.addEventListener('keydown', event => {
            const region = picture.parentElement, isScrolling = region.scrollWidth > region.clientWidth + 1;
            const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (by && !(isScrolling && !event.shiftKey)) { event.preventDefault(); step(by); }
            if (event.key === 'Enter' && chosen) { event.preventDefault(); const story = storyOf(chosen); if (story) open(story); }
            if (event.key === 'Escape') choose(null);
          });
          picture.closest('figure').after(panel);
          panel.append(hint());
        }

        """#
}
