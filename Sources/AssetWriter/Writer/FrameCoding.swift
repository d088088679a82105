import MediaCore
import ProRes

/// The form in which frames wait to be written.
enum FrameCoding: Hashable, Sendable {
  /// ProRes frames, each of which is complete.
  case proRes(ProResProfile)
  /// Frames in the layout that an interframe encoder takes when it writes.
  case planar(PlanarLayout)

  /// - Throws: ``AssetWriterError/Code/invalidSettings`` for a codec that is not made here,
  ///   ``AssetWriterError/Code/codecUnavailable`` for interlaced video in an interframe codec.
  init(
    _ request: VideoPreparation.Request, source: VideoFormatDescription
  ) throws(AssetWriterError) {
    let settings = request.settings
    if let profile = ProResProfile(settings.codec) {
      self = .proRes(profile)
      return
    }
    guard settings.codec.isInterframe else {
      throw AssetWriterError(
        .invalidSettings, "\(settings.codec) is not a codec for movies")
    }
    let fieldOrder = settings.fieldOrder ?? request.hint?.fieldOrder ?? source.fieldOrder
    guard !fieldOrder.isInterlaced else {
      throw AssetWriterError(
        .codecUnavailable,
        "\(settings.codec) is encoded as whole frames here, not as two fields; choose ProRes, or "
          + "deinterlace first")
    }
    self = .planar(
      PlanarLayout(settings.planarFormat, width: settings.width, height: settings.height))
  }
}
