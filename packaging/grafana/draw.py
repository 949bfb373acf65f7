#!/usr/bin/env python3
"""Draws the dashboard's graphs from a Prometheus, without Grafana, as one SVG: draw.py http://127.0.0.1:9090 MINUTES FILE

Also fails if Prometheus refuses an expression.
"""
import html, json, pathlib, sys, time, urllib.parse, urllib.request

WIDTH, HEIGHT, COLUMNS = 300, 130, 3
COLOURS = ["#2b7", "#36c", "#c63", "#939", "#b33", "#088", "#860", "#555"]
DASHBOARD = json.loads(pathlib.Path(__file__).with_name("kuraka.json").read_text())


def series(prometheus, expression, minutes):
    expression = expression.replace("$__rate_interval", "15s").replace("$instance", ".*")
    end = time.time()
    step = max(1, minutes * 60 // 60)
    query = urllib.parse.urlencode({"query": expression, "start": end - minutes * 60, "end": end, "step": step})
    with urllib.request.urlopen(f"{prometheus}/api/v1/query_range?{query}") as answer:
        return json.load(answer)["data"]["result"]


def name(legend, labels):
    for label, value in labels.items():
        legend = legend.replace("{{" + label + "}}", value)
    return legend


def number(value, unit):
    if unit == "bytes":
        return f"{value / 2**20:.0f} MB"
    return f"{value:.3g} {'/s' if unit.endswith('ps') or unit == 'reqps' else {'s': 's', 'd': 'd'}.get(unit, '')}".strip()


def graph(panel, found, x, y):
    points = [float(value) for _, values in found for _, value in values if value not in ("NaN", "+Inf")]
    times = [at for _, values in found for at, _ in values]
    top, first, last = max(points, default=1) or 1, min(times, default=0), max(times, default=1)
    unit = panel["fieldConfig"]["defaults"]["unit"]
    yield f'<text x="{x}" y="{y + 12}" class="title">{html.escape(panel["title"])}</text>'
    yield f'<text x="{x + WIDTH}" y="{y + 12}" text-anchor="end">{number(top, unit)}</text>'
    yield f'<path d="M{x} {y + HEIGHT}h{WIDTH}" stroke="#999"/>'
    for at, (legend, values) in enumerate(sorted(found, key=lambda one: -max(float(v) for _, v in one[1]))[:8]):
        place = lambda t, v: f"{x + WIDTH * (t - first) / max(last - first, 1):.1f} {y + HEIGHT - (HEIGHT - 20) * float(v) / top:.1f}"
        path = "L".join(place(t, v) for t, v in values if v not in ("NaN", "+Inf"))
        if path:
            yield f'<path d="M{path}" stroke="{COLOURS[at]}" fill="none"/>'
        if at < 4:
            label = html.escape(legend[:15])
            yield f'<text x="{x + at * WIDTH / 4}" y="{y + HEIGHT + 12}" class="legend" style="fill:{COLOURS[at]}">{label}</text>'


def main(prometheus, minutes, file):
    panels = [panel for panel in DASHBOARD["panels"] if panel["type"] == "timeseries"]
    parts = []
    for at, panel in enumerate(panels):
        found = []
        for target in panel["targets"]:
            for one in series(prometheus, target["expr"], int(minutes)):
                found.append((name(target["legendFormat"], one["metric"]), one["values"]))
        parts += graph(panel, found, 20 + at % COLUMNS * (WIDTH + 30), 10 + at // COLUMNS * (HEIGHT + 40))
    size = f"{20 + COLUMNS * (WIDTH + 30)} {20 + -(-len(panels) // COLUMNS) * (HEIGHT + 40)}"
    style = "text{font:11px sans-serif;fill:#444}.title{font-weight:bold;fill:#111}.legend{font-size:9px}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}"><style>{style}</style>'
    pathlib.Path(file).write_text(head + f'<rect width="100%" height="100%" fill="#fff"/>' + "\n".join(parts) + "</svg>\n")


main(*sys.argv[1:])
