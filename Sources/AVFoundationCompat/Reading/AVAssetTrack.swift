import AssetReader
public import Foundation
public import MediaCore
import MovieExport
import QuickTime
import Synchronization

/// The ID of a track in its asset, from 1.
public typealias CMPersistentTrackID = Int32

/// Not a track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// A characteristic of a track's media.
public struct AVMediaCharacteristic: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let visual = Self(rawValue: "AVMediaCharacteristicVisual")
  public static let audible = Self(rawValue: "AVMediaCharacteristicAudible")
  /// Its samples are frames, which may be shown for any duration.
  public static let frameBased = Self(rawValue: "AVMediaCharacteristicFrameBased")
  /// Its frames have alpha.
  public static let containsAlphaChannel = Self(
    rawValue: "AVMediaCharacteristicContainsAlphaChannel")
  /// Its frames are HDR.
  public static let containsHDRVideo = Self(rawValue: "AVMediaCharacteristicContainsHDRVideo")
}

/// A track of an asset: video or audio, or a QuickTime movie's timecode or timed metadata.
///
/// Unchecked: the compiler verifies only final classes. Every stored property is a `let` of a `Sendable` type or a
/// `Mutex`; subclasses state theirs.
public class AVAssetTrack: AVAsynchronousKeyValueLoading, @unchecked Sendable {
  private struct Owner { weak var asset: AVAsset? }

  /// The reader's description of the track; for a composition's track, that of its first segment, and nil if it is
  /// empty.
  var facts: AssetTrack? { stored }
  /// The track's file; nil for a composition's track.
  let location: AssetLocation?
  /// Retains a movie held in memory; nil for a file.
  let bytes: MovieBytes?
  private let stored: AssetTrack?
  private let owner: Mutex<Owner>
  /// True for audio whose file gives its end to the sample. A last packet of compressed audio may extend beyond it.
  private let isCutToTheSample: Bool

  /// - Parameter hasIndex: True for a track of a QuickTime movie, whose sample table is known.
  init(_ facts: AssetTrack?, of asset: AVAsset, hasIndex: Bool = false) {
    stored = facts
    isCutToTheSample = hasIndex && facts?.mediaType == .audio
    (location, bytes) = (asset.location, asset.bytes)
    owner = Mutex(Owner(asset: asset))
  }

  /// The contents of a composition's track; nil for a file's track.
  var ownRuns: CompositionRuns? { nil }

  /// The clips of the track in a range.
  func clips(in range: CMTimeRange) -> [MovieTimeline.Clip] {
    guard let location, let stored else { return [] }
    let range = isCutToTheSample ? range.cut(at: timeRange.end) : range
    return [MovieTimeline.Clip(location: location, track: stored, source: range, target: range)]
  }

