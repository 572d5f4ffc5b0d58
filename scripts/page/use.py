"""Uses the page of a report as a person does: filters, searches, jumps, points, presses keys, prints, and does without scripts."""

import base64

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

FIELDS = {"owner": 8, "kind": 2, "person": 5}


class Use:
    def __init__(self, driver, sections):
        self.driver = driver
        self.sections = sections
        self.problems = []

    def all(self, page):
        """Everything that does not do what it should, on a page that has a list of notifications."""
        self.problems = []
        self.load(page)
        if not self.one(".find"):
            return ["the page's script does not run: there is no filter"]
        self.rows = [line.split("\t") for line in self.script(
            "return document.querySelector('#notifications pre').textContent").split("\n")[1:] if line]
        if not self.rows:
            return ["the list of notifications is empty"]
        for part in (self.filter, self.search, self.point, self.keys, self.jump, self.address, self.strip, self.stories,
                     self.paper):
            part(page)
        self.without_script(page)
        return self.problems

    # MARK: tools

    def load(self, page, part=""):
        self.driver.get("about:blank")
        self.driver.get(page.resolve().as_uri() + part)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def one(self, selector):
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return found[0] if found else None

    def expect(self, what, seen, wanted):
        if seen != wanted:
            self.problems.append(f"{what}: {seen!r}, not {wanted!r}")

    def text(self, selector):
        element = self.one(selector)
        return element.get_attribute("textContent") if element else ""

    def left(self):
        """How many notifications the filter says that it leaves, and how many shapes the picture shows."""
        shapes = self.script("return [...document.querySelectorAll('#latency-time .picked path')]"
                             ".map(p => p.getAttribute('d').split('M').length - 1).reduce((a, b) => a + b, 0)")
        return int(self.text(".find output").split(" ")[0]), shapes

    def clear(self):
        self.script("[...document.querySelectorAll('.find button')].find(b => b.textContent === 'clear').click()")

    # MARK: what it does

    def filter(self, page):
        for name, column in FIELDS.items():
            select = Select(self.one(f"#find-{name}"))
            values = [option.get_attribute("value") for option in select.options]
            wanted = sorted({row[column] for row in self.rows} - {"-"})
            if not set(wanted) <= set(values):
                self.problems.append(f"filter by {name}: {values[:5]} lacks some of {wanted[:5]}")
            for number, value in enumerate(values[1:4], start=1):
                select.select_by_index(number)
                count = sum(row[column] == value for row in self.rows)
                self.expect(f"filter by {name} {value!r}", self.left(), (count, count))
            select.select_by_index(0)
        self.script("document.getElementById('find-abnormal').click()")
        count = sum(row[6] != "-" for row in self.rows)
        self.expect("abnormal only", self.left(), (count, count))
        self.expect("stories with abnormal only", self.script(
            "return document.querySelectorAll('details.story[hidden]').length"), 0)
        self.clear()
        self.expect("no filter", self.left(), (len(self.rows), 0))

    def search(self, page):
        row = max(self.rows, key=lambda row: float(row[10]) if row[10] != "-" else -1)
        box = self.one("#find-words")
        box.send_keys(f"#{row[0]}")
        count = sum(other[0] == row[0] for other in self.rows)
        self.expect(f"search for #{row[0]}", self.left(), (count, count))
        box.send_keys(Keys.ENTER)
        panel = self.text(".panel")
        for part in (f"#{row[0]} {row[2]} by {row[3]} on {row[4]} for", row[7], f"simctl explain DIR {row[0]}"):
            if part not in panel:
                self.problems.append(f"the chosen notification lacks {part!r}: {panel[:200]!r}")
        if not self.one("#latency-time circle.chosen"):
            self.problems.append("the chosen notification is not marked in the picture")
        self.clear()
        box.send_keys("nothing has this name")
        self.expect("search for nothing", self.left(), (0, 0))
        self.clear()

    def point(self, page):
        row = next((row for row in self.rows if row[10] != "-"), None)
        chart = self.one("#latency-time")
        if not row or not chart:
            return
        self.script("arguments[0].scrollIntoView({block: 'center'})", chart)
        place = self.script(
            "const svg = arguments[0], d = svg.dataset, [at, took] = [arguments[1], arguments[2]];"
            "const x = +d.left + d.width * at / d.span, y = d.bottom - d.row * Math.min(d.rows, Math.max(0, 10 * Math.log10(Math.max(1, took) / 100)));"
            "const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]",
            chart, float(row[9]) * 1000, float(row[10]) * 1000)
        self.hover(*place)
        tip = self.text(".tip")
        if "#" not in tip or "until displayed" not in tip:
            self.problems.append(f"nothing under the pointer over a notification: {tip!r}")
        ActionChains(self.driver).click().perform()
        if "#" not in self.text(".panel"):
            self.problems.append("a click on a notification does not choose it")
        load = self.one("#load-requests")
        if load:
            self.script("arguments[0].scrollIntoView({block: 'center'})", load)
            box = self.script("const b = arguments[0].getBoundingClientRect(); return [b.left + b.width * .4, b.top + b.height / 2]", load)
            self.hover(*box)
            if "requests: " not in self.text(".tip"):
                self.problems.append(f"nothing under the pointer over the requests: {self.text('.tip')!r}")

        self.hover_percentiles()

    def hover_percentiles(self):
        """What the pointer tells is what the table has."""
        curve = self.one("#latency-percentiles")
        if not curve:
            return
        self.script("arguments[0].scrollIntoView({block: 'center'})", curve)
        left = float(curve.get_attribute("data-left") or 0)
        box = self.script("const p = new DOMPoint(arguments[1], 100).matrixTransform(arguments[0].getScreenCTM()); return [p.x, p.y]",
                          curve, left + 4 * 115 + 2)
        self.hover(*box)
        row = self.script("return [...document.querySelector('#percentile-columns tr[data-column=\"115\"]')?.cells ?? []].map(c => c.textContent)")
        tip = self.text(".tip")
        if len(row) != 3 or f"percentile {row[0]}" not in tip or f"latency: {row[1]}" not in tip:
            self.problems.append(f"nothing under the pointer over the percentiles: {tip!r}, not {row}")

    def hover(self, x, y):
        actions = ActionChains(self.driver)
        actions.w3c_actions.pointer_action.move_to_location(int(x) - 3, int(y))
        actions.w3c_actions.pointer_action.move_to_location(int(x), int(y))
        actions.perform()

    def keys(self, page):
        """With the keyboard alone: through the picture, and every control can be reached."""
        self.script("document.querySelector('#latency-time').parentElement.focus()")
        press = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()
        press(Keys.ESCAPE)
        if "arrow keys" not in self.text(".panel"):
            self.problems.append(f"Escape does not close what was chosen: {self.text('.panel')[:80]!r}")
        press(Keys.ARROW_RIGHT)
        first = self.rows[0]
        if f"#{first[0]} {first[2]}" not in self.text(".panel"):
            self.problems.append(f"the right arrow does not choose the first notification: {self.text('.panel')[:80]!r}")
        press(Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
        if f"#{first[0]} {first[2]}" not in self.text(".panel"):
            self.problems.append("the left arrow does not go back")
        press(Keys.ESCAPE)
        self.script("document.querySelector('#jump').focus()")
        seen = set()
        for _ in range(60):
            press(Keys.TAB)
            seen.add(self.script("return document.activeElement.id"))
        for control in ("find-words", "find-owner", "find-kind", "find-person", "find-abnormal"):
            if control not in seen:
                self.problems.append(f"the Tab key does not reach {control}")

    def jump(self, page):
        box = self.one("#jump")
        story = self.one("details.story")
        if story and story.get_attribute("data-activity") != "-":
            box.send_keys(story.get_attribute("data-activity"), Keys.ENTER)
            self.expect("jump to a story", self.script("return document.activeElement.closest('details.story')?.open"), True)
            box.clear()
        told = {one.get_attribute("data-activity") for one in self.driver.find_elements(By.CSS_SELECTOR, "details.story")}
        row = next((row for row in self.rows if row[0] not in told and row[0] != "-"), None)
        if row:
            box.send_keys(row[0], Keys.ENTER)
            if f"#{row[0]} " not in self.text(".panel"):
                self.problems.append(f"jump to #{row[0]} does not show it: {self.text('.panel')[:80]!r}")
            box.clear()
        box.send_keys("987654", Keys.ENTER)
        if "simctl explain DIR 987654" not in self.text(".jump [role=status]"):
            self.problems.append("jump to what is not there says nothing")
        box.clear()

    def address(self, page):
        """`report.html#activity-42`, as somebody sends it."""
        story = self.one("details.story")
        if story:
            name = story.get_attribute("id")
            self.load(page, f"#{name}")
            self.expect(f"#{name}", self.script("return document.getElementById(arguments[0]).open", name), True)
        self.load(page, "#activity-%3Cimg%3E")
        self.load(page)

    def strip(self, page):
        """From a bad seed in the strip to its line."""
        link = self.one("#seed-strip a")
        if not link:
            return
        self.script("arguments[0].scrollIntoView({block: 'center'})", link)
        ActionChains(self.driver).move_to_element(link).click().perform()
        wanted = link.get_attribute("href")
        wanted = wanted if isinstance(wanted, str) else self.script("return arguments[0].getAttribute('href')", link)
        self.expect("a click on a bad seed", self.script("return location.hash"), "#" + wanted.split("#")[-1])

    def stories(self, page):
        """From a seed's line to its first story; each of a few that missed something has one."""
        without = self.script("return [...document.querySelectorAll('#seeds tbody tr')].slice(0, 20)"
                              ".filter(row => +row.cells[3].textContent && !row.querySelector('td a')).map(row => row.id)")
        self.expect("seeds without a way to their stories", without, [])
        self.load(page)
        if not self.one("#seeds td a"):
            return
        link = self.one("#seeds td a")
        self.script("arguments[0].scrollIntoView({block: 'center'})", link)
        seed = self.script("return arguments[0].closest('tr').id.replace('seed-', '')", link)
        link.click()
        # The page hears of its new address in a turn of its own, some frames after the click.
        opened = self.driver.execute_async_script(
            "const done = arguments[0]; let left = 60; const look = () => { const one = document.getElementById(location.hash.slice(1));"
            " if (one?.open || !left--) done([one?.open, one?.dataset.seed]); else requestAnimationFrame(look); }; look();")
        self.expect("a click on the stories of a seed", opened, [True, seed])

    def paper(self, page):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = self.script("return [...document.querySelectorAll('.find,.jump,.panel,.tip,#matches,nav')]"
                            ".filter(e => e.getClientRects().length).map(e => e.className)")
        self.expect("on paper", shown, [])
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.script("window.printed = 0; addEventListener('beforeprint', () => {"
                    "window.printed = document.querySelectorAll('details.story:not([open])').length + 1})")
        document = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        self.expect("stories closed on paper", self.script("return window.printed"), 1)
        if not document.startswith(b"%PDF") or len(document) < 20_000:
            self.problems.append(f"printed, it has {len(document)} bytes")

    def without_script(self, page):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.load(page)
            there = [section.get_attribute("id") for section in self.driver.find_elements(By.CSS_SELECTOR, "section")]
            missing = [section for section in self.sections if section not in there]
            self.expect("sections that are not there without scripts", missing, [])
            if self.one(".find") or self.one(".jump"):
                self.problems.append("without scripts there are controls that do nothing")
            if not self.one("#notifications summary").is_displayed() or not self.one("#latency-time").is_displayed():
                self.problems.append("without scripts the notifications are not there")
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
