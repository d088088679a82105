import AssetWriter
import MediaCore
import QuickTime
import Synchronization

/// What an input of metadata or of timecode was given: kept until the movie is complete, for such a track is written
/// last.
struct DataTrack: Sendable {
  /// What the track is made of.
  enum Content: Sendable {
    /// Facts, and those that a hint names; nil for any.
    case metadata(TimedMetadataTrack, named: MetadataFormatDescription?)
    case timecode(TimecodeRuns?)
  }

  var content: Content
  /// The writer that has the input.
  weak var writer: AVAssetWriter?
  var isFinished = false

  /// A track of what a hint describes; nil for pictures and sound.
  init?(_ mediaType: AVMediaType, hint: CMFormatDescription?) {
    switch (mediaType, hint) {
    case (.metadata, .metadata(let hint)?):
      content = .metadata(TimedMetadataTrack(keys: []), named: hint)
    case (.metadata, nil): content = .metadata(TimedMetadataTrack(keys: []), named: nil)
    case (.timecode, .timecode?), (.timecode, nil): content = .timecode(nil)
    default: return nil
    }
  }

  /// True while something may be appended.
  var isReady: Bool { !isFinished && writer?.status == .writing }

  /// True where something may be appended, and where an append would show that the writer has failed.
  var isAsking: Bool { isReady || !isFinished && writer?.status == .failed }

  /// Why nothing can be appended; nil where something can.
  var obstacle: AVError? {
    if isReady { return nil }
    return AVError(
      .operationNotAllowed,
      isFinished
        ? "nothing follows in an input that is marked as finished"
        : "add the input to a writer, and start writing, before anything is appended")
  }

  /// Takes the facts of a stretch of time.
  mutating func append(_ group: AVTimedMetadataGroup) throws(AVError) {
    if let obstacle { throw obstacle }
    guard case .metadata(var track, let named) = content else {
      throw AVError(.operationNotAllowed, "metadata are appended to an input of metadata")
    }
    // Out of its place meanwhile, lest all that was appended before be copied.
    content = .timecode(nil)
    defer { content = .metadata(track, named: named) }
    let range = group.timeRange
    guard range.start.isNumeric else {
      throw AVError(.operationNotAllowed, "metadata need a time from which on they hold")
    }
    var (keys, values) = (track.keys, [TimedMetadataTrack.Value]())
    for item in group.items { values.append(try Self.value(of: item, among: &keys, named)) }
    track.keys = keys
    track.samples.append(
      TimedMetadataTrack.Sample(
        start: range.start, end: range.duration.isNumeric ? range.end : .invalid, values: values))
  }

  /// A fact as the track has it, among whose keys there is one for it then.
  private static func value(
    of item: AVMetadataItem, among keys: inout [TimedMetadataTrack.Key],
    _ named: MetadataFormatDescription?
  ) throws(AVError) -> TimedMetadataTrack.Value {
    let facts = item.facts.withLock { $0 }
    let identifier = facts.identifier?.rawValue ?? ""
    guard let parts = facts.identifier?.parts, parts.space == .quickTimeMetadata,
      !parts.key.rawValue.isEmpty
    else {
      throw AVError(
        .unsupportedOutputSettings,
        "'\(identifier)' is not written with its time; use a key of the QuickTime metadata key space"
      )
    }
    guard let value = facts.value else {
      throw AVError(.unsupportedOutputSettings, "\(identifier) has no value")
    }
    var type = facts.dataType ?? MetadataValues.name(for: value)
    if let named {
      guard let key = named.keys.first(where: { $0.identifier == identifier }) else {
        throw AVError(
          .unsupportedOutputSettings, "\(identifier) is not in the input's sourceFormatHint")
      }
      type = key.dataType
    }
    guard let number = MetadataValues.type(named: type) else {
      throw AVError(.unsupportedOutputSettings, "\(identifier): '\(type)' is not written here")
    }
    guard let bytes = MetadataValues.bytes(of: value, as: number) else {
      throw AVError(.unsupportedOutputSettings, "\(identifier): '\(type)' does not hold the value")
    }
    let key = TimedMetadataTrack.Key(name: parts.key.rawValue, type: number)
    let place = keys.firstIndex(of: key) ?? keys.count
    if place == keys.count { keys.append(key) }
    return TimedMetadataTrack.Value(key: place, bytes: bytes)
  }

  /// Takes the number of a frame.
  mutating func append(_ sample: CMSampleBuffer) throws(AVError) {
    if let obstacle { throw obstacle }
    guard case .timecode(var runs) = content, let timecode = sample.timecodeSample else {
      throw AVError(
        .operationNotAllowed, "timecode is appended to an input of timecode, and nothing else is")
    }
    guard sample.presentationTimeStamp.isNumeric else {
      throw AVError(.operationNotAllowed, "a frame number needs a time")
    }
    if let format = runs?.format, format != timecode.format {
      throw AVError(.operationNotAllowed, "a track of timecode counts in one way")
    }
    guard Int32(exactly: timecode.frameNumber) != nil else {
      throw AVError(
        .operationNotAllowed, "frame number \(timecode.frameNumber) does not fit 32 bits of a file")
    }
    let run = TimecodeRuns.Run(
      start: sample.presentationTimeStamp, frameNumber: timecode.frameNumber)
    if runs == nil { runs = TimecodeRuns(format: timecode.format, runs: []) }
    // Out of its place meanwhile, lest all that was appended before be copied.
    content = .timecode(nil)
    runs?.runs.append(run)
    content = .timecode(runs)
  }
}
