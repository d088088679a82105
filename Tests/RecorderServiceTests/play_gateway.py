"""play_gateway.py CHROMIUM PAGE: drives the monitor page, whose files are in the folder PAGE, with a simulated
gateway that does immediately what a real one rarely does. Prints JSON.
"""
import base64
import json
import sys

from playwright.sync_api import sync_playwright

from played_gateway import Stage

chromium = sys.argv[1]


def channels_that_went(browser, jpeg, found):
    """The gateway is restarted with one channel fewer, then with none; then a channel is added."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway
        stage.connected()
        tiles = "[...document.querySelectorAll('.tile .name')].map((one) => one.textContent).join()"
        assert stage.until(f"{tiles} === 'Camera a,Camera b'")
        stage.restart(lambda: gateway.channels.pop("a"))
        stage.until(f"{tiles} === 'Camera b'", 5)
        found["tiles"], found["title_of_b"] = page.evaluate(tiles), page.title()
        stage.restart(gateway.channels.clear)
        stage.until("!document.body.classList.contains('recording')", 5)
        found["title_of_none"] = page.title()
        found["words_of_none"] = [stage.text(id) for id in ("tally-word", "elapsed", "no-picture")]
        found["red"] = page.evaluate("document.querySelectorAll('.recording').length")
        found["may_stop_none"] = page.is_enabled("#stop")
        found["takes_of_none"] = page.evaluate("document.getElementById('takes').children.length")
        gateway.presets = [{"name": "hq", "summary": "ProRes 422 HQ"}]
        gateway.without_takes.add("c")
        stage.restart(lambda: gateway.channels.clear())
        gateway.change("c", "idle")
        stage.until("document.title === 'Camera c: Ready'", 5)
        found["title_of_c"] = page.title()
        # Presets that only the next gateway has, a title that a reload changes, and takes that cannot be listed.
        stage.until("document.getElementById('preset').options.length === 2", 5)
        found["presets_when_back"] = page.evaluate("document.getElementById('preset').options.length")
        stage.until("document.getElementById('journal').children.length > 2", 5)
        found["takes_not_listed"] = page.evaluate(
            "document.getElementById('journal').textContent.includes('Camera c: its takes cannot be listed: the disk')")
        gateway.retitle("c", "Drone")
        stage.until("document.title === 'Drone: Ready'", 5)
        found["tile_of_drone"] = page.evaluate(tiles)
        found["errors"] += stage.errors


def presets_of_others(browser, jpeg, found):
    """A preset is chosen here, then another one by someone else."""
    with Stage(browser, jpeg, ["a"]) as stage:
        page, gateway = stage.page, stage.gateway
        gateway.presets = [{"name": name, "summary": "ProRes"} for name in ("hq", "lt")]

        def tell(preset):
            gateway.change("a", "idle", preset=preset)
            stage.until(f"document.getElementById('figures').textContent.includes('{preset}, ')", 5)
            return page.input_value("#preset")

        stage.connected()
        stage.until("document.getElementById('preset').options.length === 3", 5)
        tell("lt")
        page.select_option("#preset", "hq")
        stage.until(gateway.orders, 5)
        # Figures change often; until the choice applies, they show the previous preset.
        found["presets"] = [tell("lt"), tell("hq"), tell("lt"), tell("hq")]
        gateway.late_take = {
            "id": "7", "path": "a-007.mov", "movies": ["a-007.mov"], "duration": 1, "dropped": 0, "frameCount": 25,
            "slotCount": 25, "outcome": "complete"}
        page.keyboard.press("1")
        stage.until(lambda: gateway.late_take is None, 5)
        stage.wait(500)
        found["late_take"] = page.evaluate("document.getElementById('takes').textContent.includes('a-007.mov')")
        found["errors"] += stage.errors


def pages_that_are_hidden(browser, jpeg, found):
    """The page is in a background tab, or on a phone with its screen off; then it is visible again."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway

        def rates(is_hidden, wanted):
            page.evaluate(f"Object.defineProperty(document, 'hidden', {{ configurable: true, value: {is_hidden} }})")
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            stage.until(lambda: gateway.rates == wanted, 5)
            return gateway.rates.copy()

        stage.connected()
        found["rates"] = [rates("true", {"a": 0, "b": 0}), rates("false", {"a": 15, "b": 4})]
        found["errors"] += stage.errors


