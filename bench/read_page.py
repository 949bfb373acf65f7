"""Measures how fast Python libraries read a page of SUNAT: read_page.py FILE

Each reader returns the same list of labels and values. Prints the median microseconds of each as lines `name value`.
"""

import statistics
import sys
import time

from bs4 import BeautifulSoup
from lxml import html

READINGS = 60


def with_soup(parser):
    def read(page):
        soup = BeautifulSoup(page, parser, from_encoding="iso-8859-1")
        found = []
        for item in soup.select("div.list-group-item"):
            labels = [label.get_text(" ", strip=True) for label in item.select(".list-group-item-heading")]
            values = [value.get_text(" ", strip=True) for value in item.select(".list-group-item-text")]
            cells = [cell.get_text(" ", strip=True) for cell in item.select("td")]
            found.append((labels, values, cells))
        return found

    return read


def with_lxml(page):
    tree = html.fromstring(page, parser=html.HTMLParser(encoding="iso-8859-1"))
    found = []
    for item in tree.xpath('//div[contains(concat(" ", @class, " "), " list-group-item ")]'):
        labels = [" ".join(e.text_content().split()) for e in item.xpath('.//*[contains(@class, "item-heading")]')]
        values = [" ".join(e.text_content().split()) for e in item.xpath('.//*[contains(@class, "item-text")]')]
        cells = [" ".join(e.text_content().split()) for e in item.xpath(".//td")]
        found.append((labels, values, cells))
    return found


def median_micros(read, page):
    times = []
    for _ in range(READINGS):
        start = time.perf_counter()
        found = read(page)
        times.append((time.perf_counter() - start) * 1e6)
        assert len(found) > 10, "the page was not read"
    return statistics.median(times)


page = open(sys.argv[1], "rb").read()
print(f"soup_html_parser {median_micros(with_soup('html.parser'), page):.1f}")
print(f"soup_lxml {median_micros(with_soup('lxml'), page):.1f}")
print(f"lxml {median_micros(with_lxml, page):.1f}")
