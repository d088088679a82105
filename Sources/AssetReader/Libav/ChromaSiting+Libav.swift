import CFFmpeg
import MediaCore

extension ChromaSiting {
  /// Where a frame has its chroma; ``left`` where nothing is said.
  ///
  /// Decoders hand on what the container says where the codec says nothing.
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

  /// As libav numbers it.
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
