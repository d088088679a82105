import Foundation
import Logging
import MediaCore
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// The take lists of channels that a reload renames.
struct RenamedChannelTests {
  private typealias Channel = ServiceConfiguration.Channel

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(_ channels: [Channel]) -> ServiceConfiguration {
    var configuration = ServiceConfiguration(channels: channels)
    configuration.tokens = [.init(name: "o", role: .operate, secret: "operate-0123456789")]
    return configuration
  }

  private func gateway(_ channels: [Channel]) throws -> Gateway {
    try Gateway(
      configuration(channels), folder: RuntimeFolder(path: folder.path("runtime")),
      logger: Logger(label: "test"), environment: [:]
    ) { channel, _ in ["recorder", channel.name] }
  }

  private func channel(
    _ name: String, socket: String? = nil, folder: String? = nil, device: String? = nil
  ) -> Channel {
    var channel = Channel(name: name)
    (channel.socketPath, channel.folder, channel.device) = (socket, folder, device)
    return channel
  }

  private func record(_ numbers: ClosedRange<Int>, on gateway: Gateway, _ name: String) throws {
    let channel = try #require(gateway.channel(named: name))
    for number in numbers {
      channel.shelf.add(TakeRecord(try .example(number), of: StubRecorder().status))
    }
  }

  private func takes(of name: String, on gateway: Gateway) -> [Int] {
    gateway.channel(named: name)?.takes.map(\.number) ?? []
  }

  @Test func a_renamed_channel_with_the_same_socket_keeps_its_takes() async throws {
    let path = folder.path("no.socket")
    let gateway = try gateway([channel("a", socket: path)])
    try record(1...2, on: gateway, "a")
    let lines = try await gateway.reload(configuration([channel("b", socket: path)]))
    #expect(lines.contains { $0.hasSuffix("; channel b lists its 2 takes") }, "\(lines)")
    #expect(takes(of: "b", on: gateway) == [1, 2])
    // They are in one list only, also for the next gateway.
    #expect(isThere("b.takes.json") && !isThere("a.takes.json"))
    let next = try self.gateway([channel("a", socket: path), channel("b", socket: path + "2")])
    #expect(takes(of: "a", on: next) == [] && takes(of: "b", on: next) == [1, 2])
  }

