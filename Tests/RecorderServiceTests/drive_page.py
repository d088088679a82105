"""drive_page.py CHROMIUM LINK VIEW-LINK FOLDER: drives the monitor page in a browser; prints JSON.

A line `STEP name` on standard output asks the parent process for a step; it confirms each step with a line
on standard input.
"""
import json
import statistics
import sys
import time

from playwright.sync_api import sync_playwright

chromium, link, view_link, folder = sys.argv[1:5]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"]


def step(name):
    print("STEP", name, flush=True)
    sys.stdin.readline()


def frames(page):
    return int(page.eval_on_selector("#canvas", "canvas => canvas.dataset.frames ?? '0'"))


def wait_until(page, expression, arg=None, seconds=60):
    """Playwright's own method polls with eval() in the page, which the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression, arg):
        if time.monotonic() > end:
            raise TimeoutError(expression)
        time.sleep(0.05)


def wait_for_pictures(page, count):
    wait_until(
        page, "count => Number(document.getElementById('canvas').dataset.frames ?? 0) >= count", count)


# The number that the pattern draws into each frame, as 40 black or white cells: 1010, 32 bits, a bit that makes
# the number of white ones even, 010. Null if it cannot be read.
READ_NUMBER = """() => {
    const canvas = document.getElementById('canvas');
    const { width, height } = canvas;
    const cell = Math.max(2 * Math.floor(width / 48 / 2), 2);
    const left = 12 * Math.floor((width - 40 * cell) / 24);
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const said = { ...canvas.dataset, drawn: null };
    for (let y = 0; y < height && said.drawn === null; y += 2) {
      const cells = Array.from({ length: 40 }, (_, index) =>
        data[4 * (y * width + left + index * cell + cell / 2) + 1] > 128 ? 1 : 0);
      const bits = cells.slice(4, 36);
      const isNumber = cells.slice(0, 4).join('') === '1010' && cells.slice(37).join('') === '010'
        && bits.reduce((sum, bit) => sum + bit, cells[36]) % 2 === 0;
      if (isNumber) said.drawn = bits.reduce((number, bit) => 2 * number + bit, 0);
    }
    return said;
}"""


def latency(page, count):
    """Milliseconds from a frame's capture until it was drawn, using the number read from the page's picture: the
    median, the 95th percentile, and whether numbers and capture times match."""
    seen = {}
    end = time.monotonic() + 60
    while len(seen) < count and time.monotonic() < end:
        data = page.evaluate(READ_NUMBER)
        if data["drawn"] is not None:
            # `captured` is the recorder's monotonic clock and `shown` the page's wall clock; both run on this
            # machine.
            shown = float(data["shown"]) - (time.time() - time.monotonic())
            seen[data["drawn"]] = (float(data["captured"]), shown)
        # Fifteen frames arrive per second.
        time.sleep(0.04)
    first = min(seen)
    begin = seen[first][0]
    # 25 fps.
    captured = {number: begin + (number - first) / 25 for number in seen}
    agree = all(abs(captured[number] - time) < 0.02 for number, (time, _) in seen.items())
    late = sorted(1000 * (shown - captured[number]) for number, (_, shown) in seen.items())
    return round(statistics.median(late)), round(late[(95 * len(late)) // 100]), agree


def audit(page):
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        return None
    violations = Axe().run(page).response["violations"]
    return [
        f"{v['id']}: {[n['target'] for n in v['nodes']][:3]}"
        for v in violations if v["impact"] in ("serious", "critical")
    ]


def look_at_take(page, found):
    """Opens the take, steps through its frames, and verifies it."""
    page.click("#takes li button")
    page.wait_for_selector("#take-dialog[open]")
    shown = "number => document.getElementById('take-frame').dataset.frame === number"
    wait_until(page, shown, "0")
    page.focus("#take-close")
    page.keyboard.press("ArrowRight")
    wait_until(page, shown, "1")
    wait_until(page, """() => [...document.querySelectorAll('#take-strip img')].length === 10
        && [...document.querySelectorAll('#take-strip img, #take-frame')].every((one) => one.naturalWidth > 0)""")
    page.click("#take-verify")
    # The gateway verifies in the scheduling class for idle work, which waits for all other tests.
    verified = "document.getElementById('take-verdict').textContent === 'Verified: valid'"
    wait_until(page, verified, seconds=600)
    found["links"] = page.eval_on_selector_all("#take-links a", "all => all.map((one) => one.textContent)")
    found["take_axe"] = audit(page)
    page.screenshot(path=folder + "/take.png")
    page.keyboard.press("Escape")
    wait_until(page, "!document.getElementById('take-dialog').open")
    # The list was redrawn while the take was verified; the keyboard focus must not move.
    wait_until(page, "document.activeElement.closest('#takes li') !== null")


def look_back(page, found):
    """Looks back at the take during the recording: its frames, and that it grows."""
    wait_until(page, "document.getElementById('look-back') !== null")
    count = "Number(document.getElementById('take-slider').max)"
    while True:
        page.focus("#look-back")
        page.keyboard.press("Enter")
        page.wait_for_selector("#take-dialog[open], #answer:not(:empty)", state="attached")
        if page.evaluate("document.getElementById('take-dialog').open"):
            break
        time.sleep(0.2)
    wait_until(page, "document.getElementById('take-frame').naturalWidth > 0")
    first = page.evaluate(count)
    wait_until(page, f"first => {count} > first", first)
    page.focus("#take-close")
    shown = "document.getElementById('take-frame').dataset.frame"
    before = page.evaluate(shown)
    page.keyboard.press("ArrowLeft")
    wait_until(page, f"before => {shown} !== before", before)
    page.click("#take-newest")
    wait_until(page, f"before => Number({shown}) > Number(before)", before)
    found["back"] = page.inner_text("#take-facts")
    found["back_axe"] = audit(page)
    page.screenshot(path=folder + "/back.png")
    page.keyboard.press("Escape")
    wait_until(page, "!document.getElementById('take-dialog').open")


def use_aids(page, found):
    """Inverts the frame with a LUT, and looks for edges; null if the browser has no WebGL 2."""
    white = """() => {
        const canvas = document.getElementById('canvas');
        return [...canvas.getContext('2d').getImageData(110, 50, 1, 1).data].slice(0, 3);
    }"""
    if not page.evaluate("document.createElement('canvas').getContext('webgl2') !== null"):
        found["inverted"] = found["edges"] = None
        return
    corners = [(r, g, b) for b in (1, 0) for g in (1, 0) for r in (1, 0)]
    cube = "LUT_3D_SIZE 2\n" + "".join(f"{r} {g} {b}\n" for r, g, b in corners)
    page.set_input_files(
        "#lut-file", {"name": "invert.cube", "mimeType": "text/plain", "buffer": cube.encode()})
    wait_for_pictures(page, frames(page) + 3)
    found["inverted"] = page.evaluate(white)
    page.click("#aid-choices [data-name=lut]")
    page.click("#aid-choices [data-name=peaking]")
    wait_for_pictures(page, frames(page) + 3)
    found["edges"] = page.evaluate("""() => {
        const canvas = document.getElementById('canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let red = 0;
        for (let at = 0; at < data.length; at += 4) if (data[at] > 240 && data[at + 1] < 60 && data[at + 2] < 60) red += 1;
        return red;
    }""")
    page.click("#aid-choices [data-name=peaking]")


def look_closer(page):
    """Returns the regions of the source that are shown: at first, and after each key that moves it."""
    def region():
        return page.evaluate("document.getElementById('canvas').dataset.region")

    page.select_option("#zoom", "0")
    wait_until(page, "Boolean(document.getElementById('canvas').dataset.region)")
    regions = [json.loads(region())]
    for key in ("ArrowRight", "ArrowDown"):
        before = region()
        page.focus("#frame")
        page.keyboard.press(key)
        wait_until(page, "before => document.getElementById('canvas').dataset.region !== before", before)
        regions.append(json.loads(region()))
    page.select_option("#zoom", "1")
    wait_until(page, "!document.getElementById('canvas').dataset.region")
    return regions


# Opens viewers of channel a, and waits until each gets the frame it wants or is refused.
JOIN = """async ([count, region]) => {
    const headerOf = (data) =>
      JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, new DataView(data).getUint32(0, true))));
    window.crowd ??= [];
    await Promise.all(Array.from({ length: count }, () => new Promise((done) => {
      const socket = new WebSocket(`ws://${location.host}/api/v1/channels/a/monitor`);
      socket.binaryType = 'arraybuffer';
      socket.onopen = () => socket.send(JSON.stringify({ levels: false, region }));
      socket.onmessage = ({ data }) => {
        if (typeof data !== 'string' && (!region || headerOf(data).region)) done();
      };
      socket.onclose = done;
      window.crowd.push(socket);
    })));
}"""


def be_refused(browser, page, link, found):
    """Requests source pixels as the ninth viewer, and any frame as the 33rd."""
    page.evaluate(JOIN, [8, {"x": 0, "y": 0, "width": 64, "height": 64}])
    page.select_option("#zoom", "0")
    wait_until(page, "document.getElementById('answer').textContent.includes('source pixels')")
    found["ninth"] = page.input_value("#zoom")
    page.evaluate(JOIN, [32, None])
    late = browser.new_page()
    late.goto(link)
    wait_until(late, "document.getElementById('no-picture').textContent.includes('viewers are already watching')")
    found["late"] = late.is_visible("#no-picture")
    page.evaluate("window.crowd.forEach((socket) => socket.close())")
    wait_for_pictures(late, 1)
    late.close()


def main():
    found = {"errors": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1360, "height": 900}, color_scheme="dark")
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: found["errors"].append(str(error)))
        page.on("console", lambda message: found["errors"].append(message.text)
                if "Content Security Policy" in message.text else None)
        page.goto(link)
        wait_for_pictures(page, 2)
        found["token_in_address"] = "token" in page.url
        # The clock in the frame changes.
        first = page.evaluate("document.getElementById('canvas').toDataURL('image/png').length")
        before = frames(page)
        wait_for_pictures(page, before + 3)
        wait_until(
            page, "first => document.getElementById('canvas').toDataURL('image/png').length !== first",
            first)
        # The second bar of the pattern is 75 % white.
        found["pixel"] = page.evaluate(
            "[...document.getElementById('canvas').getContext('2d').getImageData(110, 50, 1, 1).data]")
        found["latency_ms"], found["latency_95"], found["numbers_agree"] = latency(page, 15)
        for name in ("parade", "vectorscope", "histogram"):
            page.click(f"#scope-choices [data-name={name}]")
        wait_until(page, """() => [...document.querySelectorAll('#scopes canvas')].length === 4
            && [...document.querySelectorAll('#scopes canvas')].every((canvas) => {
              const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              const colors = new Set();
              for (let i = 0; i < data.length; i += 4) colors.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
              return colors.size > 5;
            })""")
        with page.expect_download() as download:
            page.click("#snapshot")
        found["snapshot"] = download.value.suggested_filename
        # A scheduled start that is canceled.
        later = time.strftime("%H:%M:%S", time.localtime(time.time() + 3600))
        page.fill("#at", later)
        page.focus("#start")
        page.keyboard.press("Enter")
        wait_until(page, "document.getElementById('tally-word').textContent.startsWith('START SCHEDULED')")
        found["armed"] = page.inner_text("#tally-word")
        page.keyboard.down("s")
        wait_until(page, "!document.getElementById('tally-word').textContent.startsWith('START SCHEDULED')")
        page.keyboard.up("s")
        # By keyboard alone: start, note, stop by holding.
        page.wait_for_selector("#start:not([disabled])")
        page.keyboard.press("r")
        page.wait_for_selector("body.recording")
        page.wait_for_selector("#note:not([disabled])")
        page.keyboard.press("m")
        page.keyboard.type("good one")
        page.keyboard.press("Enter")
        wait_until(page, "document.getElementById('journal').textContent.includes('good one')")
        wait_until(page, "document.querySelector('#levels-text').textContent.length > 5")
        wait_until(page, "/take 1/.test(document.querySelector('#loudness').textContent)")
        wait_until(page, "/-\\d+\\.\\d LUFS/.test(document.querySelector('#loudness').textContent)")
        page.evaluate("document.activeElement.blur()")
        wait_for_pictures(page, frames(page) + 5)
        page.screenshot(path=folder + "/page.png")
        found["axe"] = audit(page)

        look_back(page, found)

        # The gateway is killed; the page says so and reconnects by itself.
        step("kill")
        page.wait_for_selector("body.lost", state="attached")
        found["lost_text"] = page.inner_text("#alarms")
        step("restart")
        page.wait_for_selector("body:not(.lost)")
        after = frames(page)
        wait_for_pictures(page, after + 2)
        page.wait_for_selector("body.recording")
        page.keyboard.down("s")
        page.wait_for_selector("body:not(.recording)")
        page.keyboard.up("s")
        page.wait_for_selector("#takes li")
        found["takes"] = page.inner_text("#takes")
        look_at_take(page, found)
        use_aids(page, found)

        phone = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme="light")
        phone.set_default_timeout(60_000)
        phone.goto(view_link)
        wait_for_pictures(phone, 2)
        found["phone_width"] = phone.evaluate("document.documentElement.scrollWidth")
        found["viewer_may_start"] = phone.is_enabled("#start")
        found["viewer_status"] = phone.evaluate("""async () => (await fetch('/api/v1/start', {
            method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})).status""")
        phone.screenshot(path=folder + "/phone.png")
        found["regions"] = look_closer(phone)
        found["phone_axe"] = audit(phone)
        be_refused(browser, phone, view_link, found)

        stranger = browser.new_context().new_page()
        stranger.goto(link.split("#")[0])
        stranger.wait_for_selector("#login[open]")
        stranger.fill("#token", "wrong-0123456789")
        stranger.press("#token", "Enter")
        wait_until(stranger, "document.getElementById('login-error').textContent.length > 5")
        found["stranger"] = stranger.inner_text("#login-error")
        browser.close()
    print("RESULT", json.dumps(found), flush=True)


main()
