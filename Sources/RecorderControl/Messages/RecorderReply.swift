public import MediaCore
public import TakeReports

/// The reply to a command.
public struct RecorderReply: Sendable, Hashable, Codable {
  /// The number of the command; missing if it had none.
  public var id: Int?
  /// The command's name; missing if the line was not a command.
  public var command: String?
  /// Why the command failed; missing if it succeeded.
  public var error: ErrorSummary?
  /// What was changed, guessed or ignored, a line each.
  public var notes: [String]?
  /// The recorder's status after the command.
  public var status: RecorderStatus?
  /// The take that the command has begun.
  public var take: RecorderStatus.Take?
  /// The marker that it has set.
  public var marker: RecordingReport.Marker?

  package init(
    error: ErrorSummary? = nil, status: RecorderStatus? = nil,
    take: RecorderStatus.Take? = nil, marker: RecordingReport.Marker? = nil,
    notes: [String]? = nil
  ) {
    self.error = error
    self.status = status
    self.take = take
    self.marker = marker
    self.notes = notes
  }

  /// A refusal.
  package init(_ error: some CodedError) { self.init(error: ErrorSummary(error)) }

  /// True if the command succeeded.
  public var isDone: Bool { error == nil }
}