  @Test func a_renamed_channel_with_a_running_take_keeps_its_takes()
    async throws
  {
    let old = channel("a", folder: folder.path, device: "pattern")
    let gateway = try gateway([old])
    try record(1...1, on: gateway, "a")
    let recorder = StubRecorder()
    let server = try ControlServer(
      path: folder.path("runtime/a.socket"), recorder: BusyRecorder(recorder))
    let lines = try await gateway.reload(
      configuration([channel("b", folder: folder.path, device: "pattern")]))
    #expect(lines.first?.contains("kept until it has no take") == true, "\(lines)")
    #expect(lines.first?.hasSuffix("; channel b lists its take") == true, "\(lines)")
    try record(2...2, on: gateway, "a")
    server.stop()
    try await eventually("it is gone") { gateway.channel(named: "a") == nil }
    try await eventually("its takes are listed") { takes(of: "b", on: gateway) == [1, 2] }
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path("runtime/\(name)"))
  }

  @Test func a_channel_renamed_before_a_restart_keeps_its_takes() throws {
    let path = folder.path("no.socket")
    let old = channel("x", folder: folder.path, device: "pattern")
    try record(1...2, on: try gateway([channel("a", socket: path), old]), "a")
    let next = try gateway([channel("b", socket: path), old])
    #expect(takes(of: "b", on: next) == [1, 2] && takes(of: "x", on: next) == [])
    #expect(isThere("b.takes.json") && !isThere("a.takes.json"))
    // A channel of the former name begins anew.
    let last = try gateway([channel("a", socket: path + "2"), channel("b", socket: path)])
    #expect(takes(of: "a", on: last) == [] && takes(of: "b", on: last) == [1, 2])
  }

  @Test func a_channel_still_recording_under_its_former_name_keeps_its_takes_after_a_restart()
    async throws
  {
    let gateway = try gateway([channel("a", folder: folder.path, device: "pattern")])
    let recorder = StubRecorder()
    let server = try ControlServer(
      path: folder.path("runtime/a.socket"), recorder: BusyRecorder(recorder))
    defer { server.stop() }
    let renamed = channel("b", folder: folder.path, device: "pattern")
    _ = try await gateway.reload(configuration([renamed]))
    // It is listed after the reload, under the former name.
    try record(1...1, on: gateway, "a")
    let next = try self.gateway([renamed])
    #expect(takes(of: "b", on: next) == [1])
  }

  @Test func a_second_reload_does_not_forget_who_inherits() async throws {
    let gateway = try gateway([channel("a", folder: folder.path, device: "pattern")])
    try record(1...1, on: gateway, "a")
    let recorder = StubRecorder()
    let server = try ControlServer(
      path: folder.path("runtime/a.socket"), recorder: BusyRecorder(recorder))
    var renamed = channel("b", folder: folder.path, device: "pattern")
    _ = try await gateway.reload(configuration([renamed]))
    renamed.title = "B"
    _ = try await gateway.reload(configuration([renamed]))
    server.stop()
    try await eventually("its takes are listed") { takes(of: "b", on: gateway) == [1] }
  }

  /// A folder in the way of the new list, because root may write any file.
  @Test func takes_that_the_renamed_channel_cannot_store_are_not_lost() throws {
    let path = folder.path("no.socket")
    try record(1...2, on: try gateway([channel("a", socket: path)]), "a")
    let obstacle = try folder.makeFolder("runtime/b.takes.json.new")
    let next = try gateway([channel("b", socket: path)])
    #expect(takes(of: "b", on: next) == [1, 2])
    #expect(!isThere("b.takes.json") && isThere("a.takes.json"))
    try FileManager.default.removeItem(at: obstacle)
    let last = try gateway([channel("b", socket: path)])
    #expect(takes(of: "b", on: last) == [1, 2])
    #expect(isThere("b.takes.json") && !isThere("a.takes.json"))
  }

  /// A recorder with a take.
  private final class BusyRecorder: SteeredRecorder {
    private let recorder: StubRecorder
    init(_ recorder: StubRecorder) { self.recorder = recorder }
    var status: RecorderStatus { recorder.status }

    func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
      reply(RecorderReply(ServiceError(.tooMany, "a take is being recorded")))
    }

    func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {}
  }

  @Test func takes_without_a_successor_channel_are_reported() async throws {
    let gateway = try gateway([channel("a", socket: folder.path("a.socket"))])
    try record(1...1, on: gateway, "a")
    let lines = try await gateway.reload(
      configuration([channel("b", socket: folder.path("b.socket"))]))
    #expect(lines.first?.contains("; its take will be listed again only by") == true, "\(lines)")
    #expect(takes(of: "b", on: gateway) == [])
    // The channel as it was, under its old name.
    _ = try await gateway.reload(configuration([channel("a", socket: folder.path("a.socket"))]))
    #expect(takes(of: "a", on: gateway) == [1])
  }

  @Test func ambiguous_renames_transfer_no_takes() {
    let (one, two) = (channel("a", folder: "/m"), channel("b", folder: "/m"))
    let (new, other) = (channel("c", folder: "/m"), channel("d", folder: "/m"))
    #expect(Gateway.heirs(of: [one], among: [new]) == ["a": "c"])
    #expect(Gateway.heirs(of: [one, two], among: [new]) == [:])
    #expect(Gateway.heirs(of: [one], among: [new, other]) == [:])
    #expect(Gateway.heirs(of: [one, two], among: [one, new]) == ["b": "c"])
    #expect(Gateway.heirs(of: [one], among: [channel("c", folder: "/n")]) == [:])
    #expect(Gateway.heirs(of: [one], among: [channel("c", folder: "/m", device: "x")]) == [:])
    #expect(Gateway.heirs(of: [channel("a", socket: "/s")], among: [new]) == [:])
  }
}
