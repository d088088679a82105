import AssetWriter
import MediaCore
import TestPattern

/// What a recording shows where its source has no signal: black, a white border and a cross.
enum Slate {
  /// The slate as a frame of the recording, in the source's own layout; nil where that cannot be
  /// painted, or there is no memory for it.
  static func sample(_ plan: RecordingPlan, slot: Int64, timecode: Timecode?) -> SampleBuffer? {
    guard let format = plan.video.pixelFormat, format.descriptor.subsampling != .rgb else {
      return nil
    }
    let details = PixelBuffer.Description(
      format: format, width: plan.settings.width, height: plan.settings.height,
      color: plan.video.color, fieldOrder: plan.video.fieldOrder,
      pixelAspectRatio: plan.video.pixelAspectRatio)
    guard let memory = try? FrameCanvas(details) else { return nil }
    paint(memory)
    guard let frame = try? memory.buffer(release: {}) else { return nil }
    var attachments = SampleBuffer.Attachments()
    attachments.timecode = timecode
    return SampleBuffer(
      .video(frame), presentationTimeStamp: plan.rate.time(ofFrame: slot),
      duration: plan.rate.frameDuration, attachments: attachments)
  }

  private static func paint(_ memory: FrameCanvas) {
    let (width, height) = (memory.details.width, memory.details.height)
    let line = max(height / 60, 2)
    for row in 0..<height {
      var stretch = PatternRow(width: width)
      let falling = row * width / height
      let isEdge = row < line || row >= height - line
      stretch.fill(isEdge ? 0..<width : 0..<line, .white)
      stretch.fill(width - line..<width, .white)
      for center in [falling, width - 1 - falling] {
        stretch.fill(max(center - line, 0)..<min(center + line, width), .white)
      }
      memory.store(stretch, row: row, x: 0, count: width)
    }
  }
}
