import Foundation
import Synchronization
package import Testing

/// moto, a server that behaves like Amazon S3, and botocore, Amazon's own client.
package enum StorageTools {
  /// Without `awscrt`, moto uses another checksum in place of CRC-64/NVME.
  package static let environment: Result<PythonEnvironment, any Error> = Result {
    try PythonEnvironment(
      "moto-5.2.1",
      packages: [
        "moto[s3]==5.2.1", "flask==3.1.3", "flask-cors==6.0.5", "awscrt==0.38.1", "boto3==1.44.5",
      ])
  }

  package static var isPresent: Bool { (try? environment.get()) != nil }
  package static let absence: Comment =
    "moto, a server of object storage, cannot be installed from PyPI"
}

/// Why a server or a client could not be used.
package struct Unusable: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// A moto server on a port of its own, which ends when its owner releases it.
package final class MotoServer: Sendable {
  /// A request that was answered.
  package struct Request: Sendable, Hashable {
    package var method: String
    package var path: String
    package var query: String
    package var status: Int
    /// Bytes in the body of the request, and in that of the answer.
    package var received: Int
    package var sent: Int
  }

  /// What the server prints: first its port, then the result of each script.
  private struct Answer: Decodable {
    var output: String
    var error: String?
  }

  private let process: Process
  private let folder: TemporaryFolder
  private let scripts = Pipe()
  /// The number of scripts sent.
  private let sent = Mutex(0)
  package let port: Int

  /// The requests answered so far, in order.
  package var requests: [Request] {
    get throws {
      String(decoding: try folder.bytes("requests"), as: UTF8.self).split(separator: "\n")
        .compactMap {
          let words = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
          guard words.count == 6, let status = Int(words[3]), let received = Int(words[4]),
            let sent = Int(words[5])
          else { return nil }
          return Request(
            method: words[0], path: words[1], query: words[2], status: status, received: received,
            sent: sent)
        }
    }
  }

  /// The highest number of uploads of one part or object, and the number of distinct parts and
  /// objects.
  package var taken: (most: Int, count: Int) {
    get throws {
      var counts: [String: Int] = [:]
      for request in try requests
      where request.method == "PUT" && request.status == 200 {
        let part = request.query.split(separator: "&").first { $0.hasPrefix("partNumber=") }
        counts["\(request.path) \(part ?? "")", default: 0] += 1
      }
      return (counts.values.max() ?? 0, counts.count)
    }
  }

  /// - Parameter bucket: The bucket that exists at the start.
  package init(bucket: String? = nil) throws {
    let python = try StorageTools.environment.get().python
    let folder = try TemporaryFolder()
    self.folder = folder
    _ = try folder.emptyFile("requests")
    process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments =
      ["-c", Self.program, folder.path("requests")] + (bucket.map { [$0] } ?? [])
    // The server ends with the test, however the test ends.
    process.standardInput = scripts
    process.standardOutput = try FileHandle(forWritingTo: folder.emptyFile("answers"))
    process.standardError = try FileHandle(forWritingTo: folder.emptyFile("log"))
    let process = process
    try Command.withSignalsUnblocked { try process.run() }
    guard let port = Int(try Self.answer(0, of: process, in: folder)) else {
      throw Unusable(description: "moto reports no port")
    }
    self.port = port
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitForExit()
  }

  package var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "AWS_ACCESS_KEY_ID": "test",
      "AWS_SECRET_ACCESS_KEY": "hush", "AWS_REGION": "us-east-1",
    ]
  }

  /// Runs a script with Amazon's own client, which the server's process has already loaded; loading
  /// it in another process takes half a second of processor time.
  ///
  /// - Returns: What the script prints.
  @discardableResult
  package func boto(_ script: String) throws -> String { try run(script) }

  /// Forgets all objects and requests, and starts over with one bucket.
  package func begin(bucket: String) throws {
    try run("begin_anew('\(bucket)')")
  }

  @discardableResult
  private func run(_ script: String) throws -> String {
    let line = try JSONEncoder().encode(script) + [UInt8(ascii: "\n")]
    // One at a time, because answers come in the order of the scripts.
    return try sent.withLock { sent in
      guard process.isRunning else { throw Unusable(description: "moto has ended") }
      sent += 1
      try scripts.fileHandleForWriting.write(contentsOf: line)
      return try Self.answer(sent, of: process, in: folder)
    }
  }

  /// Waits for line `index` of the server's output, counted from 0.
  private static func answer(
    _ index: Int, of process: Process, in folder: TemporaryFolder
  ) throws -> String {
    var line: Data?
    try waitUntil("an answer of moto") {
      let ended = !process.isRunning
      // An incomplete line does not count.
      let lines = Data(try folder.bytes("answers"))
        .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      line = lines.dropFirst(index).first
      return line != nil || ended
    }
    guard let line else {
      throw Unusable(
        description: "moto: " + String(decoding: try folder.bytes("log"), as: UTF8.self))
    }
    let answer = try JSONDecoder().decode(Answer.self, from: line)
    if let error = answer.error { throw Unusable(description: error) }
    return answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
