import CaptureDevices
public import MediaCore

extension CaptureDevice.Format {
  /// The ProRes codecs that frames of the format can feed, smallest rate first: the 422 family
  /// from any, 4444 and XQ from 4:4:4 alone; none for audio, and none for a sensor's mosaic.
  ///
  /// Which of them a machine can make, and whether a fallback is allowed, is another question.
  public var videoCodecTypes: [VideoCodecType] {
    guard let video, video.pixelFormat?.isBayer != true else { return [] }
    return VideoCodecType.allProRes.filter { !$0.is4444 || is444 }
  }
}