  /// The asset; nil after it was released.
  public var asset: AVAsset? { owner.withLock { $0.asset } }
  /// The track ID in the file, from 1.
  public var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: (facts?.id ?? -1) + 1) }
  /// Video, audio, timecode or timed metadata.
  public var mediaType: AVMediaType { facts?.mediaType ?? .video }
  /// Always true: disabled tracks are not listed.
  public var isEnabled: Bool { true }
  /// Always true: a track that cannot be decoded fails when it is read.
  public var isPlayable: Bool { true }
  /// Always true: a track that cannot be decoded fails when it is read.
  public var isDecodable: Bool { true }
  /// The metadata with keys common to all containers.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
  /// Always true.
  public var isSelfContained: Bool { true }

  /// The formats of the track's media: video as stored, with parameter sets for H.264 and HEVC; audio as decoded.
  public var formatDescriptions: [Any] { descriptions }

  var descriptions: [CMFormatDescription] {
    guard let facts else { return [] }
    guard let video = facts.video else { return [facts.formatDescription] }
    let code = facts.codecTag ?? Self.codes[facts.codecName] ?? MediaCore.FourCharCode(rawValue: 0)
    var description = VideoFormatDescription(
      codec: code, dimensions: video.dimensions, color: video.color,
      fieldOrder: video.fieldOrder, pixelAspectRatio: video.pixelAspectRatio)
    if description.interframeCodec != nil {
      description.decoderConfiguration = facts.decoderConfiguration
    }
    return [.video(description)]
  }

  /// Codes, from `CMFormatDescription.h`, of codecs in containers that have no codes.
  private static let codes: [String: MediaCore.FourCharCode] = [
    "h264": "avc1", "hevc": "hvc1", "mpeg4": "mp4v", "mjpeg": "jpeg", "mpeg2video": "mp2v",
    "mpeg1video": "mp1v", "vp9": "vp09", "av1": "av01",
  ]

  /// The displayed size before ``preferredTransform``. Pixels that are not square change its width. 0x0 for audio.
  public var naturalSize: CGSize {
    guard let video = facts?.video else { return CGSize(width: 0, height: 0) }
    let aspect = video.pixelAspectRatio
    let ratio = Double(aspect.horizontal) / Double(max(aspect.vertical, 1))
    return CGSize(
      width: (Double(video.dimensions.width) * ratio).rounded(),
      height: Double(video.dimensions.height))
  }

  /// The transform that players apply. The upper left corner of the result is at (0, 0).
  public var preferredTransform: CGAffineTransform {
    let size = naturalSize
    let (width, height) = (size.width, size.height)
    var turn =
      switch facts?.rotation {
      case 90: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
      case 180: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
      case 270: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
      default: CGAffineTransform.identity
      }
    if facts?.isMirrored == true {
      turn = CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0).concatenating(turn)
    }
    return turn
  }

  /// Frames per second, on average if variable; 0 for audio or if the file does not give it.
  public var nominalFrameRate: Float {
    facts?.frameRate.map { Float(Double($0.numerator) / Double($0.denominator)) } ?? 0
  }

  /// The duration of a frame, on average if variable; invalid for audio.
  public var minFrameDuration: CMTime {
    facts?.frameRate.map {
      CMTime(value: Int64($0.denominator), timescale: Int32(clamping: $0.numerator))
    } ?? .invalid
  }

  /// The track's range on the asset's timeline.
  public var timeRange: CMTimeRange {
    guard let facts else { return .zero }
    return CMTimeRange(
      start: facts.startTime.isNumeric ? facts.startTime : .zero,
      duration: facts.duration.isNumeric ? facts.duration : .zero)
  }

  /// The segments of the track; a single one for a file's track.
  public var segments: [AVAssetTrackSegment] {
    [AVAssetTrackSegment(CMTimeMapping(source: timeRange, target: timeRange))]
  }

  /// The segment at a time, or the nearest one; nil for a time that is not numeric.
  public func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
    segments.nearest(to: trackTime)
  }

  /// The timescale of the track's timestamps.
  public var naturalTimeScale: CMTimeScale { facts?.timeUnit.timescale ?? 600 }

  /// The track in a QuickTime movie's index; nil for another file.
  var indexed: MovieIndex.Track? {
    guard let location, let facts else { return nil }
    let index = (try? asset?.contents())?.index ?? (try? MovieIndex(path: location.path))
    return index?.track(of: facts)
  }

  /// Bytes of all samples of a QuickTime movie's track; 0 if unknown.
  public var totalSampleDataLength: Int64 {
    guard let samples = indexed?.samples else { return 0 }
    return samples.byteRanges(of: 0..<samples.count).reduce(0) { $0 + Int64($1.count) }
  }

  /// Bits per second of a QuickTime movie's track; 0 if unknown.
  public var estimatedDataRate: Float {
    let seconds = timeRange.duration.seconds
    return seconds > 0 ? Float(Double(totalSampleDataLength) * 8 / seconds) : 0
  }

  /// The language, as an ISO 639-2 code; nil if unknown.
  public var languageCode: String? { facts?.language }
  /// The language, as an ISO 639-2 code; nil if unknown.
  public var extendedLanguageTag: String? { facts?.language }
  /// Always 1: as recorded.
  public var preferredVolume: Float { 1 }
  /// The track's metadata.
  public var metadata: [AVMetadataItem] { AVMetadataItem.items(facts?.metadata ?? [:]) }

  public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    switch mediaCharacteristic {
    case .visual, .frameBased: return mediaType == .video
    case .audible: return mediaType == .audio
    case .containsAlphaChannel: return facts?.hasAlpha ?? false
    case .containsHDRVideo:
      let transfer = facts?.video?.color.transferFunction
      return transfer == .pq || transfer == .hlg
    default: return false
    }
  }
}

extension CMTimeRange {
  /// The range cut at a time, if it extends beyond it.
  fileprivate func cut(at time: CMTime) -> CMTimeRange {
    let first = start.isNumeric ? start : .zero
    guard time.isNumeric, time > first, !duration.isNumeric || end > time else { return self }
    return CMTimeRange(start: first, end: time)
  }
}

extension AVAssetTrack: Hashable {
  public static func == (lhs: AVAssetTrack, rhs: AVAssetTrack) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
