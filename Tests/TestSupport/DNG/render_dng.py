"""Compares renderings of DNG files with those of Adobe's DNG SDK, whose library is in the package dngpy.

Each line of the input is a request in JSON: file, ours (a file of samples in the machine's byte order), width,
height, space, format (words or floats), margin (pixels ignored at each edge), blocks (true to compare means of
eight by eight pixels), and, if they differ from the SDK's defaults, exposure, shadows, x and y of the white.
The answer to each is a line with the mean difference, the limit that 99.9 % of the differences stay below, and
the largest one, on a scale of 65535; or with an error. Each request has its own child process, because the
SDK's exceptions end the process.
"""

import ctypes
import importlib.util
import json
import os
import struct
import sys
import tempfile

import numpy

LIBRARY = os.path.join(
    os.path.dirname(importlib.util.find_spec("dngpy").origin), "..", "lib", "libdng.so.1"
)
POINTER = ctypes.c_void_p
# Offsets of dng_render's settings, in the version that comes with dngpy 0.1.3.
WHITE, EXPOSURE, SHADOWS, SPACE, TYPE = 24, 40, 48, 64, 72
TYPES = {"words": 3, "floats": 11}


def samples(path):
    """Rows of pixels of an uncompressed TIFF file."""
    data = open(path, "rb").read()
    order = "<" if data[:2] == b"II" else ">"
    (place,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, place)
    tags = {}
    for index in range(count):
        start = place + 2 + 12 * index
        tag, kind, number = struct.unpack_from(order + "HHI", data, start)
        code = {1: "B", 3: "H", 4: "I"}.get(kind)
        if code is None:
            continue
        size = struct.calcsize(code) * number
        if size > 4:
            (start,) = struct.unpack_from(order + "I", data, start + 8)
        else:
            start += 8
        tags[tag] = struct.unpack_from(order + str(number) + code, data, start)
    parts = [data[a : a + b] for a, b in zip(tags[273], tags[279])]
    kind = {16: "u2", 32: "f4"}[tags[258][0]]
    return numpy.frombuffer(b"".join(parts), order + kind).reshape(tags[257][0], tags[256][0], 3)


def render(request, path):
    library = ctypes.CDLL(LIBRARY)

    def call(name, result, *arguments):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = [
            POINTER if isinstance(a, (ctypes.Array, int, type(None))) and not isinstance(a, bool)
            else ctypes.c_char_p if isinstance(a, bytes)
            else ctypes.c_bool if isinstance(a, bool)
            else type(a)
            for a in arguments
        ]
        return function(*arguments)

    def memory(size=1 << 16):
        return ctypes.create_string_buffer(size)

    number = ctypes.c_uint
    host, stream, info = memory(), memory(), memory(1 << 20)
    call("_ZN8dng_hostC1EP20dng_memory_allocatorP17dng_abort_sniffer", None, host, None, None)
    call("_ZN15dng_file_streamC1EPKcbj", None, stream, request["file"].encode(), False, number(65536))
    call("_ZN8dng_infoC1Ev", None, info)
    call("_ZN8dng_info5ParseER8dng_hostR10dng_stream", None, info, host, stream)
    call("_ZN8dng_info9PostParseER8dng_host", None, info, host)
    if not call("_ZN8dng_info10IsValidDNGEv", ctypes.c_bool, info):
        raise ValueError("not a DNG file")
    negative = call("_ZN8dng_host17Make_dng_negativeEv", POINTER, host)
    for name in ("5Parse", "9PostParse", "15ReadStage1Image", "17ReadSemanticMasks"):
        function = "_ZN12dng_negative%sER8dng_hostR10dng_streamR8dng_info" % name
        call(function, None, negative, host, stream, info)
    call("_ZN12dng_negative16BuildStage2ImageER8dng_host", None, negative, host)
    call("_ZN12dng_negative16BuildStage3ImageER8dng_hosti", None, negative, host, ctypes.c_int(-1))
    call("_ZN12dng_negative32ResizeSemanticMasksToMatchStage3ER8dng_host", None, negative, host)
    renderer = memory()
    call("_ZN10dng_renderC1ER8dng_hostRK12dng_negative", None, renderer, host, negative)
    defaults = struct.unpack_from("<ddQQI", renderer.raw, EXPOSURE)
    if defaults[1] != 5.0 or defaults[4] != 1:
        raise ValueError("another version of the SDK")
    if "x" in request:
        struct.pack_into("<dd", renderer, WHITE, request["x"], request["y"])
    if "exposure" in request:
        struct.pack_into("<d", renderer, EXPOSURE, request["exposure"])
    if "shadows" in request:
        struct.pack_into("<d", renderer, SHADOWS, request["shadows"])
    space = "dng_space_" + request["space"]
    space = call("_ZN%d%s3GetEv" % (len(space), space), POINTER)
    struct.pack_into("<Q", renderer, SPACE, space)
    struct.pack_into("<I", renderer, TYPE, TYPES[request["format"]])
    image = call("_ZN10dng_render6RenderEv", POINTER, renderer)
    target, writer = memory(), memory()
    call("_ZN15dng_file_streamC1EPKcbj", None, target, path.encode(), True, number(65536))
    call("_ZN16dng_image_writerC1Ev", None, writer)
    call(
        "_ZN16dng_image_writer9WriteTIFFER8dng_hostR10dng_streamRK9dng_imagejjPK12dng_metadata"
        "PK15dng_color_spacePK14dng_resolutionPK16dng_jpeg_previewPK16dng_memory_block"
        "19dng_metadata_subsetbbPS5_b",
        None, writer, host, target, image, number(2), number(1), None, space, None, None, None,
        ctypes.c_int(0), False, True, None, False,
    )
    call("_ZN10dng_stream5FlushEv", None, target)
    call("_ZN15dng_file_streamD1Ev", None, target)


