"""Decodes image files with other projects' libraries.

For each file named it writes the pixels beside it as FILE.f32 (interleaved 32-bit floats, integers as 0 to 1),
and prints a line of JSON: width, height, type, levels of green, color profile (base64), code points.
"""

import base64
import io
import json
import sys

import imagecodecs
import numpy
import tifffile


def png_chunk(data, name):
    place = 8
    while place < len(data):
        size = int.from_bytes(data[place:place + 4], "big")
        if data[place + 4:place + 8] == name:
            return data[place + 8:place + 8 + size]
        place += 12 + size
    return None


def code_points(data):
    """The fields of the nclx box: primaries, transfer, matrix, full range."""
    place = data.find(b"colrnclx")
    if place < 0:
        return None
    parts = data[place + 8:place + 15]
    return [parts[1], parts[3], parts[5], parts[6] >> 7]


def read(path):
    data = open(path, "rb").read()
    facts = {"profile": None, "nclx": None}
    kind = path.rsplit(".", 1)[1]
    if kind == "heic":
        import pillow_heif
        file = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=False)
        pixels = numpy.asarray(file)
        facts["mode"] = file.mode
        facts["profile"] = file.info.get("icc_profile")
        facts["nclx"] = code_points(data)
        facts["bits"] = file.info["bit_depth"]
        greatest = 255 if pixels.dtype == numpy.uint8 else 65535
        if greatest == 65535:
            # The library scales 10 bits to 16.
            pixels = pixels >> (16 - facts["bits"])
            greatest = (1 << facts["bits"]) - 1
    elif kind == "avif":
        pixels = imagecodecs.avif_decode(data)
        facts["nclx"] = code_points(data)
        greatest = {numpy.uint8: 255}.get(pixels.dtype.type)
        if greatest is None:
            place = data.find(b"av1C")
            greatest = 4095 if data[place + 6] & 0x20 else 1023
        place = data.find(b"colrprof")
        if place > 0:
            size = int.from_bytes(data[place - 4:place], "big")
            facts["profile"] = data[place + 8:place - 4 + size]
    elif kind == "jxl":
        pixels = imagecodecs.jpegxl_decode(data)
        greatest = {1: 255, 2: 65535}[pixels.itemsize] if pixels.dtype.kind == "u" else 1
    elif kind == "tif":
        with tifffile.TiffFile(io.BytesIO(data)) as file:
            page = file.pages[0]
            pixels = page.asarray()
            facts["profile"] = page.tags[34675].value
        greatest = {1: 255, 2: 65535}[pixels.itemsize] if pixels.dtype.kind == "u" else 1
    elif kind == "png":
        pixels = imagecodecs.png_decode(data)
        greatest = 255 if pixels.itemsize == 1 else 65535
        points = png_chunk(data, b"cICP")
        facts["nclx"] = list(points) if points else None
        profile = png_chunk(data, b"iCCP")
        if profile:
            import zlib
            facts["profile"] = zlib.decompress(profile[profile.index(0) + 2:])
    elif kind == "exr":
        import OpenEXR
        part = OpenEXR.File(path).parts[0]
        facts["header"] = {k: str(v) for k, v in part.header.items()}
        pixels = part.channels["RGB"].pixels
        facts["halves"] = str(pixels.dtype)
        greatest = 1
    elif kind == "uhdr":
        pixels = imagecodecs.ultrahdr_decode(data)[..., :3]
        greatest = 1
    else:
        pixels = imagecodecs.jpeg_decode(data)
        greatest = 255
        place = data.find(b"ICC_PROFILE\0")
        size = int.from_bytes(data[place - 2:place], "big")
        facts["profile"] = data[place + 14:place - 2 + size]
    floats = numpy.ascontiguousarray(pixels[..., :3].astype(numpy.float32) / greatest)
    floats.tofile(path + ".f32")
    facts["height"], facts["width"] = pixels.shape[:2]
    facts["type"] = str(pixels.dtype)
    facts["levels"] = len(numpy.unique(pixels[..., 1]))
    if facts["profile"]:
        facts["xyz"] = connection_space(facts["profile"])
        facts["profile"] = base64.b64encode(facts["profile"]).decode()
    return facts


def connection_space(profile):
    """Red, green, blue, white and a middle gray converted by lcms2: XYZ under D50."""
    colors = numpy.array(
        [[[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [0.5, 0.5, 0.5]]], numpy.float32)
    xyz = imagecodecs.cms_profile("xyz")
    result = imagecodecs.cms_transform(
        colors, profile, xyz, colorspace="rgb", outcolorspace="xyz", outdtype=numpy.float32, intent=1)
    return result.reshape(-1).astype(float).tolist()


for path in sys.argv[1:]:
    print(json.dumps(read(path)))
