import Foundation
import Synchronization
import TakeReports
import TestSupport
import Testing

@testable import Takes

struct ClockTests {
  /// The output of `chronyc -c -n tracking` with a server that is a quarter of a second behind, and with chronyd
  /// as its own reference.
  private static let tracking =
    "7F000001,127.0.0.1,9,1795438318.478144144,-0.249993101,-0.000000465,0.000032610,-0.852,-0.079,"
    + "5.009,0.000400000,0.000013170,1.0,Normal\n"
  private static let alone =
    "7F7F0101,,8,1795438309.289937561,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,"
    + "0.000000000,0.000000000,0.0,Normal\n"
  private static let lost =
    "00000000,,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,1.000000000,"
    + "1.000000000,0.0,Not synchronized\n".replacing("z", with: "s")

  @Test func chrony_offset_is_how_far_the_clock_is_ahead() throws {
    let state = try #require(ClockState(chronyTracking: Self.tracking))
    #expect(state.source == .chrony && state.isSynchronized == true)
    #expect(state.reference == "127.0.0.1" && state.offset == 0.249993101)
    #expect(abs(try #require(state.maximumError) - 0.250206271) < 1e-9)
    #expect(
      state.summary
        == "chrony, synchronized to 127.0.0.1, 249.993 ms ahead, at most 250.206 ms off")
  }

  @Test func chrony_may_use_its_own_clock_or_have_no_reference() throws {
    let alone = try #require(ClockState(chronyTracking: Self.alone))
    #expect(alone.isSynchronized == true && alone.reference == "its own clock")
    #expect(alone.offset == 0 && alone.maximumError == 0)
    let lost = try #require(ClockState(chronyTracking: Self.lost))
    #expect(lost == ClockState(source: .chrony, isSynchronized: false))
    #expect(lost.summary == "chrony, NOT synchronized")
  }

  @Test(arguments: [
    "", "506 Cannot talk to daemon\n", "a,b", "7F000001,x,9,1,nan,0,0,0,0,0,0,0,1,Normal",
    String(repeating: ",", count: 20),
  ])
  func malformed_chrony_output_yields_no_clock_state(text: String) {
    #expect(ClockState(chronyTracking: text) == nil)
  }

  @Test func ptp_grandmaster_and_offset_are_read_from_time_status() throws {
    let text = """
      sending: GET TIME_STATUS_NP
      \t001122.fffe.334455-0 seq 0 RESPONSE MANAGEMENT TIME_STATUS_NP\u{20}
      \t\tmaster_offset              -38000
      \t\tingress_time               1795438318478144144
      \t\tgmPresent                  true
      \t\tgmIdentity                 aabbcc.fffe.ddeeff
      """
    let state = try #require(ClockState(ptpTimeStatus: text))
    #expect(state.source == .ptp && state.isSynchronized == true && state.maximumError == nil)
    #expect(state.reference == "aabbcc.fffe.ddeeff")
    #expect(abs(try #require(state.offset) + 0.000038) < 1e-12)
    #expect(ClockState(ptpTimeStatus: text.replacing("true", with: "false")) == nil)
    #expect(ClockState(ptpTimeStatus: "sending: GET TIME_STATUS_NP\n") == nil)
  }

  @Test func kernel_clock_status_yields_synchronization_and_offset() {
    let off = KernelClock(status: 0x40, offset: 0, maximumError: 16_000_000).state
    #expect(off == ClockState(source: .kernel, isSynchronized: false))
    let slewing = KernelClock(status: 0x2001, offset: 1_500_000, maximumError: 900).state
    #expect(slewing.isSynchronized == true && slewing.offset == -0.0015)
    #expect(slewing.maximumError == 900e-6)
    let coarse = KernelClock(status: 0x1, offset: -20, maximumError: 1).state
    #expect(abs((coarse.offset ?? 0) - 20e-6) < 1e-12)
    #expect(KernelClock(status: 0, offset: 5, maximumError: 1).state.offset == nil)
  }

  @Test func kernel_clock_is_read_without_an_external_program() throws {
    guard let clock = KernelClock.present else {
      try Test.cancel("adjtimex is not permitted to this process")
    }
    #expect(clock.maximumError >= 0)
  }

  @Test func clock_state_warns_of_offsets_that_spoil_a_common_start() {
    let frame = 0.04
    var state = ClockState(
      source: .chrony, isSynchronized: true, reference: "10.0.0.1", offset: 0.019)
    #expect(state.remark(frameDuration: frame) == nil)
    state.offset = -0.021
    let remark = state.remark(frameDuration: frame) ?? ""
    #expect(remark.contains("21.000 ms behind 10.0.0.1"), "\(remark)")
    state.isSynchronized = false
    #expect(state.remark(frameDuration: frame)?.contains("not synchronized") == true)
    state = ClockState(source: .unknown)
    #expect(state.remark(frameDuration: frame)?.contains("cannot be determined") == true)
  }

  // MARK: Queries

  /// A kernel clock that nobody adjusts, and programs with these answers.
  private static func watch(
    chrony: String?, ptp: String? = nil, until gate: DispatchSemaphore? = nil
  ) -> ClockWatch {
    ClockWatch(
      ClockCalls(
        kernel: { KernelClock(status: 0x40, offset: 0, maximumError: 0) },
        chrony: {
          gate?.wait()
          return chrony
        }, ptp: { ptp }))
  }

  @Test func reading_the_clock_does_not_wait_for_a_program() async {
    let gate = DispatchSemaphore(value: 0)
    let watch = Self.watch(chrony: Self.tracking, until: gate)
    #expect(watch.present.source == .kernel)
    let (reported, tell) = AsyncStream.makeStream(of: ClockState.self)
    watch.read { tell.yield($0) }
    var states = reported.makeAsyncIterator()
    #expect(await states.next()?.source == .kernel)
    gate.signal()
    #expect(await states.next()?.reference == "127.0.0.1")
    #expect(watch.present.reference == "127.0.0.1")
  }

  @Test func synchronized_program_takes_precedence_as_the_clock_source() async {
    let grandmaster = "gmPresent true\nmaster_offset 5\ngmIdentity a\n"
    #expect(await Self.watch(chrony: Self.tracking, ptp: grandmaster).read().source == .chrony)
    #expect(await Self.watch(chrony: Self.lost, ptp: grandmaster).read().source == .ptp)
    #expect(await Self.watch(chrony: nil, ptp: grandmaster).read().source == .ptp)
    #expect(await Self.watch(chrony: Self.lost).read().source == .chrony)
    #expect(await Self.watch(chrony: nil).read().source == .kernel)
    let mute = ClockWatch(ClockCalls(kernel: { nil }, chrony: { nil }, ptp: { nil }))
    #expect(await mute.read() == ClockState(source: .unknown))
  }

  @Test func failed_or_slow_programs_yield_no_output() throws {
    let shell = try #require(QuickProgram("sh"))
    #expect(shell.output(of: ["-c", "printf 'a\\nb'"], patience: 60) == "a\nb")
    #expect(shell.output(of: ["-c", "echo a; exit 1"], patience: 60) == nil)
    #expect(shell.output(of: ["-c", "kill -9 $$"], patience: 60) == nil)
    #expect(shell.output(of: ["-c", "exec sleep 600"], patience: 0.1) == nil)
    #expect(shell.output(of: ["-c", "exec sleep 600 >&-"], patience: 0.1) == nil)
    #expect(shell.output(of: ["-c", "exec yes"], patience: 60) == nil)
    #expect(QuickProgram("no-such-program-here") == nil)
  }

  @Test(.tags(.judges)) func a_running_chronyd_is_read() async throws {
    guard let chronyd = QuickProgram("chronyd"), let chronyc = QuickProgram("chronyc") else {
      try Test.cancel("chronyd is not installed (Debian: chrony)")
    }
    let folder = try TemporaryFolder()
    let port = Int.random(in: 20_000...29_000)
    try folder.write(
      """
      local stratum 8
      port 0
      cmdport \(port)
      bindcmdaddress 127.0.0.1
      pidfile \(folder.path("pid"))
      """, "conf")
    let server = Process()
    server.executableURL = URL(filePath: chronyd.path)
    // `-x`: leave the clock as it is.
    server.arguments = ["-x", "-d", "-U", "-u", NSUserName(), "-f", folder.path("conf")]
    server.standardError = FileHandle.nullDevice
    server.standardOutput = try FileHandle(forWritingTo: folder.emptyFile("log"))
    try Command.withSignalsUnblocked { try server.run() }
    defer {
      server.terminate()
      server.waitForExit()
    }
    let watch = ClockWatch(
      ClockCalls(
        kernel: { nil },
        chrony: {
          chronyc.output(
            of: ["-h", "127.0.0.1", "-p", "\(port)", "-c", "-n", "tracking"], patience: 20)
        }, ptp: { nil }))
    var state = await watch.read()
    try await eventually("chronyd answers") {
      state = await watch.read()
      return state.isSynchronized == true || !server.isRunning
    }
    guard server.isRunning else { try Test.cancel("chronyd cannot run here") }
    #expect(state.source == .chrony && state.reference == "its own clock" && state.offset == 0)
  }
}