def stops(browser, jpeg, found):
    """S, Enter or a mouse button is pressed and released where the page does not expect it; then properly held."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway

        def after(*steps):
            """The result of the steps, well after the hold time of a second; then restores the initial state."""
            gateway.asked.clear()
            for do in steps:
                do()
            stage.wait(1500)
            asks = page.evaluate("document.getElementById('confirm').open")
            if asks:
                page.click("#confirm-cancel")
            page.keyboard.up("s")
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("1")
            return {"orders": gateway.orders(), "asks": asks}

        def hold():
            page.keyboard.down("s")

        def dispatch(target, event):
            return lambda: page.evaluate(f"{target}.dispatchEvent(new Event('{event}'))")

        stage.connected()
        assert stage.until("!document.getElementById('stop').disabled")
        found["stops"] = {
            "let go in a field": after(
                hold, lambda: page.keyboard.press("m"), lambda: page.keyboard.up("s")),
            "Enter let go elsewhere": after(
                lambda: page.focus("#stop"), lambda: page.keyboard.down("Enter"),
                lambda: page.focus("#note"), lambda: page.keyboard.up("Enter")),
            "another window": after(hold, dispatch("window", "blur")),
            "another tab": after(hold, dispatch("document", "visibilitychange")),
            "a shortcut": after(hold, lambda: page.keyboard.press("Alt+Shift")),
            "another channel": after(hold, lambda: page.keyboard.press("2")),
            "the other button": after(
                lambda: page.hover("#stop"), lambda: page.mouse.down(button="right"),
                lambda: stage.wait(1200), lambda: page.mouse.up(button="right")),
            "held": after(hold),
            "the pointer held": after(
                lambda: page.hover("#stop"), page.mouse.down, lambda: stage.wait(1200),
                page.mouse.up),
        }
        # The question is about the channel that was chosen when the key was pressed.
        page.keyboard.press("2")
        page.keyboard.press("s")
        page.wait_for_selector("#confirm[open]")
        gateway.asked.clear()
        gateway.remove("b")
        stage.until("document.title.includes('Camera a')")
        page.click("#confirm-stop")
        stage.until(gateway.orders, 5)
        found["confirmed"] = gateway.orders()
        found["errors"] += stage.errors


def viewers_that_are_refused(browser, jpeg, found):
    """Damaged frames; the ninth viewer of source pixels; the 33rd viewer."""
    with Stage(browser, jpeg, ["a"]) as stage:
        page, gateway = stage.page, stage.gateway
        stage.connected()
        found["goes_on_after_damage"] = stage.until(
            "Number(document.getElementById('canvas').dataset.frames) >= 5", 10)
        gateway.is_full_of_regions = True
        page.select_option("#zoom", "0")
        stage.until("document.getElementById('answer').textContent !== ''", 5)
        found["ninth"] = [page.input_value("#zoom"), stage.text("answer")]
        gateway.turns_away = True
        stage.restart(lambda: None)
        stage.until("document.getElementById('no-picture').textContent.includes('viewers')", 10)
        found["turned_away"] = page.inner_text("#no-picture") if page.is_visible("#no-picture") else ""
        gateway.tries.clear()
        stage.wait(6000)
        found["tries"] = gateway.tries.get("/channels/a/monitor", 0)
        gateway.turns_away = False
        gateway.pictures_left = 50
        found["let_in"] = stage.until("document.getElementById('no-picture').hidden", 10)
        found["errors"] += stage.errors


def tokens_that_changed(browser, jpeg, found):
    """An open page loses its token; and a link's token cannot be exchanged at first."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway
        stage.connected()
        gateway.token = "new-0123456789abcdef"
        gateway.hang_up()
        gateway.is_up = True
        gateway.asked.clear()
        gateway.tries.clear()
        found["asks_for_token"] = stage.until("document.getElementById('login').open", 10)
        stage.wait(4000)
        # Both requests and WebSockets.
        found["wrong_tokens"] = len(gateway.asked) + sum(gateway.tries.values())
        if found["asks_for_token"]:
            page.fill("#token", gateway.token)
            page.press("#token", "Enter")
            page.wait_for_selector("body:not(.lost)")
            found["tiles_after_login"] = page.evaluate("document.querySelectorAll('.tile').length")
        found["errors"] += stage.errors
    stage = Stage(browser, jpeg, ["a"], "#token=good-0123456789abcdef")
    stage.gateway.cookie = None
    stage.gateway.is_up = False
    with stage:
        stage.until("document.getElementById('connection').textContent !== ''", 5)
        stage.gateway.is_up = True
        found["late_link_counts"] = stage.connected() and "token" not in stage.page.url
        found["errors"] += stage.errors


