"""Pages that are broken on purpose: what each check has to say of them."""

from page.look import LONGEST, MOST_ELEMENTS

# What is expected to be said, and what is replaced by what. Those of the first table break the page, whose policy stays as it is or does
# not matter; those of the second break what the script does, and name the new script in the policy.
LOOKS = {
    "no section load": ("<section id=\"load\" aria-labelledby=\"load-h\">", "<section>"),
    "pixels wide": ("*{box-sizing:border-box}", "*{box-sizing:border-box}h2{width:2000px}"),
    "text upon text": ("</desc>", "</desc><text x=\"90\" y=\"90\">one</text><text x=\"92\" y=\"92\">two</text>"),
    "reaches out": ("</desc>", "</desc><text x=\"1030\" y=\"90\">a text that is too long</text>"),
    "console": ("<main>", "<main><script>1</script>"),
    "2 scripts in the text": ("<main>", "<main><script>1</script>"),
    "the policy is": ("default-src 'none'; ", ""),
    "a handler or a style": ("<main>", "<main onclick=\"1\">"),
    "markup that was taken for data": ("<h2 id=\"gates-h\">", "<h2 id=&quot;gates-h&quot;>"),
    "an address in the text": ("<main>", "<main><p>https://example.org</p>"),
    "light and dark": ("prefers-color-scheme:dark", "prefers-color-scheme:none"),
    "too little contrast": ("--muted:#57606a", "--muted:#c0c4c8"),
    "picture without a name": ("aria-labelledby=\"run-t run-d\"", "aria-label=\"x\""),
    "same address twice": ("<main>", "<main><p id=\"run-t\"></p>"),
    "links to nowhere": ("<main>", "<main><a href=\"#nothing\">x</a>"),
    "controls without a name": ("<main>", "<main><button></button>"),
    "not with its verdict": ("<main>", "<main><p>Hello</p>"),
    "an element that": ("<main>", "<main><img alt=\"\" src=\"data:,\">"),
    "bytes are too many": ("</main>", "<p>" + "x " * LONGEST + "</p></main>"),
    "elements": ("</main>", "<b></b>" * MOST_ELEMENTS + "</main>"),
}

# The same of pages without a script: comparisons and sweeps.
PLAIN = {
    "no section verdict": ("<section id=\"verdict\" aria-labelledby=\"verdict-h\">", "<section>"),
    "scripts in the text": ("<main>", "<main><script>1</script>"),
    **{name: LOOKS[name] for name in (
        "pixels wide", "the policy is", "a handler or a style", "an address in the text", "light and dark", "too little contrast",
        "controls without a name", "not with its verdict", "an element that", "bytes are too many", "elements")},
    "links to nowhere": ("<main>", "<main><a href=\"#nothing\">x</a>"),
    "same address twice": ("<main>", "<main><p id=\"verdict-h\"></p>"),
    "text upon text": ("</desc>", "</desc><text x=\"90\" y=\"60\">one</text><text x=\"92\" y=\"62\">two</text>"),
    "reaches out": ("</desc>", "</desc><text x=\"1030\" y=\"60\">a text that is too long</text>"),
    "picture without a name": ("</main>", "<svg role=\"img\" viewBox=\"0 0 9 9\"><path d=\"M0 0h9v9z\"/></svg></main>"),
}

USES = {
    "script does not run": ("'use strict';", "'use strict'; throw 1;"),
    "filter by owner": ("row[field] === select.value", "true"),
    "abnormal only": ("abnormal.checked && row.wrong === '-'", "false"),
    "stories with abnormal only": ("one.story.hidden = isFiltered &&", "one.story.hidden = isFiltered ||"),
    "search for #": ("row.activity !== number[1]", "false"),
    "search for nothing": ("!row.text.includes(words)", "false"),
    "chosen notification lacks": ("`#${row.activity} ${row.kind} by", "`${row.kind} by"),
    "not marked in the picture": ("ring.append(", "(() => {})("),
    "nothing under the pointer over a notification": ("least = 196", "least = -1"),
    "a click on a notification": ("addEventListener('click', event => { const row = nearest(event)", "addEventListener('click', event => { const row = null"),
    "nothing under the pointer over the requests": ("byID(svg.dataset.columns)", "null"),
    "nothing under the pointer over the percentiles": ("data-columns=\"percentile-columns\"", ""),
    "the right arrow": ("ArrowRight: 1", "ArrowUp: 1"),
    "the left arrow": ("ArrowLeft: -1", "ArrowDown: -1"),
    "Escape does not": ("if (event.key === 'Escape') choose(null)", ""),
    "does not reach find-kind": ("make('select', { id: `find-${field}` }", "make('select', { id: `find-${field}`, tabindex: -1 }"),
    "jump to a story": ("if (story && story.matches('details.story'))", "if (false)"),
    "jump to what is not there": ("jumped.textContent = `Nothing", "jumped.title = `Nothing"),
    "seeds without a way to their stories": ("</span> <a href=\"#activity", "</span> <b title=\"#activity"),
    "a click on the stories of a seed": ("addEventListener('hashchange'", "addEventListener('never'"),
    "#activity-": ("if (part.matches('details')) part.open = true", ""),
    "stories closed on paper": ("for (const story of closed) story.open = true", ""),
    "on paper": ("nav,.skip,.find,", "nav,.skip,"),
    "without scripts there are controls": ("<main>", "<main><div class=\"find\"></div>"),
    "sections that are not there without scripts": ("<section id=\"kinds\"", "<section id=\"other\""),
    "without scripts the notifications": ("*{box-sizing:border-box}", "*{box-sizing:border-box}#notifications{display:none}"),
}
