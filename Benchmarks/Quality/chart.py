"""Line charts as SVG, side by side, with axes and a legend."""

import dataclasses
import math
from xml.sax.saxutils import escape

COLORS = {"native": "#0b62c4", "prores_aw": "#c4620b", "prores_ks": "#3a8a3a"}
MARKS = {"native": "circle", "prores_aw": "diamond", "prores_ks": "square"}


@dataclasses.dataclass
class Series:
    name: str
    points: list


@dataclasses.dataclass
class Panel:
    title: str
    series: list


def draw(panels, horizontal, vertical, note):
    width, height = 300, 260
    left, top, gap = 62, 64, 66
    total = left + len(panels) * (width + gap) - gap + 24
    whole = top + height + 62
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {whole}" '
        f'width="{total}" height="{whole}" font-family="sans-serif" font-size="12">',
        f'<rect width="{total}" height="{whole}" fill="white"/>',
    ]
    names = [series.name for series in panels[0].series]
    for index, name in enumerate(names):
        x = left + index * 130
        parts.append(f'<line x1="{x}" y1="20" x2="{x + 24}" y2="20" stroke="{COLORS[name]}" '
                     'stroke-width="2"/>')
        parts.append(mark(name, x + 12, 20))
        parts.append(text(x + 32, 24, name))
    parts.append(text(total - 24, 24, note, "end", "#555"))
    for index, panel in enumerate(panels):
        parts += plot(panel, left + index * (width + gap), top, width, height)
    parts.append(text(total / 2, whole - 14, horizontal, "middle"))
    parts.append(f'<text transform="translate(16 {top + height / 2}) rotate(-90)" '
                 f'text-anchor="middle">{escape(vertical)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def plot(panel, left, top, width, height):
    points = [point for series in panel.series for point in series.points]
    columns = scale(min(p[0] for p in points), max(p[0] for p in points))
    rows = scale(min(p[1] for p in points), max(p[1] for p in points))

    def place(point):
        x = left + width * (point[0] - columns[0]) / (columns[-1] - columns[0])
        y = top + height * (1 - (point[1] - rows[0]) / (rows[-1] - rows[0]))
        return round(x, 1), round(y, 1)

    parts = [text(left + width / 2, top - 12, panel.title, "middle", weight="bold")]
    for value in columns:
        x, _ = place((value, rows[0]))
        parts.append(line(x, top, x, top + height))
        parts.append(text(x, top + height + 18, f"{value:g}", "middle"))
    for value in rows:
        _, y = place((columns[0], value))
        parts.append(line(left, y, left + width, y))
        parts.append(text(left - 8, y + 4, f"{value:g}", "end"))
    parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" '
                 'stroke="#444"/>')
    for series in panel.series:
        places = [place(point) for point in series.points]
        path = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[series.name]}" '
                     'stroke-width="2"/>')
        parts += [mark(series.name, x, y) for x, y in places]
    return parts


def scale(low, high):
    """Round numbers from below `low` to above `high`."""
    span = max(high - low, 1e-6)
    step = 10 ** math.floor(math.log10(span / 3))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 5)
    first = math.floor(low / step)
    last = max(math.ceil(high / step), first + 1)
    return [round(index * step, 6) for index in range(first, last + 1)]


def mark(name, x, y):
    color = COLORS[name]
    shape = MARKS[name]
    if shape == "circle":
        return f'<circle cx="{x}" cy="{y}" r="4" fill="{color}"/>'
    reach = 5.5 if shape == "diamond" else 3.5
    corners = {
        "diamond": [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)],
        "square": [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach),
                   (x - reach, y + reach)],
    }[shape]
    path = " ".join(f"{round(a, 1)},{round(b, 1)}" for a, b in corners)
    return f'<polygon points="{path}" fill="{color}"/>'


def line(x1, y1, x2, y2):
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#ddd"/>'


def text(x, y, words, anchor="start", color="#222", weight="normal"):
    return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{color}" '
            f'font-weight="{weight}">{escape(words)}</text>')
