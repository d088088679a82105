import CFFmpeg
import MediaCore

extension ChromaSiting {
  /// The chroma siting of a frame; ``left`` if unspecified.
  ///
  /// Decoders pass on the container's value if the codec states none.
  init(_ location: AVChromaLocation) {
    self =
      switch location {
      case AVCHROMA_LOC_CENTER: .center
      case AVCHROMA_LOC_TOPLEFT: .topLeft
      case AVCHROMA_LOC_TOP: .top
      case AVCHROMA_LOC_BOTTOMLEFT: .bottomLeft
      case AVCHROMA_LOC_BOTTOM: .bottom
      default: .left
      }
  }

  /// libav's value.
  var libavLocation: AVChromaLocation {
    switch self {
    case .left: AVCHROMA_LOC_LEFT
    case .center: AVCHROMA_LOC_CENTER
    case .topLeft: AVCHROMA_LOC_TOPLEFT
    case .top: AVCHROMA_LOC_TOP
    case .bottomLeft: AVCHROMA_LOC_BOTTOMLEFT
    case .bottom: AVCHROMA_LOC_BOTTOM
    }
  }
}
