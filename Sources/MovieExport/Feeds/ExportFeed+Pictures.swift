package import AssetReader
package import MediaCore

extension ExportFeed {
  /// A picture for the encoder, at its time in the source's clock.
  package struct Picture {
    var buffer: PixelBuffer
    var time: MediaTime
    var duration: MediaTime
    var attachments: SampleBuffer.Attachments
    /// The source's picture that it comes of, from 0; nil behind filters.
    var source: Int64?

    package init(
      buffer: PixelBuffer, time: MediaTime, duration: MediaTime,
      attachments: SampleBuffer.Attachments, source: Int64? = nil
    ) {
      (self.buffer, self.time, self.duration) = (buffer, time, duration)
      (self.attachments, self.source) = (attachments, source)
    }
  }

  /// What is known when the first picture for the encoder is there.
  package struct Beginning {
    /// The picture, which is the last word on what all of them are.
    let picture: Picture
    /// What comes with the source's first picture.
    let first: AssetSample
    let timing: ExportTiming

    package init(picture: Picture, first: AssetSample, timing: ExportTiming) {
      (self.picture, self.first, self.timing) = (picture, first, timing)
    }
  }

  /// A picture of the source, at its place on the timeline.
  struct PlacedPicture {
    var sample: AssetSample
    var time: MediaTime
  }
}
