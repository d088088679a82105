import Foundation
public import MediaCore
import Synchronization

extension AVAssetTrack {
  /// False for ProRes and audio; true for codecs whose pictures may be stored in another order.
  public var requiresFrameReordering: Bool {
    guard mediaType == .video,
      let description = formatDescriptions.first as? CMFormatDescription
    else { return false }
    return [.h264, .hevc].contains(description.mediaSubType)
  }
}

extension AVAssetTrack {
  /// What a track is to another one.
  public struct AssociationType: RawRepresentable, Sendable, Hashable {
    /// The four characters of the reference.
    public let rawValue: String
    /// A relation from its characters.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Its timecode.
    public static let timecode = Self(rawValue: "tmcd")
    /// Its chapters.
    public static let chapterList = Self(rawValue: "chap")
    /// Metadata about it.
    public static let metadataReferent = Self(rawValue: "cdsc")
    /// Audio to be played where it cannot be.
    public static let audioFallback = Self(rawValue: "fall")
    /// Subtitles to be shown where they are needed.
    public static let forcedSubtitlesOnly = Self(rawValue: "forc")
    /// Text where subtitles belong to it.
    public static let selectionFollower = Self(rawValue: "folw")
  }
}

extension AVAsset {
  /// The number that a further track would have.
  public func unusedTrackID() -> CMPersistentTrackID { (tracks.map(\.trackID).max() ?? 0) + 1 }

  /// Metadata of a format.
  ///
  /// - Throws: ``AVError`` where the file cannot be read.
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    try await loaded { asset throws(AVError) in
      let metadata = try asset.contents().metadata
      return format == .quickTimeMetadata ? metadata : []
    }
  }
}

extension AVURLAsset {
  /// True: durations are always exact.
  public var providesPreciseDurationAndTiming: Bool { true }
}

extension AVAssetExportSession {
  /// 0: no limit. Setting it has no effect.
  public var fileLengthLimit: Int64 {
    get { 0 }
    set {}
  }
  /// Gives the containers that can be written.
  public func determineCompatibleFileTypes(
    completionHandler handler: @escaping @Sendable ([AVFileType]) -> Void
  ) {
    let types = supportedFileTypes
    Task { handler(types) }
  }
  /// 0: not known before.
  public var estimatedOutputFileLengthInBytes: Int64 { 0 }
}

extension AVAssetImageGenerator {
  /// A picture of several, or why there is none.
  public enum ImageResult: Sendable {
    /// A picture: the time that was asked for, the picture, when it begins.
    case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
    /// No picture: the time that was asked for, and why.
    case failure(requestedTime: CMTime, error: AVError)

    /// The time that was asked for.
    public var requestedTime: CMTime {
      switch self {
      case .success(let time, _, _), .failure(let time, _): time
      }
    }
    /// The picture.
    ///
    /// - Throws: ``AVError``, why there is none.
    public var image: CGImage {
      get throws {
        switch self {
        case .success(_, let image, _): return image
        case .failure(_, let error): throw error
        }
      }
    }
    /// When the picture begins.
    ///
    /// - Throws: ``AVError``, why there is none.
    public var actualTime: CMTime {
      get throws {
        switch self {
        case .success(_, _, let time): return time
        case .failure(_, let error): throw error
        }
      }
    }
  }

  /// Pictures of times, one after the other, each made when it is asked for.
  public func images(for times: [CMTime]) -> Images { Images(generator: self, times: times) }

  /// Pictures of times, one after the other.
  public struct Images: AsyncSequence, Sendable {
    let generator: AVAssetImageGenerator
    let times: [CMTime]

    /// Goes through them.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let generator: AVAssetImageGenerator
      var times: ArraySlice<CMTime>

      /// The next picture; nil after the last.
      public mutating func next() async -> ImageResult? {
        guard let time = times.popFirst() else { return nil }
        do {
          let made = try await generator.image(at: time)
          return .success(requestedTime: time, image: made.image, actualTime: made.actualTime)
        } catch { return .failure(requestedTime: time, error: AVError(error)) }
      }
    }

    /// Begins with the first.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(generator: generator, times: times[...])
    }
  }
}
