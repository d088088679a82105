public import Foundation
public import MediaCore
public import RawPhoto
import Synchronization

/// A photo.
///
/// Unchecked: the compiler verifies only final classes. Every stored property is a `let` of a `Sendable` type or a
/// `Mutex`. The initializer is internal, so no subclass elsewhere can add state.
public class AVCapturePhoto: @unchecked Sendable {
  /// The underlying photo, whose methods throw errors instead of returning nil.
  public let base: CapturePhoto
  let failure = Mutex<AVError?>(nil)

  init(_ photo: CapturePhoto) { base = photo }

  /// True for Bayer RAW and ProRAW.
  public var isRawPhoto: Bool { base.isRawPhoto }
  /// The photo's number in its capture, from 1.
  public var photoCount: Int { base.photoCount }
  /// The exposure's number in its bracket, from 1.
  public var sequenceCount: Int { base.sequenceCount }
  /// When the reference exposure was taken.
  public var timestamp: CMTime { base.timestamp }
  /// The resolved settings of the capture.
  public var resolvedSettings: AVCaptureResolvedPhotoSettings {
    AVCaptureResolvedPhotoSettings(base.resolvedSettings)
  }
  /// The samples of a Bayer photo; nil for other photos.
  public var pixelBuffer: CVPixelBuffer? { base.pixelBuffer }
  /// The preview, if one was requested.
  public var previewPixelBuffer: CVPixelBuffer? { base.previewPixelBuffer }

  /// The file: DNG for RAW photos, JPEG or HEIC for processed ones. Nil if it cannot be made; ``fileDataError`` then
  /// says why.
  public func fileDataRepresentation() -> Data? {
    make { () throws(RawPhotoError) in try base.fileDataRepresentation() }
  }

  /// The file of a ProRAW photo with a customizer's settings; the unchanged file of any other photo. Nil if the
  /// customizer's settings are invalid; ``fileDataError`` then names the key.
  public func fileDataRepresentation(
    with customizer: any AVCapturePhotoFileDataRepresentationCustomizer
  ) -> Data? {
    let defaults = AppleProRAWCompressionSettings()
    let wanted = customizer.replacementAppleProRAWCompressionSettings(
      for: self,
      defaultSettings: [
        AVVideoAppleProRAWBitDepthKey: defaults.bitDepth, AVVideoQualityKey: defaults.quality,
      ],
      maximumBitDepth: AppleProRAWCompressionSettings.maximumBitDepth)
    do throws(AVError) {
      let settings = try AppleProRAWCompressionSettings(dictionary: wanted)
      return make { () throws(RawPhotoError) in
        try base.fileDataRepresentation(with: Customizer(settings: settings))
      }
    } catch {
      failure.withLock { $0 = error }
      return nil
    }
  }

  /// Why the last file or image could not be made; nil if it could.
  public var fileDataError: AVError? { failure.withLock { $0 } }

  private func make(_ body: () throws(RawPhotoError) -> [UInt8]) -> Data? {
    do throws(RawPhotoError) {
      let data = Data(try body())
      failure.withLock { $0 = nil }
      return data
    } catch {
      failure.withLock { $0 = AVError(error) }
      return nil
    }
  }

  private struct Customizer: CapturePhotoFileDataRepresentationCustomizer {
    let settings: AppleProRAWCompressionSettings
    func replacementAppleProRAWCompressionSettings(
      for photo: CapturePhoto, defaultSettings: AppleProRAWCompressionSettings,
      maximumBitDepth: Int
    ) -> AppleProRAWCompressionSettings { settings }
  }
}

/// The resolved settings of a capture.
public final class AVCaptureResolvedPhotoSettings: Sendable {
  /// The ID of the settings.
  public let uniqueID: Int64
  /// The number of photos that the capture makes: exposures times formats.
  public let expectedPhotoCount: Int
  /// The size of processed photos; 0x0 without one.
  public let photoDimensions: CMVideoDimensions
  /// The size of RAW photos; 0x0 without one.
  public let rawPhotoDimensions: CMVideoDimensions
  /// The size of the thumbnail in the RAW file; 0x0 without one.
  public let rawEmbeddedThumbnailDimensions: CMVideoDimensions
  /// The size of the preview; 0x0 if none was requested.
  public let previewDimensions: CMVideoDimensions

  init(_ settings: ResolvedPhotoSettings) {
    uniqueID = settings.uniqueID
    expectedPhotoCount = settings.expectedPhotoCount
    photoDimensions = CMVideoDimensions(settings.photoDimensions)
    rawPhotoDimensions = CMVideoDimensions(settings.rawPhotoDimensions)
    rawEmbeddedThumbnailDimensions = CMVideoDimensions(settings.rawEmbeddedThumbnailDimensions)
    previewDimensions = CMVideoDimensions(settings.previewDimensions)
  }

  /// For a capture that did not start.
  init(uniqueID: Int64) {
    self.uniqueID = uniqueID
    expectedPhotoCount = 0
    photoDimensions = CMVideoDimensions()
    rawPhotoDimensions = CMVideoDimensions()
    rawEmbeddedThumbnailDimensions = CMVideoDimensions()
    previewDimensions = CMVideoDimensions()
  }
}

/// Customizes a photo's file.
public protocol AVCapturePhotoFileDataRepresentationCustomizer {
  /// Returns replacements for the default settings, under `AVVideoAppleProRAWBitDepthKey` and `AVVideoQualityKey`.
  func replacementAppleProRAWCompressionSettings(
    for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
  ) -> [String: Any]
}

extension AppleProRAWCompressionSettings {
  /// Settings from a dictionary with Apple's keys.
  init(dictionary: [String: Any]) throws(AVError) {
    self.init()
    var reader = SettingsReader(dictionary, "ProRAW compression")
    bitDepth = try reader.integer(AVVideoAppleProRAWBitDepthKey) ?? bitDepth
    quality = try reader.number(AVVideoQualityKey) ?? quality
    try reader.finish()
  }
}
