package import AssetReader
package import MediaCore

extension ExportFeed {
  /// A frame for the encoder, with its time on the source's clock.
  package struct Frame {
    var buffer: PixelBuffer
    var time: MediaTime
    var duration: MediaTime
    var attachments: SampleBuffer.Attachments
    /// The index of the source frame, from 0; nil after filtering.
    var source: Int64?

    package init(
      buffer: PixelBuffer, time: MediaTime, duration: MediaTime,
      attachments: SampleBuffer.Attachments, source: Int64? = nil
    ) {
      (self.buffer, self.time, self.duration) = (buffer, time, duration)
      (self.attachments, self.source) = (attachments, source)
    }
  }

  /// What is known once the first frame for the encoder is ready.
  package struct Beginning {
    /// The frame, whose description applies to all frames.
    let frame: Frame
    /// The source's first video sample.
    let first: AssetSample
    let timing: ExportTiming

    package init(frame: Frame, first: AssetSample, timing: ExportTiming) {
      (self.frame, self.first, self.timing) = (frame, first, timing)
    }
  }

  /// A source frame and its time on the timeline.
  struct PlacedFrame {
    var sample: AssetSample
    var time: MediaTime
  }
}
