public import CaptureDevices
public import MediaCore

/// A preset in a few values: what `presets --json` prints, and a menu shows.
public struct PresetListing: Encodable, Sendable {
  /// The name it is called by.
  public let name: String
  /// What it records, in one line; empty for one that cannot be read.
  public let summary: String
  /// The preset's file; nil for one that comes with the program.
  public let path: String?
  /// What is wrong with it.
  public let error: ErrorSummary?

  /// Reads a preset. One that cannot be read is listed with the reason.
  public init(_ entry: PresetLibrary.Entry, in library: PresetLibrary) {
    name = entry.name
    path = if case .file(let path) = entry.origin { path } else { nil }
    var summary = ""
    var failure: CaptureError?
    do throws(CaptureError) { summary = try library.preset(named: entry.name).summary } catch {
      failure = error
    }
    self.summary = summary
    error = failure.map { ErrorSummary($0) }
  }
}

extension PresetLibrary {
  /// All presets, in the order of ``entries``.
  public var listings: [PresetListing] { entries.map { PresetListing($0, in: self) } }

  /// The text of a preset that can be read, to start one's own from.
  ///
  /// - Throws: As ``preset(named:)``.
  public func validText(named name: String) throws(CaptureError) -> String {
    _ = try preset(named: name)
    return try text(named: name)
  }
}
