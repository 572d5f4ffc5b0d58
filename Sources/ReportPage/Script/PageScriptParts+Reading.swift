extension PageScriptParts {
    /// Making elements, writing times as the rest of the page does, and reading the list of notifications.
    static let reading = #"""
        const byID = id => document.getElementById(id);
        const all = (selector, within = document) => [...within.querySelectorAll(selector)];
        const make = (name, attributes = {}, ...content) => {
          const made = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
          made.append(...content);
          return made;
        };
        const draw = (name, attributes = {}, ...content) => {
          const made = document.createElementNS(document.querySelector('svg').namespaceURI, name);
          for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
          made.append(...content);
          return made;
        };
        const two = number => String(number).padStart(2, '0');
        const duration = milliseconds => {
          const value = Math.abs(milliseconds), sign = milliseconds < 0 ? '-' : '';
          if (value < 1e3) return `${sign}${value} ms`;
          if (value < 6e5) return `${sign}${(Math.round(value / 100) / 10).toFixed(1)} s`;
          if (value < 3.6e6) return `${sign}${Math.floor(value / 6e4)}m${two(Math.floor(value / 1e3) % 60)}s`;
          if (value < 1.728e8) return `${sign}${Math.floor(value / 3.6e6)}h${two(Math.floor(value / 6e4) % 60)}m`;
          return `${sign}${(value / 8.64e7).toFixed(1)} d`;
        };

        const list = document.querySelector('#notifications pre');
        const milliseconds = text => text === '-' ? null : Math.round(Number(text) * 1e3);
        const rows = (list ? list.textContent.split('\n').slice(1) : []).filter(line => line).map(line => {
          const parts = line.split('\t');
          const [activity, clock, kind, by, on, person, wrong, took, owner] = parts;
          const [at, latency, visible, polled, held, told, pushed] = parts.slice(9).map(milliseconds);
          return { activity, clock, kind, by, on, person, wrong, took, owner, at, latency, visible, polled, held, told, pushed,
            text: `#${activity} ${kind} ${by} ${on} ${person} ${wrong} ${owner}`.toLowerCase() };
        });
        const stories = all('details.story').map(story => ({ story, activity: story.dataset.activity, kind: story.dataset.kind,
          person: story.dataset.person, owner: story.dataset.owner, wrong: 'x', seed: story.dataset.seed,
          text: story.querySelector('summary').textContent.toLowerCase() }));
        const picture = byID('latency-time');
        const seed = picture ? picture.dataset.seed : null;
        const storyOf = row => (stories.find(one => one.seed === seed && one.activity === row.activity && one.person === row.person)
          || {}).story;

        """#
}
