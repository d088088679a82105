import Foundation
import Logging
import RecorderControl
import Synchronization
import TestSupport
import Testing

@testable import RecorderService

/// Proxy movies, with a substitute program for ffmpeg.
@Suite(.timeLimit(.minutes(5))) struct TakeJobsTests {
  private let folder: TemporaryFolder
  private let runtime: RuntimeFolder

  init() throws {
    folder = try TemporaryFolder()
    runtime = try RuntimeFolder(path: folder.path("runtime"))
  }

  private func record(_ number: Int) throws -> TakeRecord {
    TakeRecord(try .example(number), of: nil)
  }

  private func program(_ script: String) throws -> String {
    try folder.writeProgram("#!/bin/sh\ncd '\(folder.path)'\n\(script)\n", "ffmpeg").path
  }

  /// Writes the file named by the last argument.
  private static let success = "for last; do :; done; echo x >\"${last#file:}\""

  private func jobs(_ script: String) throws -> TakeJobs {
    TakeJobs(
      folder: runtime, proxies: ProxyFolder(path: folder.path("proxies")),
      programs: .init(ffmpeg: try program(script)), logger: Logger(label: "test"))
  }

  private func channel() -> RecorderChannel {
    RecorderChannel(name: "a", title: "A", socketPath: folder.path("none"), origin: .attached)
  }

  @Test func a_job_ended_with_the_gateway_has_not_failed() async throws {
    let (jobs, channel, record) = (try jobs("exec sleep 60"), channel(), try record(1))
    channel.shelf.add(record)
    try jobs.submit(.proxy, record.id, of: channel)
    let working = Task { await jobs.run { false } }
    try await eventually("it is made") { channel.shelf[record.id]?.proxy?.state == .running }
    working.cancel()
    await working.value
    #expect(channel.shelf[record.id]?.proxy == nil)
  }

  /// A field of a process's `/proc/PID/stat`, counted from 1 as in proc(5); nil if it has ended.
  private func fact(_ field: Int, ofProcess id: String) -> String? {
    let path = "/proc/\(id)/stat"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    // The name, in parentheses, is the second field.
    let fields = text[end...].split(separator: " ")
    return fields.indices.contains(field - 2) ? String(fields[field - 2]) : nil
  }

  /// A busy machine only slows it down; a recording stops it.
  @Test func a_job_gives_way_to_others_and_stops_while_a_take_is_recorded() async throws {
    let jobs = try jobs(
      """
      echo $$ >id.new; mv id.new id
      while [ ! -e go ]; do sleep 0.05; done
      \(Self.success)
      """)
    let (channel, record) = (channel(), try record(1))
    channel.shelf.add(record)
    try jobs.submit(.proxy, record.id, of: channel)
    let isRecording = Mutex(false)
    let working = Task { await jobs.run { isRecording.withLock { $0 } } }
    try await eventually("it is being made") { folder.contents.contains("id") }
    let id = try String(decoding: folder.bytes("id"), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    try await eventually("it has niceness 19 and SCHED_BATCH") {
      fact(19, ofProcess: id) == "19" && fact(41, ofProcess: id) == "3"
    }
    isRecording.withLock { $0 = true }
    try await eventually("it is stopped") { fact(3, ofProcess: id) == "T" }
    try await eventually("it is listed as waiting") {
      channel.shelf[record.id]?.proxy?.state == .waiting
    }
    try folder.write("", "go")
    #expect(fact(3, ofProcess: id) == "T")
    isRecording.withLock { $0 = false }
    try await eventually("it is made") { channel.shelf[record.id]?.proxy?.state == .done }
    working.cancel()
    await working.value
  }

  @Test func a_held_job_ends_with_the_gateway() async throws {
    let (jobs, channel, record) = (try jobs("echo $$ >id; exec sleep 60"), channel(), try record(1))
    channel.shelf.add(record)
    try jobs.submit(.proxy, record.id, of: channel)
    let isRecording = Mutex(false)
    let working = Task { await jobs.run { isRecording.withLock { $0 } } }
    try await eventually("it is made") { channel.shelf[record.id]?.proxy?.state == .running }
    isRecording.withLock { $0 = true }
    try await eventually("it is held") { channel.shelf[record.id]?.proxy?.state == .waiting }
    working.cancel()
    await working.value
    #expect(channel.shelf[record.id]?.proxy == nil)
  }

  @Test func the_message_of_a_failed_program_is_recorded() async throws {
    let (jobs, channel, record) = (try jobs("echo no; exit 1"), channel(), try record(1))
    channel.shelf.add(record)
    try jobs.submit(.proxy, record.id, of: channel)
    let working = Task { await jobs.run { false } }
    try await eventually("it has failed") { channel.shelf[record.id]?.proxy?.state == .failed }
    #expect(channel.shelf[record.id]?.proxy?.message == "no")
    working.cancel()
    await working.value
  }

  @Test func a_movie_moved_to_the_library_meanwhile_is_found_there() async throws {
    let jobs = try jobs(
      """
      echo "$@" >>tries
      if [ $(wc -l <tries) = 1 ]; then while [ ! -e gone ]; do sleep 0.05; done; exit 1; fi
      \(Self.success)
      """)
    let (channel, record) = (channel(), try record(1))
    channel.shelf.add(record)
    try jobs.submit(.proxy, record.id, of: channel)
    let working = Task { await jobs.run { false } }
    try await eventually("it is tried") { folder.contents.contains("tries") }
    channel.shelf.change(record.id) { $0.move(to: ["/library/a.mov"]) }
    try folder.write("", "gone")
    try await eventually("it is made") { channel.shelf[record.id]?.proxy?.state == .done }
    let tries = String(decoding: try folder.bytes("tries"), as: UTF8.self)
    #expect(tries.contains("file:/m/a.mov") && tries.contains("file:/library/a.mov"), "\(tries)")
    working.cancel()
    await working.value
  }

  @Test func a_proxy_finished_after_its_take_was_dropped_is_deleted() async throws {
    let jobs = try jobs(
      """
      echo >begun; while [ ! -e go ]; do sleep 0.05; done
      \(Self.success)
      """)
    let (channel, record) = (channel(), try record(1))
    channel.shelf.add(record)
    try jobs.submit(.proxy, record.id, of: channel)
    let working = Task { await jobs.run { false } }
    try await eventually("it is being made") { folder.contents.contains("begun") }
    for number in 2...(TakeShelf.limit + 1) { channel.shelf.add(try self.record(number)) }
    let last = try #require(channel.shelf.all.last)
    #expect(channel.shelf[record.id] == nil)
    try jobs.submit(.proxy, last.id, of: channel)
    try folder.write("", "go")
    // Jobs run one after the other.
    try await eventually("the next is made") { channel.shelf[last.id]?.proxy?.state == .done }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("proxies"))
    #expect(left == ["\(last.id)-1.mp4"])
    working.cancel()
    await working.value
  }

  @Test func unlisted_proxies_from_before_the_last_boot_are_deleted() throws {
    let known = try record(1).id
    let names = [
      "\(known)-1.mp4", "0123456789abcdef-1.mp4", "0123456789abcdef-2.mp4.part", "mine.mp4",
    ]
    for name in names { try folder.write("x", "proxies/\(name)") }
    let proxies = ProxyFolder(path: folder.path("proxies"))
    func left() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: proxies.path))
    }
    let now = Int64(Date().timeIntervalSince1970)
    proxies.removeOld(except: [known], before: now - 3600)
    #expect(try left() == Set(names))
    proxies.removeOld(except: [known], before: now + 3600)
    #expect(try left() == [names[0], "mine.mp4"])
  }

  /// When a gateway starts, it does not know yet whether its recorders are recording.
  @Test func work_begins_once_no_take_is_known_to_be_recording() {
    var status = ChannelStatus(
      name: "a", title: "A", connection: .connecting, alarms: [], notes: [])
    #expect(status.mayRecord)
    status.connection = .away
    #expect(!status.mayRecord)
    status.connection = .connected
    #expect(status.mayRecord)
    status.recorder = StubRecorder(.recording).status
    #expect(status.mayRecord)
    status.recorder = StubRecorder(.idle).status
    #expect(!status.mayRecord)
  }

  @Test(arguments: [true, false])
  func the_next_gateway_makes_missing_proxies_if_automatic(isAutomatic: Bool)
    async throws
  {
    let shelf = TakeShelf(path: runtime.takesPath(ofChannel: "a"))
    for number in 1...3 { shelf.add(try record(number)) }
    let ids = shelf.all.map(\.id)
    shelf.change(ids[0]) { $0.proxy = .init(state: .done) }
    shelf.change(ids[1]) { $0.proxy = .init(state: .running) }
    var configuration = ServiceConfiguration(channels: [.init(name: "a")])
    configuration.proxies = .init(folder: folder.path("proxies"), isAutomatic: isAutomatic)
    let gateway = try Gateway(
      configuration, folder: runtime, logger: Logger(label: "test"),
      programs: .init(ffmpeg: try program("echo \"$@\" >>tries\n" + Self.success))
    ) { _, _ in [] }
    let channel = try #require(gateway.channel(named: "a"))
    let working = Task { await gateway.jobs.run { false } }
    if isAutomatic {
      try await eventually("they are made") {
        channel.shelf.all.allSatisfy { $0.proxy?.state == .done }
      }
      #expect(try folder.bytes("tries").count { $0 == 0x0A } == 2)
    } else {
      #expect(channel.shelf.all.map(\.proxy?.state) == [.done, nil, nil])
    }
    working.cancel()
    await working.value
  }
}
