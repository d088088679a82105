"""Asks other projects' readers about DNG files.

Reads lines of JSON, {"file", "samples", "width", "height", "components", "table"}, where "samples"
names a file of the little-endian samples that were written (16-bit integers, or floats with
"isFloat"), and prints a line of JSON for each: {"file", "complaints": [...], "judges": [...]}.
"""
import json
import os
import sys
import tempfile

import dngpy
import numpy
import rawpy


def adobe(path):
    """The samples read by Adobe's DNG SDK, and its complaints on standard error."""
    saved = os.dup(2)
    with tempfile.TemporaryFile() as caught:
        os.dup2(caught.fileno(), 2)
        try:
            pixels = numpy.array(dngpy.Dng(path).raw_pixels)
        finally:
            os.dup2(saved, 2)
            os.close(saved)
        caught.seek(0)
        lines = caught.read().decode(errors="replace").splitlines()
    return pixels, [line for line in lines if "***" in line]


def judge(request):
    complaints, judges = [], []
    expected = numpy.fromfile(request["samples"], dtype="<f4" if request.get("isFloat") else "<u2")
    shape = (request["height"], request["width"])
    if request["components"] > 1:
        shape += (request["components"],)
    expected = expected.reshape(shape)
    table = request.get("table")
    try:
        pixels, lines = adobe(request["file"])
        complaints += ["Adobe: " + line for line in lines]
        if not numpy.array_equal(pixels.reshape(shape), expected):
            complaints.append("Adobe: other samples")
        judges.append("adobe")
    except Exception as error:
        complaints.append(f"Adobe: {error}")
    if not request.get("libraw", True):
        return {"file": request["file"], "complaints": complaints, "judges": judges}
    try:
        with rawpy.imread(request["file"]) as raw:
            pixels = raw.raw_image if len(shape) == 2 else raw.raw_image[:, :, :3]
            wanted = expected if table is None else numpy.array(table, dtype="uint16")[expected]
            if request.get("means"):
                means = [float(pixels[:, :, plane].mean()) / 65535 for plane in range(3)]
                for found, mean in zip(means, request["means"]):
                    if abs(found - mean) > 0.005 * mean:
                        complaints.append(f"LibRaw: means {means} in place of {request['means']}")
                        break
            elif pixels.shape != wanted.shape or not numpy.array_equal(pixels, wanted):
                complaints.append(f"LibRaw: other samples ({pixels.shape})")
            if len(shape) == 2:
                colors = "".join(raw.color_desc.decode()[i] for i in raw.raw_pattern.flatten())
                if colors.lower() != request["pattern"]:
                    complaints.append(f"LibRaw: pattern {colors}")
            raw.postprocess(half_size=True)
        judges.append("libraw")
    except Exception as error:
        complaints.append(f"LibRaw: {error}")
    return {"file": request["file"], "complaints": complaints, "judges": judges}


for line in sys.stdin:
    print(json.dumps(judge(json.loads(line))), flush=True)
