extension PageScriptParts {
    /// By words, owner, kind and person, or the abnormal ones alone: the picture, the list below it and the stories follow.
    static let filter = #"""
        const optionsKept = 500, matchesShown = 50;
        const count = make('output', { 'aria-live': 'polite' });
        const search = make('input', { type: 'search', id: 'find-words', placeholder: '#42, a person, an item', maxlength: 200 });
        const abnormal = make('input', { type: 'checkbox', id: 'find-abnormal' });
        const choices = Object.entries({ owner: 'owner or cause', kind: 'kind', person: 'person' }).map(([field, name]) => {
          const values = [...new Set([...rows, ...stories].map(row => row[field]).filter(value => value && value !== '-'))]
            .sort((one, other) => one < other ? -1 : 1);
          const select = make('select', { id: `find-${field}` }, make('option', { value: '' }, 'any'));
          for (const value of values.slice(0, optionsKept)) select.append(make('option', { value }, value));
          return { field, name, select };
        });
        const matches = make('details', { id: 'matches' }, make('summary'), make('div', { class: 'wide' }));
        const storiesLeft = make('p', { class: 'muted', role: 'status' });
        const isWanted = row => {
          const words = search.value.trim().toLowerCase();
          const number = /^#?(\d+)$/.exec(words);
          if (number ? row.activity !== number[1] : words && !row.text.includes(words)) return false;
          if (abnormal.checked && row.wrong === '-') return false;
          return choices.every(({ field, select }) => !select.value || row[field] === select.value);
        };
        const table = found => {
          const ranked = [...found].sort((one, other) => (other.latency ?? Infinity) - (one.latency ?? Infinity) || one.at - other.at);
          const names = ['activity', 'done', 'kind', 'by', 'on', 'for', 'wrong', 'took', 'owner or cause'];
          const body = make('tbody');
          for (const row of ranked.slice(0, matchesShown)) {
            const line = make('tr');
            line.append(make('th', { scope: 'row' }, button(`#${row.activity}`, () => choose(row, true))));
            for (const value of [row.clock, row.kind, row.by, row.on, row.person, row.wrong, row.took, row.owner])
              line.append(make('td', {}, value));
            body.append(line);
          }
          const head = make('tr');
          for (const name of names) head.append(make('th', { scope: 'col' }, name));
          const more = found.length > matchesShown ? `; the first ${matchesShown}` : '';
          return make('table', {}, make('caption', {}, `${found.length} notifications, the longest first${more}`), make('thead', {}, head), body);
        };
        const apply = () => {
          const isFiltered = Boolean(search.value.trim() || abnormal.checked || choices.some(({ select }) => select.value));
          shown = isFiltered ? rows.filter(isWanted) : rows;
          redraw(isFiltered);
          count.textContent = `${shown.length} of ${rows.length} notifications`;
          matches.firstChild.textContent = `List: ${shown.length} notifications`;
          matches.lastChild.replaceChildren(table(shown));
          let told = 0;
          for (const one of stories) {
            one.story.hidden = isFiltered && !isWanted(one);
            if (!one.story.hidden) told += 1;
          }
          storiesLeft.textContent = isFiltered ? `The filter leaves ${told} of ${stories.length} stories.` : '';
          if (chosen && !shown.includes(chosen)) choose(null);
        };
        const field = (name, control) => make('label', { for: control.id }, make('span', {}, name), control);
        if (rows.length && picture) {
          const bar = make('div', { class: 'find', role: 'search', 'aria-label': 'Find notifications' });
          bar.append(field('find', search));
          for (const { name, select } of choices) bar.append(field(name, select));
          bar.append(field('abnormal only', abnormal), button('clear', () => {
            search.value = ''; abnormal.checked = false;
            for (const { select } of choices) select.value = '';
            apply();
          }), count);
          picture.closest('figure').before(bar);
          panel.after(matches);
          matches.lastChild.setAttribute('tabindex', '0');
          matches.lastChild.setAttribute('role', 'region');
          matches.lastChild.setAttribute('aria-label', 'Notifications that the filter leaves');
          for (const control of [search, abnormal, ...choices.map(({ select }) => select)]) for (const event of ['input', 'change']) control.addEventListener(event, apply);
          search.addEventListener('keydown', event => {
            if (event.key === 'Enter' && shown.length) choose([...shown].sort((one, other) => (other.latency ?? Infinity) - (one.latency ?? Infinity))[0], true);
            if (event.key === 'Escape') { search.value = ''; apply(); }
          });
          if (stories.length) byID('misses').querySelector('h2').after(storiesLeft);
          apply();
        }

        """#
}
