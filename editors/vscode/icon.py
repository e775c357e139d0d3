"""Draws the icon of the extension: `icon.svg` for people, `icon.png` for the marketplace, which takes no SVG.

Run as `python editors/vscode/icon.py`. One list of shapes makes both: the two legs of an A, with a lozenge for
its bar.
"""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from pathlib import Path

SIDE = 128
"""Width and height in pixels, and in units of the shapes."""

CORNER = 24.0
_SAMPLES = 4

Point = tuple[float, float]
Colour = tuple[int, int, int]

GROUND: Colour = (29, 36, 51)
SHAPES: tuple[tuple[Colour, tuple[Point, ...]], ...] = (
    ((236, 240, 248), ((56.0, 22.0), (72.0, 22.0), (40.0, 106.0), (22.0, 106.0))),
    ((236, 240, 248), ((56.0, 22.0), (72.0, 22.0), (106.0, 106.0), (88.0, 106.0))),
    ((64, 196, 170), ((64.0, 62.0), (78.0, 76.0), (64.0, 90.0), (50.0, 76.0))),
)
"""Convex polygons, from the bottom to the top."""


def svg() -> str:
    """The icon as SVG."""
    polygons = "".join(
        f'  <polygon fill="{_hex(colour)}" points="{" ".join(f"{x:g},{y:g}" for x, y in points)}"/>\n'
        for colour, points in SHAPES
    )
    ground = f'  <rect width="{SIDE}" height="{SIDE}" rx="{CORNER:g}" fill="{_hex(GROUND)}"/>\n'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">\n{ground}{polygons}</svg>\n'


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def png() -> bytes:
    """The icon as PNG: RGBA, 8 bits each, every row unfiltered."""
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def rows() -> bytes:
    """The pixels, each row after the byte that says that it is unfiltered."""
    return b"".join(b"\0" + b"".join(_pixel(x, y) for x in range(SIDE)) for y in range(SIDE))


def _pixel(left: int, top: int) -> bytes:
    """The mean of the samples in one pixel, its opacity the part of them inside the rounded square."""
    offsets = [(step + 0.5) / _SAMPLES for step in range(_SAMPLES)]
    seen = [colour for dy in offsets for dx in offsets if (colour := _colour(left + dx, top + dy)) is not None]
    if not seen:
        return bytes(4)
    mean = (round(sum(part) / len(seen)) for part in zip(*seen, strict=True))
    return bytes((*mean, round(255 * len(seen) / _SAMPLES**2)))


def _colour(x: float, y: float) -> Colour | None:
    if not _in_ground(x, y):
        return None
    return next((colour for colour, points in reversed(SHAPES) if _inside(points, x, y)), GROUND)


def _in_ground(x: float, y: float) -> bool:
    across = max(CORNER - x, x - (SIDE - CORNER), 0.0)
    down = max(CORNER - y, y - (SIDE - CORNER), 0.0)
    return across * across + down * down <= CORNER * CORNER


def _inside(points: tuple[Point, ...], x: float, y: float) -> bool:
    """Whether a point lies on one side of every edge of a convex polygon."""
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in pairwise((*points, points[0]))]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


if __name__ == "__main__":
    folder = Path(__file__).parent
    (folder / "icon.svg").write_text(svg(), encoding="utf-8", newline="\n")
    (folder / "icon.png").write_bytes(png())
