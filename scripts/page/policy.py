"""What a page may hold at all: one script that its policy names, and nothing else that could run or ask for anything."""

import base64
import hashlib
import html.parser
import re


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


class Attributes(html.parser.HTMLParser):
    """What no attribute of an element may be."""

    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name.startswith("on") or name == "style":
                self.found.add(f"a handler or a style in an element: {tag} {name}")
            if (value or "").startswith('"') and name in ("id", "class", "role"):
                self.found.add(f"markup that was taken for data: {tag} {name}")


def problems(text, has_script):
    """Everything in the text of a page that its policy should not allow."""
    found = []
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    if not policy:
        return ["no policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.group(1).split(";"))
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    styles = re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL)
    if len(scripts) != (1 if has_script else 0) or text.count("<script") != len(scripts):
        found.append(f"{text.count('<script')} scripts in the text of the page")
    expected = {"default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'",
                "style-src": " ".join(map(digest, styles))}
    if has_script:
        expected |= {"script-src": " ".join(map(digest, scripts)), "require-trusted-types-for": "'script'"}
    if directives != expected:
        found.append(f"the policy is {directives}, not {expected}")
    outside = re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.DOTALL)
    reader = Attributes()
    reader.feed(outside)
    found += sorted(reader.found)
    if "javascript:" in text or "http://" in text or "https://" in text:
        found.append("an address in the text of the page")
    return found


def resigned(text):
    """A page whose script or style was changed, with a policy that names them as they are now: to break what a script does."""
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    text = re.sub(r"style-src [^;]*", lambda _: "style-src " + " ".join(map(digest, styles)), text, count=1)
    return re.sub(r"script-src [^;]*", lambda _: "script-src " + " ".join(map(digest, scripts)), text, count=1)