def looks_back_that_end(browser, jpeg, found):
    """Looking back while the take's movie is briefly unreadable, another take has begun, or the take is over."""
    take = {
        "id": "0123456789abcdef", "number": 1, "path": "a-001.mov", "movie": "a-001.mov", "frameCount": 50,
        "duration": 2}
    with Stage(browser, jpeg, ["a"]) as stage:
        page, gateway = stage.page, stage.gateway

        def looks():
            return sum(path.endswith("/takes/running") for _, path in gateway.asked)

        def looked_back(change):
            gateway.running = take
            page.click("#look-back")
            page.wait_for_selector("#take-dialog[open]")
            before = looks()
            stage.until(lambda: looks() > before, 10)
            change()
            stage.wait(2000)
            before = looks()
            stage.wait(2500)
            result = {
                "says": stage.text("take-facts").strip(), "asks": looks() - before,
                "steps": page.is_enabled("#take-newest")}
            page.keyboard.press("Escape")
            return result

        def split():
            gateway.running = None

        def next_take():
            gateway.running = {**take, "id": "fedcba9876543210", "path": "a-002.mov"}

        def stop():
            gateway.running = None
            gateway.change("a", "idle")

        stage.connected()
        found["looks_back"] = {
            "split": looked_back(split), "next take": looked_back(next_take), "stop": looked_back(stop)}
        found["errors"] += stage.errors


def networks_that_are_cut(browser, jpeg, found):
    """The network is cut during a take, with an order in progress; then it is restored."""
    with Stage(browser, jpeg, ["a"]) as stage:
        page, gateway = stage.page, stage.gateway
        stage.connected()
        stage.until("!document.getElementById('split').disabled")
        stage.until("document.getElementById('timecode').textContent !== ''", 10)
        found["timecode"] = stage.text("timecode")
        gateway.is_cut = True
        page.click("#split")
        old = "document.getElementById('frame').classList.contains('old')"
        found["is_lost"] = stage.until("document.body.classList.contains('lost')", 15)
        found["is_old"] = stage.until(old, 10)
        stage.until("document.getElementById('answer').textContent !== 'In progress'", 5)
        stage.until("document.getElementById('timecode').textContent === ''", 5)
        found["timecode_when_old"] = stage.text("timecode")
        found["scopes_are_old"] = page.evaluate("document.getElementById('scopes').classList.contains('old')")
        found["words_when_lost"] = [stage.text(id) for id in ("tally-word", "old-picture", "answer", "picture-answer")]
        # A stop that is tried anyway is not delivered later.
        page.keyboard.down("s")
        stage.wait(1200)
        page.keyboard.up("s")
        stage.until("document.getElementById('answer').textContent === 'In progress'", 5)
        found["gives_up"] = stage.until("document.getElementById('answer').textContent !== 'In progress'", 12)
        found["may_when_lost"] = [page.is_enabled(id) for id in ("#start", "#split", "#stop")]
        gateway.mend()
        gateway.pictures_left = 50
        found["is_back"] = stage.connected() and stage.until(f"!({old})", 10)
        found["title_when_back"] = page.title()
        found["errors"] += stage.errors


