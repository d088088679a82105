import Foundation
public import MediaCore
import Synchronization

extension AVAssetTrack {
  /// False for ProRes and audio; true for codecs that may store frames out of presentation order.
  public var requiresFrameReordering: Bool {
    guard mediaType == .video,
      let description = formatDescriptions.first as? CMFormatDescription
    else { return false }
    return [.h264, .hevc].contains(description.mediaSubType)
  }
}

extension AVAssetTrack {
  /// The relation of a track to another one.
  public struct AssociationType: RawRepresentable, Sendable, Hashable {
    /// The four-character code of the track reference.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let timecode = Self(rawValue: "tmcd")
    public static let chapterList = Self(rawValue: "chap")
    /// Metadata about the track.
    public static let metadataReferent = Self(rawValue: "cdsc")
    /// Audio to play if the track cannot be played.
    public static let audioFallback = Self(rawValue: "fall")
    /// Subtitles to show only where needed.
    public static let forcedSubtitlesOnly = Self(rawValue: "forc")
    /// Text to select along with the track.
    public static let selectionFollower = Self(rawValue: "folw")
  }
}

extension AVAsset {
  /// The ID that the next track would have.
  public func unusedTrackID() -> CMPersistentTrackID { (tracks.map(\.trackID).max() ?? 0) + 1 }

  /// The metadata in a format.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
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
  /// Passes the supported file types to the handler.
  public func determineCompatibleFileTypes(
    completionHandler handler: @escaping @Sendable ([AVFileType]) -> Void
  ) {
    let types = supportedFileTypes
    Task { handler(types) }
  }
  /// 0: unknown in advance.
  public var estimatedOutputFileLengthInBytes: Int64 { 0 }
}

extension AVAssetImageGenerator {
  /// The result for one of several times: an image or an error.
  public enum ImageResult: Sendable {
    /// The requested time, the image, and the start time of its frame.
    case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
    /// The requested time and the error.
    case failure(requestedTime: CMTime, error: AVError)

    public var requestedTime: CMTime {
      switch self {
      case .success(let time, _, _), .failure(let time, _): time
      }
    }
    /// The image.
    ///
    /// - Throws: ``AVError`` if it could not be made.
    public var image: CGImage {
      get throws {
        switch self {
        case .success(_, let image, _): return image
        case .failure(_, let error): throw error
        }
      }
    }
    /// The start time of the image's frame.
    ///
    /// - Throws: ``AVError`` if it could not be made.
    public var actualTime: CMTime {
      get throws {
        switch self {
        case .success(_, _, let time): return time
        case .failure(_, let error): throw error
        }
      }
    }
  }

  /// The images at times, in order. Each is made when it is requested.
  public func images(for times: [CMTime]) -> Images { Images(generator: self, times: times) }

  /// The images at times, in order.
  public struct Images: AsyncSequence, Sendable {
    let generator: AVAssetImageGenerator
    let times: [CMTime]

    /// Iterates over the images.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let generator: AVAssetImageGenerator
      var times: ArraySlice<CMTime>

      /// The next image; nil at the end.
      public mutating func next() async -> ImageResult? {
        guard let time = times.popFirst() else { return nil }
        do {
          let made = try await generator.image(at: time)
          return .success(requestedTime: time, image: made.image, actualTime: made.actualTime)
        } catch { return .failure(requestedTime: time, error: AVError(error)) }
      }
    }

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(generator: generator, times: times[...])
    }
  }
}
