public import Foundation
public import MediaCore
public import RawPhoto
import Synchronization

/// A photo.
///
/// Unchecked because the compiler accepts `Sendable` of final classes only: every property is a `let` of a
/// `Sendable` type or a `Mutex`, and the initializer is internal, so that no subclass elsewhere can add state.
public class AVCapturePhoto: @unchecked Sendable {
  /// The photo behind, whose ways of making a file say why they cannot.
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
  /// What the capture came to.
  public var resolvedSettings: AVCaptureResolvedPhotoSettings {
    AVCaptureResolvedPhotoSettings(base.resolvedSettings)
  }
  /// The samples of a Bayer photo; nil for other photos.
  public var pixelBuffer: CVPixelBuffer? { base.pixelBuffer }
  /// The picture to show at once, where one was asked for.
  public var previewPixelBuffer: CVPixelBuffer? { base.previewPixelBuffer }

  /// The file: DNG for RAW photos, JPEG or HEIC for processed ones; nil if it cannot be made, and
  /// then ``fileDataError`` says why.
  public func fileDataRepresentation() -> Data? {
    make { () throws(RawPhotoError) in try base.fileDataRepresentation() }
  }

  /// The file of a ProRAW photo as a customizer wants it; that of any other photo as it is. Nil if
  /// the customizer's settings have a mistake, and then ``fileDataError`` names the key.
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

/// What a capture came to.
public final class AVCaptureResolvedPhotoSettings: Sendable {
  /// The identity of the settings.
  public let uniqueID: Int64
  /// Photos that the capture makes: exposures times formats.
  public let expectedPhotoCount: Int
  /// The size of processed photos; 0x0 without one.
  public let photoDimensions: CMVideoDimensions
  /// The size of RAW photos; 0x0 without one.
  public let rawPhotoDimensions: CMVideoDimensions
  /// The size of the picture within the RAW file; 0x0 without one.
  public let rawEmbeddedThumbnailDimensions: CMVideoDimensions
  /// The size of the picture to show at once; 0x0 where none was asked for.
  public let previewDimensions: CMVideoDimensions

  init(_ settings: ResolvedPhotoSettings) {
    uniqueID = settings.uniqueID
    expectedPhotoCount = settings.expectedPhotoCount
    photoDimensions = CMVideoDimensions(settings.photoDimensions)
    rawPhotoDimensions = CMVideoDimensions(settings.rawPhotoDimensions)
    rawEmbeddedThumbnailDimensions = CMVideoDimensions(settings.rawEmbeddedThumbnailDimensions)
    previewDimensions = CMVideoDimensions(settings.previewDimensions)
  }

  /// Of a capture that did not begin.
  init(uniqueID: Int64) {
    self.uniqueID = uniqueID
    expectedPhotoCount = 0
    photoDimensions = CMVideoDimensions()
    rawPhotoDimensions = CMVideoDimensions()
    rawEmbeddedThumbnailDimensions = CMVideoDimensions()
    previewDimensions = CMVideoDimensions()
  }
}

/// Chooses how a photo's file is made.
public protocol AVCapturePhotoFileDataRepresentationCustomizer {
  /// What takes the place of the default settings: `AVVideoAppleProRAWBitDepthKey` and
  /// `AVVideoQualityKey`.
  func replacementAppleProRAWCompressionSettings(
    for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
  ) -> [String: Any]
}

extension AppleProRAWCompressionSettings {
  /// Settings from one of Apple's dictionaries.
  init(dictionary: [String: Any]) throws(AVError) {
    self.init()
    var reader = SettingsReader(dictionary, "ProRAW compression")
    bitDepth = try reader.integer(AVVideoAppleProRAWBitDepthKey) ?? bitDepth
    quality = try reader.number(AVVideoQualityKey) ?? quality
    try reader.finish()
  }
}
