import Foundation
import ImageFiles
import MediaCore
import VideoRecorder

/// The form in which a still image output delivers a frame.
enum StillImageForm: Sendable, Hashable {
  /// A JPEG file with a quality from 0 to 1.
  case jpeg(quality: Double)
  /// Uncompressed pixels.
  case pixels(FrameConversion)

  /// A form from one of Apple's dictionaries; JPEG from an empty one.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and the reason.
  init(dictionary: [String: Any]) throws(AVError) {
    guard !dictionary.isEmpty else {
      self = .jpeg(quality: 0.9)
      return
    }
    if dictionary[AVVideoCodecKey] == nil {
      let wanted = try PixelBufferAttributes(dictionary)
      guard let format = wanted.format, wanted.width == nil, wanted.height == nil else {
        throw AVError(
          .unsupportedOutputSettings,
          "still images accept only AVVideoCodecKey or kCVPixelBufferPixelFormatTypeKey, and have "
            + "the size of the active format")
      }
      self = .pixels(FrameConversion(format, range: wanted.range))
      return
    }
    let photo = try ProcessedPhotoFormat(dictionary: dictionary)
    guard photo.codec == .jpeg else {
      throw AVError(
        .unsupportedOutputSettings,
        "AVVideoCodecKey: still images are JPEG files; use an AVCapturePhotoOutput for others")
    }
    self = .jpeg(quality: photo.quality)
  }

  /// The form as one of Apple's dictionaries.
  var dictionary: [String: Any] {
    switch self {
    case .jpeg(let quality):
      [
        AVVideoCodecKey: AVVideoCodecType.jpeg.rawValue,
        AVVideoCompressionPropertiesKey: [AVVideoQualityKey: quality],
      ]
    case .pixels(let wanted):
      [
        kCVPixelBufferPixelFormatTypeKey: wanted.format.appleName(range: wanted.range)?.rawValue
          ?? 0
      ]
    }
  }

  // MARK: Conversion

  /// Converts a frame to this form; for JPEG the frame stays uncompressed and carries the quality.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings`` if the frame cannot be converted to the pixel format.
  func make(
    _ sample: CMSampleBuffer, with converter: FrameConverter
  ) throws(AVError) -> CMSampleBuffer {
    switch self {
    case .jpeg(let quality):
      let own = sample.withOwnNotes()
      own.setAttachment(
        quality, forKey: Self.qualityNote, mode: kCMAttachmentMode_ShouldPropagate)
      return own
    case .pixels(let wanted):
      guard let frame = sample.imageBuffer,
        let made = converter.convert(frame, to: wanted)
      else {
        throw AVError(
          .unsupportedOutputSettings,
          "cannot convert frames to \(wanted.format); choose one of "
            + "availableImageDataCVPixelFormatTypes")
      }
      return CMSampleBuffer(
        .video(made), presentationTimeStamp: sample.presentationTimeStamp,
        duration: sample.duration, attachments: sample.sourceFacts)
    }
  }

  private static let qualityNote = "StillImageQuality"

  /// A frame as a JPEG file; nil if it cannot be encoded.
  static func jpegData(of sample: CMSampleBuffer) -> Data? {
    guard let frame = sample.imageBuffer, !frame.format.isBayer,
      let rendered = try? CIImage(cvPixelBuffer: frame).rendered(nil, .uint8)
    else { return nil }
    var settings = ImageFileSettings(format: .jpeg)
    let note = sample.attachment(forKey: qualityNote)?.value as? Double
    settings.quality = note ?? settings.quality
    let file = try? ImageFileWriter(settings).encode(ImageContent(rendered))
    return file.map { Data($0.bytes) }
  }
}

extension VideoFormatDescription {
  /// Apple's codes of the device's pixel format, if there is one, and of those to which its frames can be converted;
  /// none for a sensor's mosaic and for compressed frames.
  var availableLayouts: [MediaCore.FourCharCode] {
    guard let given = pixelFormat, !given.isBayer else { return [] }
    let own = given.appleName(range: color.range)
    let others = FrameConversion.available.compactMap { $0.format.appleName(range: $0.range) }
    return (own.map { [$0] } ?? []) + others.filter { $0 != own }
  }
}
