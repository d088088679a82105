import Foundation
import TestSupport
import Testing

/// A recording made in the lab's virtual machine.
struct GuestTake {
  let status: Int32
  let errors: String
  /// The report; empty if there is none.
  let report: [String: Any]
  /// The movie, as a path on the host.
  let file: String
  /// The buffers that the kernel handed out during the recording, if traced.
  let trace: [TracedBuffer]

  /// Records with `recordctl record` and the options.
  ///
  /// - Parameters:
  ///   - feeding: Shell text before the recording.
  ///   - meanwhile: Shell text that runs as soon as the first half second is in the file.
  ///   - afterwards: Shell text after the recording.
  ///   - traced: True to trace the kernel's buffers.
  init(
    _ name: String, _ options: String, feeding: String = "", meanwhile: String? = nil,
    afterwards: String = "", traced: Bool = false
  ) async throws {
    let recording =
      meanwhile.map { "take \(name) \(options) & taking=$!\nrecorded \(name)\n\($0)\nwait $taking" }
      ?? "take \(name) \(options)"
    try await LabGuest.run(
      """
      \(feeding)
      \(traced ? "tracing" : ":")
      \(recording)
      \(traced ? "traced \(name)" : ":")
      \(afterwards)
      """)
    try self.init(found: name, traced: traced)
  }

  /// A recording that a script made with `take NAME`.
  init(found name: String, traced: Bool = false) throws {
    let machine = try #require(LabGuest.machine, "the suite has a machine")
    let base = "\(machine.share)/\(name)"
    func text(_ ending: String) throws -> String {
      try String(contentsOfFile: "\(base).\(ending)", encoding: .utf8)
    }
    status = try #require(Int32(try text("status").trimmingCharacters(in: .whitespacesAndNewlines)))
    errors = try text("errors")
    let json = try Data(contentsOf: URL(filePath: base + ".json"))
    report =
      json.isEmpty
      ? [:] : try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    file = base + ".mov"
    trace =
      traced ? try text("trace").split(separator: "\n").compactMap { TracedBuffer(line: $0) } : []
  }

  /// A movie in the machine's folder, as a path on the host.
  static func movie(_ name: String) throws -> String {
    try #require(LabGuest.machine, "the suite has a machine").share + "/\(name).mov"
  }

  /// A value in the report, by its path, such as `frames.dropped`.
  func value<Value>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
    let found = path.split(separator: ".").reduce(report as Any?) { part, key in
      (part as? [String: Any])?[String(key)]
    }
    return try #require(found as? Value, "\(path) in the report: \(errors)")
  }

  func count(_ path: String) throws -> Int { try value(path) }
  func text(_ path: String) throws -> String { try value(path) }

  func incidents(_ kind: String) throws -> [(frame: Int, count: Int, reason: String?)] {
    try value("incidents", as: [[String: Any]].self).filter { $0["kind"] as? String == kind }
      .map {
        (
          try #require($0["frame"] as? Int), try #require($0["count"] as? Int),
          $0["reason"] as? String
        )
      }
  }

  /// The numbers of the frames affected by incidents of a kind.
  func frames(_ kind: String) throws -> [Int] {
    try incidents(kind).flatMap { $0.frame..<$0.frame + $0.count }
  }

  /// Checks the movie with our own verifier and with libavcodec.
  func expectValidMovie(_ location: SourceLocation = #_sourceLocation) throws {
    let verdict = try Recordctl(["verify", file])
    #expect(verdict.status == 0, "\(verdict.output)", sourceLocation: location)
    #expect(try Judges.strictDecode(file) == "", sourceLocation: location)
  }

  /// Checks that the command refused with one line that contains each of `words`, and left no file.
  func expectRefusal(_ words: String..., location: SourceLocation = #_sourceLocation) {
    #expect(status == 2, "\(errors)", sourceLocation: location)
    #expect(errors.split(separator: "\n").count == 1, "\(errors)", sourceLocation: location)
    for word in words { #expect(errors.contains(word), "\(errors)", sourceLocation: location) }
    #expect(!FileManager.default.fileExists(atPath: file), sourceLocation: location)
  }
}

/// A buffer that the kernel handed to the recorder, from the tracepoint `v4l2_dqbuf`.
struct TracedBuffer: Hashable {
  let sequence: Int
  let isDamaged: Bool
  let field: String

  init?(line: Substring) {
    func word(after key: String) -> Substring? {
      line.range(of: key + " = ").map { line[$0.upperBound...].prefix { $0 != "," && $0 != " " } }
    }
    guard let sequence = word(after: "sequence").flatMap({ Int($0) }),
      let flags = word(after: "flags")
    else { return nil }
    self.sequence = sequence
    self.isDamaged = flags.contains("ERROR")
    self.field = word(after: "field").map(String.init) ?? ""
  }
}
