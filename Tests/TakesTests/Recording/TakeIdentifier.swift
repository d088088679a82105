import QuickTime

/// The identifier that the movies of a take share.
enum TakeIdentifier {
  static func read(_ path: String) throws -> String {
    try MovieIndex(path: path).metadata.text("com.prores-recorder.take-id") ?? "none"
  }
}
