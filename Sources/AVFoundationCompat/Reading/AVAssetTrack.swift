import AssetReader
public import Foundation
public import MediaCore
import MovieExport
import QuickTime
import Synchronization

/// The number of a track in its asset, from 1.
public typealias CMPersistentTrackID = Int32

/// No track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// What a track offers to who looks or listens.
public struct AVMediaCharacteristic: RawRepresentable, Sendable, Hashable {
  /// Apple's text.
  public let rawValue: String
  /// A characteristic from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A characteristic from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// It can be seen.
  public static let visual = Self(rawValue: "AVMediaCharacteristicVisual")
  /// It can be heard.
  public static let audible = Self(rawValue: "AVMediaCharacteristicAudible")
  /// Its samples are pictures, each of which may be shown for any time.
  public static let frameBased = Self(rawValue: "AVMediaCharacteristicFrameBased")
  /// Its pictures carry alpha.
  public static let containsAlphaChannel = Self(
    rawValue: "AVMediaCharacteristicContainsAlphaChannel")
  /// Its pictures are HDR.
  public static let containsHDRVideo = Self(rawValue: "AVMediaCharacteristicContainsHDRVideo")
}

/// A track of an asset: of pictures or audio, or of the timecode or the timed metadata of a QuickTime movie.
///
/// Unchecked: what it keeps is constant or behind a lock, and so is what subclasses add.
public class AVAssetTrack: AVAsynchronousKeyValueLoading, @unchecked Sendable {
  private struct Owner { weak var asset: AVAsset? }

  /// What is known of the track of the file; of a composition's track, of that of its first stretch, and nil
  /// for an empty one.
  var facts: AssetTrack? { stored }
  /// Where the track lies; nil for a composition's.
  let location: AssetLocation?
  /// What keeps a file without a name; nil for one with a name.
  let bytes: MovieBytes?
  private let stored: AssetTrack?
  private let owner: Mutex<Owner>
  /// True for audio whose file says to the sample where it ends: a last packet of compressed audio may have more.
  private let isCutToTheSample: Bool

  /// - Parameter hasIndex: True for a track of a QuickTime movie, whose samples are known one by one.
  init(_ facts: AssetTrack?, of asset: AVAsset, hasIndex: Bool = false) {
    stored = facts
    isCutToTheSample = hasIndex && facts?.mediaType == .audio
    (location, bytes) = (asset.location, asset.bytes)
    owner = Mutex(Owner(asset: asset))
  }

  /// What a track shows that is made of others'; nil for a file's track.
  var ownRuns: CompositionRuns? { nil }

  /// What the track shows within a range.
  func clips(in range: CMTimeRange) -> [MovieTimeline.Clip] {
    guard let location, let stored else { return [] }
    let range = isCutToTheSample ? range.cut(at: timeRange.end) : range
    return [MovieTimeline.Clip(location: location, track: stored, source: range, target: range)]
  }

