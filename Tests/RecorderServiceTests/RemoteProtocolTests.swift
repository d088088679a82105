import Foundation
import MovieTools
import TestSupport
import Testing

/// A channel of a gateway, and third-party clients that each drive a take with an established protocol.
///
/// Recorder and protocols run in separate processes: in this one, other tests may hold the threads that they need
/// for longer than a client's timeout.
@Suite(.timeLimit(.minutes(10)), .tags(.judges, .network)) struct RemoteProtocolTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let environment = Result {
    try PythonEnvironment(
      "remote-clients-2",
      packages: [
        "pyperdeck==0.0.1", "bmdwire==1.6.0", "python-osc==1.10.2",
        // pyperdeck needs it, and Python 3.13 no longer includes it.
        "standard-telnetlib==3.13.0; python_version >= '3.13'",
      ])
  }

  /// A loopback address that nobody else listens on, because pyperdeck supports only one port.
  private let address =
    "127.\(93 + getpid() / 65_536 % 100).\(getpid() / 256 % 256).\(getpid() % 256)"

  @Test func third_party_clients_each_record_a_take() async throws {
    let python: PythonEnvironment
    do { python = try Self.environment.get() } catch { try Test.cancel("\(error)") }
    let gateway = try ServeProcess(
      channels: ["a"], in: folder, configuration: "allow = [\"127.0.0.0/8\"]",
      keys: "hyperdeck = \"\(address):9993\"\nosc = \"\(address):0\"")
    defer { gateway.end() }
    func port(_ name: String) throws -> String {
      let words = "\(name) listens at \(address):"
      try waitUntil("\(name) listens") { gateway.log.contains(words) }
      return String(try #require(gateway.log.split(separator: words).last).prefix { $0.isNumber })
    }
    for (script, port) in [
      (Self.pyperdeck, try port("the HyperDeck protocol")), (Self.bmdwire, "9993"),
      (Self.pythonOSC, try port("OSC")),
    ] {
      let result = try await Command.runAside(
        python.python,
        [
          "-W", "ignore", "-c", script, address, port, folder.path("runtime/recordctl/a.socket"),
        ])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
    for name in ["pyperdeck-001.mov", "bmd wire-002.mov", "osc-003.mov"] {
      #expect(try MovieVerifier(path: folder.path(name)).run().isValid, "\(name)")
    }
  }

  private static let waiting = """
    import json, os, socket, sys, time
    recorder = socket.socket(socket.AF_UNIX)
    recorder.connect(sys.argv[3])
    lines = recorder.makefile()
    # How often the recorder has told where it stands: to the gateway ten times a second, and twenty times here. On
    # a slow machine that is less often, and there is more time to wait.
    def statuses():
        recorder.sendall(b'{"command":"status"}\\n')
        while True:
            line = json.loads(lines.readline())
            if line.get("command") == "status":
                return line["status"]["number"]
    def until(what, test):
        end = statuses() + 4000
        while not test():
            if statuses() > end:
                print("waited in vain for", what, flush=True)
                os._exit(1)
            time.sleep(0.05)

    """

  /// pyperdeck connects by itself, requests everything, and stores what it is sent.
  private static let pyperdeck =
    waiting + """
      import logging
      from pyperdeck import Hyperdeck
      errors = []
      class Catch(logging.Handler):
          def emit(self, record):
              # Its thread may hear an answer before its own fields are made.
              early = "'Hyperdeck' object has no attribute" in record.getMessage()
              if record.levelno >= logging.ERROR and not early: errors.append(record.getMessage())
      logging.getLogger("pyperdeck").addHandler(Catch())
      deck = Hyperdeck(sys.argv[1])
      until("the slot", lambda: "1" in getattr(deck, "slots", {}) and deck.slots["1"].status == "mounted")
      def is_preview():
          deck._send("transport info")
          return deck.status == "preview"
      until("preview", is_preview)
      deck.record("pyperdeck")
      until("the take", lambda: deck.status == "record")
      until("frames", lambda: deck.timeline_playhead > 5)
      deck.stop()
      until("preview", lambda: deck.status == "preview")
      def has_clip():
          deck._send("clips get")
          return any(c.name == "pyperdeck-001.mov" for c in deck.timeline.clips)
      until("the clip", has_clip)
      assert deck.video_format == "360p25" and deck.file_format == "QuickTimeProResProxy"
      print(errors, flush=True)
      os._exit(1 if errors else 0)
      """

  private static let bmdwire =
    waiting + """
      from hyperdeckwire import Hyperdeck, HyperdeckError
      with Hyperdeck(sys.argv[1], int(sys.argv[2]), connect_timeout=600, read_timeout=600) as deck:
          assert deck.model == "HyperDeck Studio HD Plus" and deck.protocol_version == "1.11"
          assert deck.device_info()["slot count"] == "1"
          assert deck.remote_info() == {"enabled": "true", "override": "false"}
          assert deck.slot_info(1)["status"] == "mounted"
          count = deck.clips_count()
          deck._check_ok("record: name: bmd wire")
          until("the take", lambda: deck.transport_info()["status"] == "record")
          until("frames", lambda: deck.transport_info()["timecode"] > "00:00:00:05")
          deck.stop()
          until("the clip", lambda: deck.clips_count() == count + 1)
          assert deck.clips_get()[-1].name == "bmd wire-002.mov"
          listed = deck.disk_list()[-1]
          assert listed.name == "bmd wire-002.mov" and listed.video_format == "360p25"
          for refused in [deck.play, deck.clips_clear]:
              try:
                  refused()
                  assert False
              except HyperdeckError as error:
                  assert error.code == 103
          deck.ping()
      """

  private static let pythonOSC =
    waiting + """
      import threading
      from pythonosc.dispatcher import Dispatcher
      from pythonosc.osc_server import ThreadingOSCUDPServer
      from pythonosc.udp_client import SimpleUDPClient
      told = {}
      dispatcher = Dispatcher()
      dispatcher.set_default_handler(lambda address, *values: told.__setitem__(address, values))
      server = ThreadingOSCUDPServer(("127.0.0.1", 0), dispatcher)
      threading.Thread(target=server.serve_forever, daemon=True).start()
      client = SimpleUDPClient(sys.argv[1], int(sys.argv[2]))
      client.send_message("/recorder/subscribe", server.server_address[1])
      until("the state", lambda: told.get("/recorder/state") == ("idle",))
      client.send_message("/recorder/start", "osc")
      until("the tally", lambda: told.get("/recorder/tally") == (1,))
      until("frames", lambda: told.get("/recorder/elapsed", (0,))[0] > 0.3)
      assert told["/recorder/take"] == ("osc-003.mov",)
      client.send_message("/recorder/mark", "good")
      client.send_message("/recorder/record", 0)
      until("the end", lambda: told.get("/recorder/tally") == (0,))
      until("the state", lambda: told.get("/recorder/state") == ("idle",))
      os._exit(0)
      """
}
