extension PageScriptParts {
    /// To one activity by its number, from addresses that end in `#activity-42`, and onto paper.
    static let ways = #"""
        const open = story => {
          story.hidden = false;
          story.open = true;
          const summary = story.querySelector('summary');
          summary.scrollIntoView({ block: 'start' });
          summary.focus({ preventScroll: true });
        };
        const jumped = make('span', { role: 'status' });
        const jump = number => {
          const story = byID(`activity-${number}`);
          const row = rows.find(one => one.activity === number);
          jumped.textContent = '';
          if (story && story.matches('details.story')) { open(story); return; }
          if (row) {
            if (!shown.includes(row)) { search.value = `#${number}`; abnormal.checked = false; for (const { select } of choices) select.value = ''; apply(); }
            choose(row, true);
            return;
          }
          jumped.textContent = `Nothing of activity ${number} is listed here: simctl explain DIR ${number} tells its story.`;
        };
        if (rows.length || stories.length) {
          const number = make('input', { type: 'text', inputmode: 'numeric', id: 'jump', size: 7, maxlength: 12, placeholder: '42' });
          const go = () => { const found = /^\s*#?(\d+)\s*$/.exec(number.value); if (found) jump(found[1]); else jumped.textContent = 'The number of an activity, such as 42.'; };
          number.addEventListener('keydown', event => { if (event.key === 'Enter') { event.preventDefault(); go(); } });
          document.querySelector('nav').append(make('div', { class: 'jump' },
            field('jump to activity #', number), button('go', go), jumped));
        }
        for (const one of stories) {
          const row = rows.find(row => storyOf(row) === one.story);
          if (row && picture) one.story.append(make('p', {}, button('in the picture', () => choose(row, true))));
        }
        const arrive = () => {
          const name = location.hash.slice(1), target = name && byID(name);
          const number = /^activity-(\d+)$/.exec(name);
          if (target) for (let part = target; part; part = part.parentElement) if (part.matches('details')) part.open = true;
          if (target) target.scrollIntoView(); else if (number) jump(number[1]);
        };
        addEventListener('hashchange', arrive);
        arrive();
        let closed = [];
        addEventListener('beforeprint', () => {
          closed = all('details.story:not([open])');
          for (const story of closed) story.open = true;
        });
        addEventListener('afterprint', () => { for (const story of closed) story.open = false; });

        """#
}