def differences(request, path):
    """The absolute differences of two renderings, sorted, on a scale of 65535."""
    theirs = samples(path)
    height, width, _ = theirs.shape
    if (width, height) != (request["width"], request["height"]):
        raise ValueError("%dx%d, and ours is %dx%d" % (width, height, request["width"], request["height"]))
    kind, unit = ("f4", 65535.0) if request["format"] == "floats" else ("u2", 1.0)
    ours = numpy.fromfile(request["ours"], kind).reshape(theirs.shape)
    margin = request.get("margin", 0)
    if request.get("blocks"):
        margin = max(margin, 8)
        height, width = (height - 2 * margin) // 8 * 8, (width - 2 * margin) // 8 * 8
        inner = slice(margin, margin + height), slice(margin, margin + width)
        blocks = [
            p[inner].reshape(height // 8, 8, width // 8, 8, 3).mean(axis=(1, 3), dtype="f8") for p in (theirs, ours)
        ]
        return numpy.sort(numpy.abs(blocks[0] - blocks[1]), axis=None) * unit
    inner = slice(margin, height - margin), slice(margin, width - margin)
    theirs, ours = theirs[inner], ours[inner]
    if kind == "f4":
        return numpy.sort(numpy.abs(theirs.astype("f8") - ours), axis=None) * unit
    # Images are large, so the differences are counted, one band of rows after the other.
    counts = numpy.zeros(65536, "i8")
    for row in range(0, len(ours), 256):
        band = numpy.abs(theirs[row : row + 256].astype("i4") - ours[row : row + 256])
        counts += numpy.bincount(band.ravel(), minlength=65536)
    return numpy.repeat(numpy.arange(65536, dtype="u2"), counts)


def compare(request):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "adobe.tif")
        render(request, path)
        found = differences(request, path)
    return {
        "mean": float(found.mean(dtype="f8")), "most": float(found[len(found) * 999 // 1000]), "all": float(found[-1]),
    }


def answer(request):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            result = compare(request)
        except Exception as error:  # The parent gets any error.
            result = {"error": str(error)}
        os.write(writer, json.dumps(result).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        text = lines.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if text else {"error": "the SDK ended with status %d" % status}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
