extension PageScriptParts {
    /// What stands under the pointer, and the way of one notification, step by step.
    static let details = #"""
        const tip = make('div', { class: 'tip', 'aria-hidden': 'true', hidden: '' });
        document.body.append(tip);
        const hideTip = () => { tip.hidden = true; };
        const showTip = (event, lines) => {
          tip.replaceChildren(...lines.map((line, index) => make(index ? 'div' : 'b', {}, line)));
          tip.hidden = false;
          const box = tip.getBoundingClientRect();
          const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
          const below = event.clientY + 18;
          tip.style.left = `${Math.max(8, left)}px`;
          tip.style.top = `${below + box.height > innerHeight ? Math.max(8, event.clientY - box.height - 12) : below}px`;
        };
        const title = row => `#${row.activity} ${row.kind} by ${row.by} on ${row.on} for ${row.person}`;
        const outcome = row => row.latency === null ? `${row.wrong}: ${row.owner}`
          : `${row.took} until displayed, most of it ${row.owner}${row.wrong === '-' ? '' : `; ${row.wrong}`}`;

        const steps = row => [['done', 0, 'gitlab'], ['visible', row.visible, 'gitlab'], ['polled', row.polled, 'notifier'],
          ['put by for the end of quiet hours', row.held, 'notifier'], ['told', row.told, row.held === null ? 'notifier' : 'quiet'],
          ['pushed', row.pushed, 'notifier'], ['displayed', row.latency, 'push']].filter(([, at]) => at !== null);
        const waterfall = row => {
          const known = steps(row), end = Math.max(1, ...known.map(([, at]) => at));
          const x = at => 150 + 300 * Math.min(1, Math.max(0, at / end));
          const drawn = draw('svg', { class: 'small', role: 'img', viewBox: `0 0 560 ${known.length * 20 + 8}`,
            'aria-label': known.map(([name, at]) => `${name} after ${duration(at)}`).join('; ') });
          known.forEach(([name, at, family], index) => {
            const y = 4 + index * 20, from = index ? Math.min(x(at), x(known[index - 1][1])) : x(at);
            drawn.append(draw('text', { x: 0, y: y + 14 }, name.length > 20 ? 'put by' : name),
              draw('rect', { class: `o-${family}`, x: from, y: y + 4, width: Math.max(0, x(at) - from), height: 12 }),
              draw('path', { class: 'dot', d: `M${x(at) - 1} ${y + 2}h3v16h-3z` }),
              draw('text', { class: 'axis', x: 462, y: y + 14 }, `+${duration(at)}`));
          });
          return drawn;
        };

        let chosen = null;
        const panel = make('div', { class: 'panel', role: 'status', 'aria-live': 'polite' });
        const button = (text, act, attributes = {}) => {
          const made = make('button', { type: 'button', ...attributes }, text);
          made.addEventListener('click', act);
          return made;
        };
        const choose = (row, scroll) => {
          chosen = row;
          markChosen();
          if (!row) { panel.replaceChildren(hint()); return; }
          const story = storyOf(row), walk = make('p', { class: 'walk' });
          walk.append(button('‹ earlier', () => step(-1)), button('later ›', () => step(1)));
          if (story) walk.append(button('its story', () => open(story)));
          walk.append(button('close', () => choose(null)));
          const explain = make('p', { class: 'muted' }, 'all of it: ',
            make('code', {}, `simctl explain DIR ${row.activity}${seed ? ` --seed ${seed}` : ''}`));
          panel.replaceChildren(make('p', {}, make('b', {}, title(row))),
            make('p', {}, `done at ${row.clock}; ${outcome(row)}`), make('div', { class: 'wide' }, waterfall(row)), explain, walk);
          if (scroll) panel.scrollIntoView({ block: 'center' });
        };
        const hint = () => make('p', { class: 'muted' },
          'Point at a shape, or press the arrow keys in the picture, to see what it was; Enter leads to its story, Escape back.');

        """#
}