def what_is_pressed(browser, jpeg, found):
    """Orders given twice, too late, with a screen reader, or while typing."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway
        focused = "document.activeElement.id"

        def ordered():
            orders = gateway.orders()
            gateway.asked.clear()
            return " ".join(orders)

        def ready(id):
            assert stage.until(f"!document.getElementById('{id}').disabled")

        def becomes(state, take=1):
            gateway.change("a", state, take)
            ready("start" if state == "idle" else "stop")

        stage.connected()
        ready("stop")
        # While S is held, someone else stops the take and begins another one.
        page.keyboard.down("s")
        becomes("recording", 2)
        stage.wait(1300)
        page.keyboard.up("s")
        pressed = {"another take": [ordered(), stage.text("answer")]}
        # A screen reader clicks without pressing a key; the question's first answer is no.
        page.evaluate("document.getElementById('stop').click()")
        pressed["screen reader"] = [ordered(), page.evaluate(focused), stage.text("confirm-text")]
        page.keyboard.press("Escape")
        page.click("#stop-all")
        pressed["all"] = [ordered(), stage.text("confirm-text")]
        page.click("#confirm-stop")
        stage.until(gateway.orders, 5)
        pressed["all, confirmed"] = [ordered()]
        page.click("#start-all")
        stage.until("document.getElementById('all-answer').textContent.includes('no signal')", 5)
        pressed["all, in part"] = [ordered(), stage.text("all-answer")]
        # The take ends while the user types; typed letters are not shortcuts.
        page.focus("#note")
        page.keyboard.type("s")
        becomes("idle")
        page.keyboard.type("rl")
        stage.wait(300)
        pressed["typed"] = [ordered(), page.input_value("#note")]
        # A refused note stays in the field and need not be typed again.
        becomes("recording", 3)
        gateway.refuses = True
        page.press("#note", "Enter")
        stage.until("document.getElementById('answer').textContent === 'refused'", 5)
        pressed["refused"] = [ordered(), page.input_value("#note")]
        gateway.refuses = False
        # The second click of a double click does not start a take instead of the scheduled one.
        becomes("idle")
        page.fill("#at", "23:59:58")
        page.dblclick("#start")
        stage.until("document.getElementById('at').value === ''", 5)
        pressed["twice"] = [ordered()]
        pressed["paused"] = states_in_words(stage)
        found["pressed"] = pressed
        found["starts"] = starts_that_are_set(stage)
        found["errors"] += stage.errors


def states_in_words(stage):
    """The words for a paused take and for one being completed; and a key for an order that is not possible."""
    def word(sign, state, **values):
        stage.gateway.change("a", state)
        stage.gateway.channels["a"]["recorder"].update(values)
        for socket in stage.gateway.event_sockets():
            stage.gateway.tell(socket, stage.gateway.channels["a"])
        stage.until(f"document.getElementById('tally-word').textContent.includes('{sign}')", 5)
        return stage.text("tally-word")

    words = [word("PAUSED", "recording", isPaused=True), word("COMPLETED", "idle", takesFinishing=1)]
    stage.page.keyboard.press("l")
    return [*words, stage.text("answer")]


def starts_that_are_set(stage):
    """While S is held, a scheduled start begins its take or is replaced; and the words of the questions."""
    page, gateway = stage.page, stage.gateway
    (first, second) = ("2026-11-23T09:30:00Z", "2026-11-23T10:00:00Z")

    def held(*change, **values):
        """The orders and the page's answer when S is held while the recorder changes."""
        gateway.change("a", "armed", start=first)
        stage.until("document.getElementById('tally-word').textContent.startsWith('START SCHEDULED')")
        gateway.asked.clear()
        gateway.body = None
        page.evaluate("document.getElementById('answer').textContent = ''")
        page.keyboard.down("s")
        if change:
            gateway.change("a", *change, **values)
        stage.until("!['', 'In progress'].includes(document.getElementById('answer').textContent)", 5)
        page.keyboard.up("s")
        return [*gateway.orders(), json.dumps(gateway.body), stage.text("answer")]

    starts = {
        "held": held(), "begun": held("recording", 4, start=first), "by hand": held("recording", 5),
        "another": held("armed", start=second)}
    page.keyboard.press("s")
    starts["asked"] = [stage.text(id) for id in ("confirm-title", "confirm-stop", "confirm-cancel")]
    page.keyboard.press("Escape")
    page.click("#stop-all")
    starts["all"] = [stage.text("confirm-text")]
    page.keyboard.press("Escape")
    return starts


