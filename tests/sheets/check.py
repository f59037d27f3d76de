"""Checks the Word documents of scripts/sheets with python-docx, and the pages that LibreOffice makes of them."""

import json
import re
import sys
import unicodedata
from pathlib import Path

import docx

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
STYLES = {"Title", "Heading 1", "Heading 2", "List Bullet", "List Number", "Caption", "Table Grid", "Checklist"}
# Pages of the document "long", whose largest row takes several pages.
MOST_PAGES = 120


def words(text: str) -> set[str]:
    """Returns words without ligatures and other letter forms of fonts, which the text of a PDF contains."""
    return set(re.findall(r"\w+", unicodedata.normalize("NFKC", text)))


def check(file: Path) -> int:
    """Returns how many pages a document has, and fails if a part of the document is not on them."""
    expected = json.loads(file.with_suffix(".json").read_text())
    document = docx.Document(file)
    assert STYLES <= {style.name for style in document.styles}, file
    assert document.core_properties.language == expected["language"], file
    assert document.core_properties.title == document.paragraphs[0].text.strip("\u200e"), file
    assert document.paragraphs[0].style.name == "Title", file
    inside = words(" ".join(text.text or "" for text in document.element.body.iter(f"{WORD}t")))
    pages = file.with_suffix(".txt").read_text().split("\f")[:-1]
    shown = words(" ".join(pages))
    wanted = words(" ".join(expected["texts"]))
    assert len(wanted) > 5, file
    assert not wanted - inside, f"{file}: not in the document: {sorted(wanted - inside)[:9]}"
    # Long words are broken at the ends of lines, so the search ignores line breaks. It leaves out Arabic, because PDFs
    # contain the letters in the order in which they stand on the page, and not in which they are read.
    if expected["language"] != "ar":
        everything = re.sub(r"\W", "", unicodedata.normalize("NFKC", "".join(pages)))
        missing = [word for word in wanted - shown if word not in everything]
        assert not missing, f"{file}: not on the pages: {sorted(missing)[:9]}"
    for number, page in enumerate(pages, 1):
        # The last line is the title and the number of the page.
        text, _, last = page.strip().rpartition("\n")
        assert text.strip(), f"{file}: page {number} is empty"
        assert re.findall(r"\d+", last)[-2:] == [str(number), str(len(pages))], f"{file}: page {number} ends with {last!r}"
    if file.stem.startswith("long"):
        head = [page for page in pages if re.search(r"^\s*Term\s+Definition$", page, re.MULTILINE)]
        assert len(head) > 5, f"{file}: the head of the table is on {len(head)} pages"
        assert len(pages) < MOST_PAGES, file
    return len(pages)


files = sorted(Path(sys.argv[1]).glob("*.docx"))
assert len(files) > 30, "too few documents"
print(f"{len(files)} documents with {sum(map(check, files))} pages are fine")
