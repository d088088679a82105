import CaptureDevices
import DNG
import Foundation
import MediaCore
import VideoRecorder

/// A frame of a capture.
struct ExposedFrame: Sendable {
  let frame: SensorFrame
  let timestamp: MediaTime
  let date: Date

  init(
    _ sample: SampleBuffer, exposure: SensorExposure, _ request: PhotoRequest
  ) throws(RawPhotoError) {
    guard let buffer = sample.imageBuffer, let pattern = buffer.format.descriptor.bayerPattern
    else {
      throw RawPhotoError(.formatChanged, "the device no longer delivers a mosaic")
    }
    guard buffer.format == request.format, buffer.width == request.dimensions.width,
      buffer.height == request.dimensions.height
    else {
      throw RawPhotoError(
        .formatChanged,
        "the device changed from \(request.format) \(request.dimensions) to \(buffer.format) "
          + "\(buffer.width)x\(buffer.height) during the capture; take the photo again")
    }
    let samples: [UInt16]
    do throws(MediaCoreError) { samples = try MosaicReader.samples(of: buffer) } catch {
      throw RawPhotoError(.formatChanged, error.message)
    }
    frame = try SensorFrame(
      mosaic: RawPhotoError.from { () throws(DNGError) in
        try RawImage(
          width: buffer.width, height: buffer.height, bitDepth: buffer.format.descriptor.bitDepth,
          samples: samples)
      }, pattern: pattern, exposure: exposure, calibration: request.calibration)
    timestamp = sample.presentationTimeStamp
    date = Date()
  }
}

/// Makes the photos of a capture from its frames.
struct PhotoMaker {
  let request: PhotoRequest
  let frames: [ExposedFrame]
  let cancellation: Cancellation

  private var settings: CapturePhotoSettings { request.settings }

  /// Makes the photos, for each exposure or for all of them merged, RAW first and then processed. Each is delivered
  /// before the next one is made.
  func make(
    _ tell: (CapturePhotoOutput.Progress) -> Void,
    _ deliver: (CapturePhoto) throws(RawPhotoError) -> Void
  ) throws(RawPhotoError) {
    var number = 0
    let groups = request.isFused ? [frames] : frames.map { [$0] }
    for (index, group) in groups.enumerated() {
      guard let first = group.first else { continue }
      try cancellation.check()
      tell(.processing(sequenceCount: index + 1))
      let metadata = metadata(of: first)
      // Developed once and shared.
      let negative =
        needsColor
        ? try LinearNegative(merging: group.map(\.frame), metadata: metadata) : nil
      let rendering =
        negative?.rendering()
        ?? Rendering(
          width: request.dimensions.width, height: request.dimensions.height, pixels: [])
      let preview = try settings.previewMaximumSide.map { (side) throws(RawPhotoError) in
        try rendering.scaled(fitting: side, side).pixelBuffer()
      }
      func photo(_ content: CapturePhoto.Content) -> CapturePhoto {
        number += 1
        return CapturePhoto(
          photoCount: number, sequenceCount: index + 1, timestamp: first.timestamp,
          exposure: first.frame.exposure, resolvedSettings: request.resolved, metadata: metadata,
          previewPixelBuffer: preview, content: content)
      }
      if let content = try raw(of: first, metadata, negative, rendering) {
        try deliver(photo(content))
      }
      if let processed = settings.processedFormat {
        try cancellation.check()
        let file = try rendering.encoded(
          processed, metadata, isThorough: settings.photoQualityPrioritization == .quality,
          isCanceled: { [cancellation] in cancellation.isCancelled })
        try deliver(photo(.processed(file, processed.codec)))
      }
    }
  }

  /// True if the RAW photo is to be a mosaic, false if it is to be linear; nil if none is wanted.
  private var isBayer: Bool? {
    settings.rawPhotoPixelFormatType.map { CapturePhotoOutput.isBayerRAWPixelFormat($0) }
  }

  private var needsColor: Bool {
    isBayer == false || settings.processedFormat != nil || settings.previewMaximumSide != nil
      || settings.rawEmbeddedThumbnailPhotoFormat != nil
  }

  /// The RAW photo of an exposure; nil if none is wanted.
  private func raw(
    of exposed: ExposedFrame, _ metadata: PhotoMetadata, _ negative: LinearNegative?,
    _ rendering: Rendering
  ) throws(RawPhotoError) -> CapturePhoto.Content? {
    guard let isBayer else { return nil }
    let thumbnail = try thumbnail(rendering)
    guard isBayer else { return negative.map { .linear($0, thumbnail: thumbnail) } }
    let frame = exposed.frame
    return .bayer(
      try RawPhotoError.from { () throws(DNGError) in
        try BayerNegative(
          mosaic: frame.mosaic, pattern: frame.pattern, calibration: frame.calibration,
          gain: frame.exposure.gain, metadata: metadata, preview: thumbnail)
      })
  }

  private func thumbnail(_ rendering: Rendering) throws(RawPhotoError) -> EncodedPreview? {
    guard settings.rawEmbeddedThumbnailPhotoFormat != nil else { return nil }
    let size = request.resolved.rawEmbeddedThumbnailDimensions
    let scaled = rendering.scaled(fitting: size.width, size.height)
    return try RawPhotoError.from { () throws(DNGError) in
      try JPEGCodec.encode(
        scaled.bytes, width: scaled.width, height: scaled.height, quality: 0.85)
    }
  }

  /// The metadata in the settings, completed by the device and the clock.
  private func metadata(of frame: ExposedFrame) -> PhotoMetadata {
    var metadata = settings.metadata
    let exposure = frame.frame.exposure
    metadata.model = metadata.model ?? request.calibration.model
    // Some readers require a maker; if it is unknown, use the camera's name.
    metadata.make = metadata.make ?? request.calibration.make ?? metadata.model
    metadata.date = metadata.date ?? frame.date
    if request.original != nil {
      metadata.exposureTime = metadata.exposureTime ?? exposure.duration
      if let base = request.calibration.baseISO {
        metadata.isoSpeed = metadata.isoSpeed ?? base * exposure.gain
      }
      if let original = request.original?.exposure, !settings.bracketedSettings.isEmpty {
        metadata.exposureBias = .log2(exposure.amount / original.amount)
      }
    }
    return metadata
  }
}