def touches(browser, jpeg, found):
    """A finger on the stop button, and on a zoomed picture."""
    with Stage(browser, jpeg, ["a"], has_touch=True) as stage:
        page, gateway = stage.page, stage.gateway
        screen = stage.context.new_cdp_session(page)

        def touch(kind, *places):
            screen.send("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in places]})

        def middle(id):
            page.evaluate(f"document.getElementById('{id}').scrollIntoView({{ block: 'center' }})")
            box = page.evaluate(f"(({{ x, y, width, height }}) => [x, y, width, height])("
                                f"document.getElementById('{id}').getBoundingClientRect())")
            return box[0] + box[2] / 2, box[1] + box[3] / 2, box[2], box[3]

        def after(milliseconds, *moves):
            """The result of a finger placed on the button, then moved or canceled, and lifted at the end."""
            gateway.asked.clear()
            x, y, _, height = middle("stop")
            touch("touchStart", (x, y))
            for move in moves:
                if move == "off":
                    touch("touchMove", (x, y + height))
                    touch("touchMove", (x, y + 2 * height))
                else:
                    touch(move)
            stage.wait(milliseconds)
            if "touchEnd" not in moves and "touchCancel" not in moves:
                touch("touchEnd")
            stage.wait(700)
            asks = page.evaluate("document.getElementById('confirm').open")
            if asks:
                page.keyboard.press("Escape")
            return {"orders": gateway.orders(), "asks": asks}

        def seen():
            return page.evaluate("document.getElementById('canvas').style.transform")

        stage.connected()
        assert stage.until("!document.getElementById('stop').disabled")
        found["touches"] = {
            "held": after(1300), "tapped": after(100, "touchEnd"), "slid off": after(1300, "off"),
            "taken away": after(1300, "touchCancel")}
        page.select_option("#zoom", "2")
        x, y, width, height = middle("frame")
        before = seen()
        touch("touchStart", (x, y))
        touch("touchMove", (x - width / 8, y))
        touch("touchMove", (x - width / 4, y))
        touch("touchEnd")
        stage.until(lambda: seen() != before, 5)
        found["dragged"] = [before, seen()]
        found["errors"] += stage.errors


def source_pixels(browser, jpeg, found):
    """Frame lines refer to the whole frame, even if only a region of the source is shown."""
    with Stage(browser, jpeg, ["a"]) as stage:
        page = stage.page
        stage.connected()
        found["lines"] = page.evaluate("""async () => {
            const { drawGuides } = await import('/guides.js');
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [960, 540];
            // The columns of the middle row, and the rows of the middle column, in which something is drawn.
            const lines = (aids, seen) => {
              drawGuides(canvas, new Set(aids), 16 / 9, seen);
              const { data } = canvas.getContext('2d').getImageData(0, 0, 960, 540);
              const drawn = (x, y) => data[4 * (y * 960 + x) + 3] > 60;
              const ends = (count, at) => [...Array(count).keys()].filter((place) => at(place) && !(place && at(place - 1)));
              return [ends(960, (x) => drawn(x, 100)), ends(540, (y) => drawn(100, y))];
            };
            const quarter = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
            return {
              whole: lines(['thirds']), stretch: lines(['thirds'], quarter),
              corner: lines(['thirds'], { x: 0, y: 0, width: 0.25, height: 0.25 }),
              safe: lines(['safe'], quarter),
            };
        }""")
        found["errors"] += stage.errors


def choices_and_pictures(browser, jpeg, found):
    """The light theme is chosen and the page reloaded; then frames arrive that no browser can show."""
    with Stage(browser, jpeg, ["a"]) as stage:
        page = stage.page
        stage.connected()
        theme = "document.documentElement.dataset.theme"
        page.click("#theme")
        chosen = page.evaluate(theme)
        page.reload()
        stage.connected()
        found["theme_stays"] = chosen is not None and page.evaluate(theme) == chosen
        stage.gateway.jpeg = b"no picture"
        page.reload()
        found["not_shown"] = stage.until(
            "document.getElementById('no-picture').textContent.startsWith('Frames arrive, but this browser')", 10)
        found["days"] = page.evaluate("""async () => {
            const { texts } = await import('/texts.js');
            return texts.loudnessOf({ take: 0, seconds: 90061, channels: 2, lostFrames: 0 });
        }""")
        stage.gateway.is_up = False
        page.reload()
        found["no_answer"] = stage.until(
            "document.getElementById('connection').textContent === 'The gateway does not answer'", 10)
        found["errors"] += stage.errors


def what_is_wrong(browser, jpeg, found):
    """Faults reported to a page opened after they occurred; frame lines; a lost graphics processor."""
    stage = Stage(browser, jpeg, ["a", "b"])
    a, b = stage.gateway.channels["a"], stage.gateway.channels["b"]
    a["recorder"]["progress"] = {
        "frames": 50, "duration": 2, "dropped": 0, "repeated": 4, "damaged": 0, "queue": 0, "queueDepth": 9,
        "lostPlace": {"path": "a-001.mov", "isSecond": True, "message": "a-001.mov: Input/output error"}}
    b["recorder"].update(state="idle", disk={"freeSpace": 10**9, "worstCaseSecondsLeft": 150})
    b["flawedTake"] = {"path": "b-007.mov", "outcome": "imperfect", "dropped": 3, "repeated": 3, "damaged": 0}
    with stage:
        page = stage.page
        stage.connected()
        stage.until("document.getElementById('alarms').children.length > 0", 5)
        alarms = "[...document.getElementById('alarms').children].map((one) => one.textContent)"
        found["alarms"] = {"a": page.evaluate(alarms)}
        page.keyboard.press("2")
        found["alarms"]["b"] = page.evaluate(alarms)
        found["room_of_b"] = page.evaluate("document.getElementById('figures').lastElementChild.textContent")
        page.keyboard.press("1")
        page.evaluate("""() => {
            window.aloud = [];
            const news = document.querySelector('#picture [role=alert]');
            const note = () => window.aloud.push(news.textContent);
            new MutationObserver(note).observe(news, { childList: true, subtree: true, characterData: true });
        }""")
        stage.gateway.hangs = True
        still = "text.startsWith('No progress for ')"
        found["stands_still"] = stage.until(f"{alarms}.some((text) => {still})")
        first = page.evaluate(f"{alarms}.find((text) => {still})")
        # The seconds keep counting but are not read aloud each time.
        stage.until(f"!{alarms}.includes({json.dumps(first)})")
        found["aloud"] = page.evaluate("window.aloud.filter((text) => text.includes('No progress')).length")
        stage.gateway.hangs = False
        found["goes_on"] = stage.until(f"!{alarms}.some((text) => text.startsWith('No progress'))", 5)
        # A take whose source is away has no figures, but the lack of progress is still shown.
        figures = a["recorder"].pop("progress")
        found["stands_still_without_figures"] = stage.until(f"{alarms}.some((text) => {still})")
        a["recorder"]["progress"] = figures
        found["alarms_in_picture"] = page.evaluate("document.querySelector('#picture #alarms') !== null")
        found["guides"] = page.evaluate("""async () => {
            const { guideLines } = await import('/guides.js');
            return [1, 2].map((squeeze) =>
              guideLines(new Set(['cinema']), squeeze * 16 / 9).boxes[0].map((share) => share.toFixed(3)).join());
        }""")
        found["graphics"] = page.evaluate("""async () => {
            const { Painter } = await import('/aids.js');
            const painter = new Painter();
            if (!painter.isAvailable) return null;
            // Behind the event, for a browser gives nothing back before it has told of the loss.
            const after = (act) => new Promise((done) => {
              painter.changed = () => setTimeout(() => done(painter.isAvailable));
              act();
              setTimeout(() => done('nothing was told'), 5000);
            });
            const processor = painter.gl.getExtension('WEBGL_lose_context');
            return [await after(() => processor.loseContext()), await after(() => processor.restoreContext())].join();
        }""")
        found["errors"] += stage.errors


def first_moments(browser, jpeg, found):
    """A page opened while recorders are ready; then the gateway goes away while nothing and something is recorded."""
    stage = Stage(browser, jpeg, ["a", "b"])
    for name in ("a", "b"):
        stage.gateway.change(name, "idle")
    stage.context.add_init_script("""
        window.told = [];
        new MutationObserver(() => {
          for (const id of ['alarms', 'alarm-news', 'tally-word', 'connection']) {
            const text = document.getElementById(id)?.textContent ?? '';
            if (/lost|not connected/i.test(text)) window.told.push(text);
          }
        }).observe(document, { childList: true, subtree: true, characterData: true });""")

    def words(change):
        stage.gateway.hang_up()
        stage.page.wait_for_selector("body.lost", state="attached")
        text = stage.text("connection")
        change()
        stage.gateway.is_up = True
        stage.connected()
        return text

    with stage:
        stage.connected()
        found["lost_at_first"] = stage.page.evaluate("window.told")
        ready = words(lambda: stage.gateway.change("b", "recording"))
        stage.until("document.querySelectorAll('.tile.recording').length === 1", 5)
        recording = words(lambda: stage.gateway.change("b", "armed", start="2026-11-23T09:30:00Z"))
        stage.until("document.querySelectorAll('.tile.recording').length === 0", 5)
        found["words_of_loss"] = [ready, recording, words(lambda: None)]
        found["errors"] += stage.errors


def words_on_phones(browser, jpeg, found):
    """Text in meters and scopes on a 360-pixel screen: the height of the smallest, and texts that are clipped."""
    stage = Stage(browser, jpeg, ["a"])
    stage.page.set_viewport_size({"width": 360, "height": 740})
    with stage:
        stage.connected()
        for name in ("parade", "vectorscope"):
            stage.page.click(f"#scope-choices [data-name={name}]")
        found["smallest_word"], found["cut_words"] = stage.page.evaluate("""async () => {
            const [meters, scopes] = [await import('/meters.js'), await import('/scopes.js')];
            const [sizes, cut] = [[], []];
            const draw = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
              const { canvas } = this;
              const scale = this.getTransform().a;
              const shown = Math.min(canvas.clientWidth / canvas.width, canvas.clientHeight / canvas.height);
              sizes.push(parseFloat(this.font) * scale * shown);
              if (x < 0 || (x + this.measureText(text).width) * scale > canvas.width + 0.5) cut.push(text);
              draw.call(this, text, x, y);
            };
            const scope = (name) => document.querySelector(`[data-scope=${name}]`);
            meters.drawMeters(document.getElementById('meters'), [{ peak: -10, rms: -20, held: -6, clips: 1 }]);
            meters.drawLoudness(document.getElementById('loudness-bar'), { momentary: -20, shortTerm: -21 });
            scopes.drawWaveform(scope('waveform'), {});
            scopes.drawParade(scope('parade'), {});
            scopes.drawVectorscope(scope('vectorscope'), {}, '1-1-1');
            CanvasRenderingContext2D.prototype.fillText = draw;
            return [Math.min(...sizes), cut];
        }""")
        found["errors"] += stage.errors


def main():
    found = {"errors": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        blank = browser.new_page()
        address = blank.evaluate("""() => {
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [64, 36];
            return canvas.toDataURL('image/jpeg');
        }""")
        jpeg = base64.b64decode(address.split(",")[1])
        for scene in (
                channels_that_went, presets_of_others, pages_that_are_hidden, stops, viewers_that_are_refused,
                tokens_that_changed, looks_back_that_end, networks_that_are_cut, what_is_pressed, touches,
                source_pixels, choices_and_pictures, what_is_wrong, first_moments, words_on_phones):
            scene(browser, jpeg, found)
        browser.close()
    print("RESULT", json.dumps(found), flush=True)


main()
