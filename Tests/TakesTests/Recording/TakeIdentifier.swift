import QuickTime

/// What the movies of a take have in common.
enum TakeIdentifier {
  static func read(_ path: String) throws -> String {
    try MovieIndex(path: path).metadata.text("com.prores-recorder.take-id") ?? "none"
  }
}
