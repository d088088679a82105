import Foundation
import TestSupport
import Testing

/// `recordctl` with real kernel devices in the lab's virtual machine: its messages and exit statuses there, and
/// what ffprobe, ffmpeg and our own verifier say about its files on the host.
///
/// The machine is slow and the program is the unoptimized one built with the tests, so frames are small and rates
/// low: at 320x180 and 5 fps nothing is lost. `RECORDCTL` names another binary to run there.
@Suite(
  .tags(.slow, .lab, .judges), .serialized,
  .enabled(if: Lab.canBoot, Comment(rawValue: Lab.obstacle ?? "the lab can be booted")),
  .enabled(
    if: TestRun.isThorough,
    "whole recordings in emulated machines take minutes; make test-all runs them"),
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"),
  .inMachine)
enum InLab {}

/// The virtual machine that a suite's tests share.
enum LabGuest {
  @TaskLocal static var machine: LabMachine?

  static let binary =
    ProcessInfo.processInfo.environment["RECORDCTL"] ?? Recordctl.binary.path

  /// Runs a shell script in the machine; files that it leaves in the shared folder are visible on the host.
  @discardableResult
  static func run(_ script: String) async throws -> String {
    let machine = try #require(machine, "the suite has a machine")
    let result = try await machine.run(script)
    try #require(result.status == 0, "\(script)\n\(result.output)")
    return result.output
  }

  /// A list in the output of a command run with `--json` in the machine, by its key.
  static func objects(
    _ key: String, of arguments: String, feeding: String = ""
  ) async throws -> [[String: Any]]? {
    let document = try await json(arguments, feeding: feeding) as? [String: Any]
    return document?[key] as? [[String: Any]]
  }

  /// The output of a command run with `--json` in the machine.
  private static func json(_ arguments: String, feeding: String = "") async throws -> Any {
    let text = try await run(
      "\(feeding)\n\"$R\" \(arguments) --json 2>errors || { cat errors; exit 1; }")
    return try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  /// Functions and settings for all scripts.
  static let preamble = """
    R='\(binary)'
    export XDG_CONFIG_HOME=/nonexistent
    trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT

    # await WHAT COMMAND...: until the command succeeds, for 40 seconds.
    await() {
      local what=$1 n
      shift
      for n in {1..400}; do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
      echo "$what did not come"
      exit 1
    }
    # take NAME OPTION...: a recording; its report, its messages and its status beside the movie.
    # It ends where its source does, unless $interruption says otherwise.
    take() {
      local name=$1
      shift
      "$R" record --json --overwrite --on-interruption ${interruption:-stop} \
        -o $name.mov "$@" >$name.json 2>$name.errors
      echo $? >$name.status
    }
    # recorded NAME: until the first fragment is in the file.
    recorded() { await "the first fragment" grep -aq moof $1.mov; }
    # feed NUMBER OPTION...: feeds /dev/videoNUMBER.
    feed() {
      local number=$1
      shift
      lab-feed --quiet --device /dev/video$number "$@" &
      await "the feeder" v4l2-ctl -d$number --get-fmt-video
    }
    # camera OPTION...: plugs the USB camera in; its process is $camera.
    camera() {
      lab-usb --quiet --serial CAM-7 "$@" &
      camera=$!
      await "the camera" present
    }
    present() { grep -q Camera /sys/class/video4linux/*/name && grep -q Camera /proc/asound/cards; }
    # tracing, traced NAME: the kernel's own account of the buffers that it handed out.
    tracing() {
      mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing
      echo >/sys/kernel/tracing/trace
      echo 1 >/sys/kernel/tracing/events/v4l2/v4l2_dqbuf/enable
    }
    traced() { grep " v4l2_dqbuf: " /sys/kernel/tracing/trace >$1.trace; }
    """
}

/// Starts a suite's machine and stops it when the suite ends.
struct MachineTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // As in the lab's own setup, plus a fourth device with an analogue input.
    let vivid =
      "n_devs=4 node_types=0x1,0x1,0x1,0x1 num_inputs=1,1,2,1 input_types=0x0,0x3,0xc,0x2 "
      + "multiplanar=1,1,2,1 allocators=0,0,1,0 vid_cap_nr=0,1,2,3"
    let machine = try LabMachine(
      options: ["--usb", "--vivid", vivid], preamble: LabGuest.preamble)
    defer { machine.stop() }
    try await LabGuest.$machine.withValue(machine) { try await function() }
  }
}

extension SuiteTrait where Self == MachineTrait {
  static var inMachine: Self { Self() }
}
