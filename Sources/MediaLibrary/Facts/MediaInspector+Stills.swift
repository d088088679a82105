import AssetReader
import MediaCore

/// Image formats that only libavformat knows: EXR, BMP, GIF, JPEG 2000 and others.
extension MediaInspector {
  /// The facts of a file that holds a single image; nil for movies and audio.
  ///
  /// libavformat treats each image as a movie of one frame, with a made-up frame rate.
  static func still(_ reader: AssetReader) -> MediaFacts? {
    guard let video = reader.videoTrack, isStill(reader) else { return nil }
    var facts = MediaFacts()
    // An icon holds images of other formats, in several sizes.
    let name = reader.containerName == "ico" ? "ico" : video.codecName
    facts.container = name
    facts.codec = name
    facts.codecName = name.uppercased()
    facts.width = video.video?.dimensions.width ?? 0
    facts.height = video.video?.dimensions.height ?? 0
    return facts
  }

  private static func isStill(_ reader: AssetReader) -> Bool {
    let name = reader.containerName
    // Demuxers of single images: `exr_pipe`, `bmp_pipe`; `yuv4mpegpipe` is not one of them.
    if name.hasSuffix("_pipe") || ["image2", "ico"].contains(name) { return true }
    // These hold one image or several.
    guard ["gif", "fits"].contains(name) else { return false }
    return !(0..<2).allSatisfy { _ in (try? reader.nextPacket()) != nil }
  }
}
