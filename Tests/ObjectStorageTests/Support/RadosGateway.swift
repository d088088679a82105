import Foundation
import TestSupport
import Testing

@testable import ObjectStorage

/// Ceph's gateway, with a cluster of one process per service that keeps everything in memory.
final class RadosGateway: Sendable {
  static let isPresent = ["radosgw", "ceph-mon", "ceph-osd", "ceph", "radosgw-admin"].allSatisfy {
    Judges.find($0) != nil
  }
  static let absence: Comment = "Ceph is not installed: radosgw ceph-mon ceph-osd ceph-common"

  private let folder: TemporaryFolder
  private let processes: [Process]
  let port: Int

  init() throws {
    folder = try TemporaryFolder()
    let monitor = try Self.freePort()
    port = try Self.freePort()
    for name in ["mon", "osd", "rgw"] { try folder.makeFolder(name) }
    try folder.write(Self.configuration(folder.path, monitor, port), "ceph.conf")
    let path = folder.path("ceph.conf")
    let cluster = "7d0f5ea0-0000-4000-8000-000000000005"
    let device = "5e0f5ea0-0000-4000-8000-000000000009"
    try Self.run(
      "monmaptool", "--create", "--addv", "a", "[v1:127.0.0.1:\(monitor)]", "--fsid", cluster,
      folder.path("monmap"))
    try Self.run(
      "ceph-authtool", "--create-keyring", folder.path("keyring"), "--gen-key", "-n", "mon.")
    try Self.run(
      "ceph-mon", "-c", path, "--mkfs", "-i", "a", "--monmap", folder.path("monmap"), "--keyring",
      folder.path("keyring"))
    var processes: [Process] = []
    processes.append(try Self.start("ceph-mon", ["-c", path, "-i", "a", "-f"]))
    try Self.run("ceph", "-c", path, "osd", "create", device)
    try Self.run("ceph-osd", "-c", path, "-i", "0", "--mkfs", "--osd-uuid", device)
    processes.append(try Self.start("ceph-osd", ["-c", path, "-i", "0", "-f"]))
    try Self.run(
      "ceph", "-c", path, "osd", "crush", "add", "osd.0", "1", "root=default", "host=here")
    try Self.run(
      "radosgw-admin", "-c", path, "user", "create", "--uid", "t", "--display-name", "t",
      "--access-key", "test", "--secret", "hush")
    processes.append(try Self.start("radosgw", ["-c", path, "-n", "client.rgw", "-f"]))
    self.processes = processes
    let port = port
    try waitUntil("the gateway") {
      try Command.run("curl", ["-s", "--noproxy", "*", "http://127.0.0.1:\(port)/"]).status == 0
    }
  }

  deinit {
    for process in processes.reversed() {
      kill(process.processIdentifier, SIGKILL)
      process.waitForExit()
    }
  }

  func account(secret: String = "hush") throws -> StorageAccount {
    try StorageAccount(environment: [
      "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "AWS_ACCESS_KEY_ID": "test",
      "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "us-east-1",
    ])
  }

  private static func start(_ name: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = Judges.find(name)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try Command.withSignalsUnblocked { try process.run() }
    return process
  }

  private static func run(_ name: String, _ arguments: String...) throws {
    let result = try Command.run(name, arguments, limit: 120)
    guard result.status == 0 else { throw Unusable(description: "\(name): \(result.errors)") }
  }

  /// A port that was free a moment ago.
  private static func freePort() throws -> Int {
    let script =
      "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
    let answer = try Command.run("python3", ["-c", script]).output
    return try #require(Int(answer.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  private static func configuration(_ folder: String, _ monitor: Int, _ port: Int) -> String {
    """
    [global]
    fsid = 7d0f5ea0-0000-4000-8000-000000000005
    mon host = 127.0.0.1:\(monitor)
    mon initial members = a
    auth cluster required = none
    auth service required = none
    auth client required = none
    osd pool default size = 1
    osd pool default min size = 1
    osd pool default pg num = 4
    osd crush chooseleaf type = 0
    mon allow pool size one = true
    mon max pg per osd = 1000
    mon data avail crit = 1
    run dir = \(folder)
    admin socket = \(folder)/$name.asok
    pid file = \(folder)/$name.pid
    log file = \(folder)/$name.log
    public addr = 127.0.0.1
    cluster addr = 127.0.0.1
    [mon]
    mon data = \(folder)/mon
    [osd]
    osd class update on start = false
    osd crush update on start = false
    osd data = \(folder)/osd
    osd objectstore = memstore
    memstore device bytes = 2147483648
    [client.rgw]
    rgw frontends = beast endpoint=127.0.0.1:\(port)
    rgw data = \(folder)/rgw

    """
  }
}
