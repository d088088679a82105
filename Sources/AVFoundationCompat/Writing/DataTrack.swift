import AssetWriter
import MediaCore
import QuickTime
import Synchronization

/// Converts what is appended to a metadata or timecode input. Nothing is stored here: the writer gets it immediately.
struct DataTrack: Sendable {
  /// The content of the track.
  enum Content: Sendable {
    /// The keys so far, and the items that a hint declares; nil for any.
    case metadata([TimedMetadataTrack.Key], named: MetadataFormatDescription?)
    /// The timecode format; nil before the first sample.
    case timecode(TimecodeFormatDescription?)
  }

  private var content: Content
  /// The timecode format in the hint.
  private var timecodeHint: TimecodeFormatDescription?
  /// The writer that the input was added to.
  weak var writer: AVAssetWriter?
  /// The writer's metadata track.
  var track: AssetWriter.MetadataTrack?
  var isFinished = false

  /// A track for a hint; nil for video and audio.
  init?(_ mediaType: AVMediaType, hint: CMFormatDescription?) {
    switch (mediaType, hint) {
    case (.metadata, .metadata(let hint)?):
      content = .metadata(hint.keys.compactMap(Self.key), named: hint)
    case (.metadata, nil): content = .metadata([], named: nil)
    case (.timecode, .timecode(let hint)?): (content, timecodeHint) = (.timecode(nil), hint)
    case (.timecode, nil): content = .timecode(nil)
    default: return nil
    }
  }

  /// The key in the track; nil if its values cannot be written.
  private static func key(_ key: MetadataFormatDescription.Key) -> TimedMetadataTrack.Key? {
    guard let parts = AVMetadataIdentifier(rawValue: key.identifier).parts,
      parts.space == .quickTimeMetadata, !parts.key.rawValue.isEmpty,
      let type = MetadataValues.type(named: key.dataType)
    else { return nil }
    return TimedMetadataTrack.Key(name: parts.key.rawValue, type: type)
  }

  /// The error in the hint; nil if it is valid.
  var hintError: AVError? {
    guard let hint = timecodeHint,
      !(hint.frameDuration.isNumeric && hint.frameDuration > .zero)
    else { return nil }
    return AVError(
      .unsupportedOutputSettings,
      "the input's sourceFormatHint has a timecode frame duration of \(hint.frameDuration); it must be positive"
    )
  }

  /// Adds a track to the writer.
  mutating func addTrack(to writer: AssetWriter) throws(AssetWriterError) {
    switch content {
    case .metadata(let keys, _): track = try writer.addMetadataTrack(keys: keys)
    case .timecode: try writer.addTimecodeTrack(countedAs: timecodeHint)
    }
  }

  /// True while samples can be appended.
  var isReady: Bool { !isFinished && writer?.status == .writing }

  /// True unless much metadata is waiting for video.
  private var hasRoom: Bool {
    guard let track, let writer else { return true }
    return writer.base.isReadyForMetadata(track)
  }

  /// True if samples can be appended, or if an append would report that the writer has failed.
  var isAsking: Bool { isReady && hasRoom || !isFinished && writer?.status == .failed }

  /// Why nothing can be appended; nil if samples can be.
  var obstacle: AVError? {
    if isReady { return nil }
    return AVError(
      .operationNotAllowed,
      isFinished
        ? "nothing can be appended to a finished input"
        : "add the input to a writer and start writing before appending")
  }

  /// Appends a metadata group.
  mutating func append(_ group: AVTimedMetadataGroup) throws(AVError) {
    if let obstacle { throw obstacle }
    guard case .metadata(var keys, let named) = content, let writer, let track else {
      throw AVError(.operationNotAllowed, "append metadata to a metadata input")
    }
    let range = group.timeRange
    var values: [TimedMetadataTrack.Value] = []
    for item in group.items { values.append(try Self.value(of: item, among: &keys, named)) }
    let sample = TimedMetadataTrack.Sample(
      start: range.start, end: range.duration.isNumeric ? range.end : .invalid, values: values)
    do throws(AssetWriterError) {
      try writer.base.appendMetadata(sample, keys: keys, to: track)
    } catch { throw AVError(error) }
    content = .metadata(keys, named: named)
  }

  /// A value for the track. Adds its key to the track's keys if it is new.
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
        "'\(identifier)' cannot be written as timed metadata; use a key of the QuickTime metadata key space"
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
      throw AVError(.unsupportedOutputSettings, "\(identifier): '\(type)' is not supported")
    }
    guard let bytes = MetadataValues.bytes(of: value, as: number) else {
      throw AVError(.unsupportedOutputSettings, "\(identifier): '\(type)' cannot hold the value")
    }
    let key = TimedMetadataTrack.Key(name: parts.key.rawValue, type: number)
    let place = keys.firstIndex(of: key) ?? keys.count
    if place == keys.count { keys.append(key) }
    return TimedMetadataTrack.Value(key: place, bytes: bytes)
  }

  /// Appends a timecode sample.
  mutating func append(_ sample: CMSampleBuffer) throws(AVError) {
    if let obstacle { throw obstacle }
    guard case .timecode(let format) = content, let writer, let timecode = sample.timecodeSample
    else {
      throw AVError(
        .operationNotAllowed, "append timecode, and nothing else, to a timecode input")
    }
    if let format, format != timecode.format {
      throw AVError(.operationNotAllowed, "the format of a timecode track cannot change")
    }
    guard Int32(exactly: timecode.frameNumber) != nil else {
      throw AVError(
        .operationNotAllowed, "frame number \(timecode.frameNumber) does not fit into 32 bits")
    }
    let run = TimecodeRun(
      start: sample.presentationTimeStamp, frameNumber: timecode.frameNumber)
    do throws(AssetWriterError) {
      try writer.base.appendTimecode(run, countedAs: timecode.format)
    } catch { throw AVError(error) }
    content = .timecode(timecode.format)
  }
}
