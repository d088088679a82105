import AssetWriter
import MediaCore
import QuickTime
import Synchronization

/// What an input of metadata or of timecode makes of what it is given. Nothing is kept here: the writer has it at once.
struct DataTrack: Sendable {
  /// What the track is made of.
  enum Content: Sendable {
    /// The keys so far, and the facts that a hint names; nil for any.
    case metadata([TimedMetadataTrack.Key], named: MetadataFormatDescription?)
    /// How frames are counted; nil before the first.
    case timecode(TimecodeFormatDescription?)
  }

  private var content: Content
  /// How frames are counted, as far as that is known before the first.
  private var timecodeHint: TimecodeFormatDescription?
  /// The writer that has the input.
  weak var writer: AVAssetWriter?
  /// Its track of metadata there.
  var track: AssetWriter.MetadataTrack?
  var isFinished = false

  /// A track of what a hint describes; nil for pictures and audio.
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

  /// A key as the track has it; nil for one whose values are not written.
  private static func key(_ key: MetadataFormatDescription.Key) -> TimedMetadataTrack.Key? {
    guard let parts = AVMetadataIdentifier(rawValue: key.identifier).parts,
      parts.space == .quickTimeMetadata, !parts.key.rawValue.isEmpty,
      let type = MetadataValues.type(named: key.dataType)
    else { return nil }
    return TimedMetadataTrack.Key(name: parts.key.rawValue, type: type)
  }

  /// Why a hint makes no track; nil if it does.
  var hintError: AVError? {
    guard let hint = timecodeHint,
      !(hint.frameDuration.isNumeric && hint.frameDuration > .zero)
    else { return nil }
    return AVError(
      .unsupportedOutputSettings,
      "a frame of the timecode in the input's sourceFormatHint lasts \(hint.frameDuration); give it a duration"
    )
  }

  /// Gives the writer a track for what will be appended.
  mutating func addTrack(to writer: AssetWriter) throws(AssetWriterError) {
    switch content {
    case .metadata(let keys, _): track = try writer.addMetadataTrack(keys: keys)
    case .timecode: try writer.addTimecodeTrack(countedAs: timecodeHint)
    }
  }

  /// True while something may be appended.
  var isReady: Bool { !isFinished && writer?.status == .writing }

  /// True while facts wait for their pictures in no great number.
  private var hasRoom: Bool {
    guard let track, let writer else { return true }
    return writer.base.isReadyForMetadata(track)
  }

  /// True if something may be appended, and where an append would show that the writer has failed.
  var isAsking: Bool { isReady && hasRoom || !isFinished && writer?.status == .failed }

  /// Why nothing can be appended; nil if something can.
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
    guard case .metadata(var keys, let named) = content, let writer, let track else {
      throw AVError(.operationNotAllowed, "metadata are appended to an input of metadata")
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
    guard case .timecode(let format) = content, let writer, let timecode = sample.timecodeSample
    else {
      throw AVError(
        .operationNotAllowed, "timecode is appended to an input of timecode, and nothing else is")
    }
    if let format, format != timecode.format {
      throw AVError(.operationNotAllowed, "a track of timecode counts in one way")
    }
    guard Int32(exactly: timecode.frameNumber) != nil else {
      throw AVError(
        .operationNotAllowed, "frame number \(timecode.frameNumber) does not fit 32 bits of a file")
    }
    let run = TimecodeRun(
      start: sample.presentationTimeStamp, frameNumber: timecode.frameNumber)
    do throws(AssetWriterError) {
      try writer.base.appendTimecode(run, countedAs: timecode.format)
    } catch { throw AVError(error) }
    content = .timecode(timecode.format)
  }
}
