import AssetWriter
import MediaCore

/// What a recording shows where its source has no signal: black, a white border and a cross.
enum Slate {
  /// The slate as a frame of the recording; nil where there is no memory for it.
  static func sample(_ plan: RecordingPlan, slot: Int64, timecode: Timecode?) -> SampleBuffer? {
    let isFull = plan.settings.codec.is4444
    let details = PixelBuffer.Description(
      format: isFull ? .yuv444p10 : .yuv422p10, width: plan.settings.width,
      height: plan.settings.height, color: plan.video.color, fieldOrder: plan.video.fieldOrder,
      pixelAspectRatio: plan.video.pixelAspectRatio)
    guard let picture = try? PixelBuffer(details) else { return nil }
    paint(picture)
    var attachments = SampleBuffer.Attachments()
    attachments.timecode = timecode
    return SampleBuffer(
      .video(picture), presentationTimeStamp: plan.rate.time(ofFrame: slot),
      duration: plan.rate.frameDuration, attachments: attachments)
  }

  /// Paints a planar 10-bit picture.
  static func paint(_ picture: PixelBuffer) {
    let black: UInt16 = 64
    let white: UInt16 = 721
    let (width, height) = (picture.width, picture.height)
    let line = max(height / 60, 2)
    for plane in 0..<picture.planeCount {
      let bytesPerRow = picture.bytesPerRow(plane: plane)
      picture.withMutableBytes(ofPlane: plane) { bytes in
        for start in stride(from: 0, to: bytes.count, by: bytesPerRow) {
          let row = start / bytesPerRow
          let words = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + bytesPerRow])
            .bindMemory(to: UInt16.self)
          words.update(repeating: plane == 0 ? black : 512)
          guard plane == 0 else { continue }
          let isEdge = row < line || row >= height - line
          let falling = row * width / height
          for column in 0..<width {
            let isLine =
              isEdge || column < line || column >= width - line || abs(column - falling) < line
              || abs(width - 1 - column - falling) < line
            if isLine { words[column] = white }
          }
        }
      }
    }
  }
}