  /// The asset; nil once nobody holds it.
  public var asset: AVAsset? { owner.withLock { $0.asset } }
  /// The number of the track in the file, from 1.
  public var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: (facts?.id ?? -1) + 1) }
  /// What the track is of: pictures, audio, timecode or timed metadata.
  public var mediaType: AVMediaType { facts?.mediaType ?? .video }
  /// True: a track that is listed is on.
  public var isEnabled: Bool { true }
  /// True: a track that cannot be decoded fails when it is read.
  public var isPlayable: Bool { true }
  /// True: a track that cannot be decoded fails when it is read.
  public var isDecodable: Bool { true }
  /// Same as ``metadata``.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
  /// True if all samples are in the file: always.
  public var isSelfContained: Bool { true }

  /// What the track holds: pictures by their codec's code, of H.264 and HEVC with their parameter sets; audio as it is
  /// delivered.
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

  /// Codes of codecs in containers that have none: as `CMFormatDescription.h` names them.
  private static let codes: [String: MediaCore.FourCharCode] = [
    "h264": "avc1", "hevc": "hvc1", "mpeg4": "mp4v", "mjpeg": "jpeg", "mpeg2video": "mp2v",
    "mpeg1video": "mp1v", "vp9": "vp09", "av1": "av01",
  ]

  /// Width and height as shown, before ``preferredTransform``: pixels that are not square make the
  /// picture wider or narrower. 0x0 for audio.
  public var naturalSize: CGSize {
    guard let video = facts?.video else { return CGSize(width: 0, height: 0) }
    let aspect = video.pixelAspectRatio
    let ratio = Double(aspect.horizontal) / Double(max(aspect.vertical, 1))
    return CGSize(
      width: (Double(video.dimensions.width) * ratio).rounded(),
      height: Double(video.dimensions.height))
  }

  /// How a player turns the pictures, their upper left corner at 0, 0 after that.
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

  /// Frames a second, the mean where they vary; 0 for audio, and where the file does not say.
  public var nominalFrameRate: Float {
    facts?.frameRate.map { Float(Double($0.numerator) / Double($0.denominator)) } ?? 0
  }

  /// The length of a frame, the mean where they vary; invalid for audio.
  public var minFrameDuration: CMTime {
    facts?.frameRate.map {
      CMTime(value: Int64($0.denominator), timescale: Int32(clamping: $0.numerator))
    } ?? .invalid
  }

  /// Where the track lies in the asset.
  public var timeRange: CMTimeRange {
    guard let facts else { return .zero }
    return CMTimeRange(
      start: facts.startTime.isNumeric ? facts.startTime : .zero,
      duration: facts.duration.isNumeric ? facts.duration : .zero)
  }

  /// What the track shows, one after the other: of a file's track all of it.
  public var segments: [AVAssetTrackSegment] {
    [AVAssetTrackSegment(CMTimeMapping(source: timeRange, target: timeRange))]
  }

  /// The stretch that is shown at a time, else the nearest one; nil for a time that is no number.
  public func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
    segments.nearest(to: trackTime)
  }

  /// Units a second of the track's time stamps.
  public var naturalTimeScale: CMTimeScale { facts?.timeUnit.timescale ?? 600 }

  /// What a QuickTime movie's index says of the track; nil for another file.
  var indexed: MovieIndex.Track? {
    guard let location, let facts else { return nil }
    let index = (try? asset?.contents())?.index ?? (try? MovieIndex(path: location.path))
    return index?.track(of: facts)
  }

  /// Bytes of all samples, of a QuickTime movie; 0 where not known.
  public var totalSampleDataLength: Int64 {
    guard let samples = indexed?.samples else { return 0 }
    return samples.byteRanges(of: 0..<samples.count).reduce(0) { $0 + Int64($1.count) }
  }

  /// Bits a second, of a QuickTime movie; 0 where not known.
  public var estimatedDataRate: Float {
    let seconds = timeRange.duration.seconds
    return seconds > 0 ? Float(Double(totalSampleDataLength) * 8 / seconds) : 0
  }

  /// The language as ISO 639-2; nil if not known.
  public var languageCode: String? { facts?.language }
  /// The language as ISO 639-2; nil if not known.
  public var extendedLanguageTag: String? { facts?.language }
  /// 1: as loud as it was recorded.
  public var preferredVolume: Float { 1 }
  /// What the file says of the track.
  public var metadata: [AVMetadataItem] { AVMetadataItem.items(facts?.metadata ?? [:]) }

  /// True for what the track is.
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
  /// The range up to a time, where it goes on behind that.
  fileprivate func cut(at time: CMTime) -> CMTimeRange {
    let first = start.isNumeric ? start : .zero
    guard time.isNumeric, time > first, !duration.isNumeric || end > time else { return self }
    return CMTimeRange(start: first, end: time)
  }
}

extension AVAssetTrack: Hashable {
  /// True for the same object.
  public static func == (lhs: AVAssetTrack, rhs: AVAssetTrack) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
