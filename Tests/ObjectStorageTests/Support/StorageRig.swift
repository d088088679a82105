import ASCMHL
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// A folder with files, and the means to send them to a store.
struct StorageRig {
  let folder: TemporaryFolder
  /// Several parts long, but not a multiple of the part size.
  let take: [UInt8]
  let small: [UInt8]
  static let partSize: Int64 = 4096

  init() throws {
    folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 7)
    take = generator.bytes(4096 * 6 + 100)
    small = generator.bytes(1000)
    try folder.write(take, "card/day1/A001C001.mov")
    try folder.write(small, "card/a note.txt")
  }

  var settings: UploadSettings {
    var settings = UploadSettings()
    settings.partSize = Self.partSize
    settings.stateFolder = folder.path("state")
    settings.connections = 1
    // Time that passes only while something waits.
    let clock = TestClock()
    settings.client.clock = { clock.now }
    settings.client.sleep = { clock.pass($0) }
    return settings
  }

  static func account() throws -> StorageAccount {
    StorageAccount(
      endpoint: try StorageEndpoint(url: "http://127.0.0.1:9", region: "us-east-1"),
      credentials: StorageCredentials(accessKeyID: "KEY", secretAccessKey: "hush"))
  }

  func upload(
    to store: any ObjectTransport, _ address: String = "s3://takes/card",
    settings: UploadSettings? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> OffloadReport {
    let address = try #require(ObjectAddress(address))
    var copy = RemoteCopy(
      to: address, account: try Self.account(), settings: settings ?? self.settings)
    copy.transport = store
    return try FolderUpload(of: folder.url("card"), by: copy).run(isCancelled: isCancelled)
  }

  /// Writes the card's own manifest with its chain.
  func writeManifest(_ entries: String) throws {
    let text =
      #"<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0"><hashes>"# + entries
      + "</hashes></hashlist>"
    let c4 = try #require(C4Identifier(of: [UInt8](text.utf8)))
    try folder.write(text, "card/ascmhl/0001_card.mhl")
    try folder.write(
      #"<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0"><hashlist sequencenr="1">"#
        + "<path>0001_card.mhl</path><c4>\(c4)</c4></hashlist></ascmhldirectory>",
      "card/ascmhl/ascmhl_chain.xml")
  }

  func verify(_ store: any ObjectTransport, reads: Bool = false) throws -> CopyVerification {
    var verification = RemoteVerification(
      of: try #require(ObjectAddress("s3://takes/card")), account: try Self.account())
    verification.transport = store
    verification.readsObjects = reads
    verification.settings = settings.client
    return try verification.run()
  }
}

extension MotoServer {
  func account() throws -> StorageAccount { try StorageAccount(environment: environment) }
}

/// A clock that advances only when something waits.
final class TestClock: Sendable {
  private let time = Mutex(0.0)
  var now: Double { time.withLock { $0 } }
  func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
}
