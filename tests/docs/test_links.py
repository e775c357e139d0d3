"""Links between the pages lead somewhere."""

from __future__ import annotations

import re

import pytest

from tests.arch.trees import ROOT, texts

LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PAGES = {path: text for path, text in texts() if path.endswith(".md") and not path.startswith("shared_catalog/")}


def anchors(text: str) -> set[str]:
    """The fragments of a page's headings, as the usual renderers make them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in HEADING.findall(text)}


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading_that_exist(page: str) -> None:
    lost = []
    for link in LINK.findall(FENCE.sub("", PAGES[page])):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, fragment = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        if not target.exists() or (fragment and fragment not in anchors(target.read_text("utf-8"))):
            lost.append(link)
    assert lost == []
