"""Looks at one page: everything that is wrong with it, whatever it is a page of."""

import base64

from page import policy, probes

WIDTHS = (360, 768, 1280)
LONGEST = 1_500_000
MOST_ELEMENTS = 20_000
OPEN = "for (const d of document.querySelectorAll('details')) d.open = true;"


class Look:
    def __init__(self, driver, words, has_script):
        self.driver = driver
        # One of which every such page begins with.
        self.words = words
        self.has_script = has_script

    def problems(self, page, sections):
        text = page.read_text()
        found = policy.problems(text, self.has_script)
        if len(text.encode()) > LONGEST:
            found.append(f"{len(text.encode())} bytes are too many")
        self.driver.get_log("browser")
        self.media("light")
        self.driver.set_window_size(1280, 900)
        self.driver.get(page.resolve().as_uri())
        found += self.structure(sections)
        for width in WIDTHS:
            self.window(width, 900)
            wide = self.driver.execute_script(OPEN + "return document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{wide} pixels wide in a window of {width}")
            found += [f"text upon text at {width}: {overlap}" for overlap in self.driver.execute_script(probes.OVERLAPS)]
        found += self.schemes()
        found += self.names()
        found += [f"console: {entry['message'][:200]}" for entry in self.driver.get_log("browser")]
        return found

    def window(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def media(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def structure(self, sections):
        script = self.driver.execute_script
        there = script(probes.SECTIONS)
        found = [f"no section {section}" for section in sections if section not in there]
        if script("return document.querySelectorAll('img,iframe,object,embed,form,base,link:not([rel=icon])').length"):
            found.append("an element that the page has no use for")
        elements = script("return document.querySelectorAll('*').length")
        if elements > MOST_ELEMENTS:
            found.append(f"{elements} elements")
        first = script("return document.querySelector('main').innerText.trim().split('\\n')[0]")
        if not any(word in first for word in self.words):
            found.append(f"the page begins with {first[:80]!r}, not with its verdict")
        for probe, what in ((probes.DOUBLED, "the same address twice"), (probes.DEAD, "links to nowhere"),
                            (probes.NAMELESS, "controls without a name")):
            wrong = script(probe)
            if wrong:
                found.append(f"{what}: {wrong}")
        if "taken" in self.driver.title and not self.driver.title.startswith(tuple("✓✗?=")):
            found.append("a name was taken for a program")
        return found

    def schemes(self):
        found = []
        grounds = set()
        for scheme in ("light", "dark"):
            self.media(scheme)
            weak, ground = self.driver.execute_script(probes.CONTRAST)
            grounds.add(ground)
            found += [f"too little contrast in {scheme} colours: {text}" for text in weak]
        if len(grounds) < 2:
            found.append("light and dark are the same")
        return found

    def names(self):
        """As a screen reader gets them."""
        tree = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        images = [node for node in tree if node.get("role", {}).get("value") in ("image", "img", "graphics-document")
                  and not node.get("ignored")]
        found = [f"{len(images)} pictures, too few"] if not images and self.driver.execute_script(
            "return document.querySelectorAll('svg[role=img]').length") else []
        for node in images:
            if len(node.get("name", {}).get("value", "").strip()) < 12:
                found.append(f"a picture without a name and a description: {node.get('name', {}).get('value')!r}")
        return found

    def picture(self, name, page, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for suffix, width, scheme in (("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 360, "light")):
            self.media(scheme)
            self.window(width, 900)
            self.driver.get(page.resolve().as_uri())
            height = self.driver.execute_script(
                "for (const d of [...document.querySelectorAll('details.story')].slice(0, 2)) d.open = true;"
                "document.querySelector('#latency-time')?.parentElement.focus({preventScroll: true});"
                "return document.documentElement.scrollHeight")
            self.window(width, min(height, 12_000))
            for part, top in enumerate(range(0, min(height, 12_000), 1_600)):
                clip = {"x": 0, "y": top, "width": width, "height": min(1_600, height - top), "scale": 1}
                taken = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})["data"]
                (folder / f"{name}-{suffix}-{part}.png").write_bytes(base64.b64decode(taken))
