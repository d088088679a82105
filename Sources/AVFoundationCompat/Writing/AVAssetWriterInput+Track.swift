public import Foundation
import MediaCore
import QuickTime
import Synchronization

extension AVAssetWriterInput {
  /// Facts about the track; to be set before the input is used. A track has a place for a title, its name, and for
  /// nothing else: another item makes the writer fail when the input is added, and its `error` names the key.
  public var metadata: [AVMetadataItem] {
    get { AVMetadataItem.items(state.withLock { $0.metadata }) }
    set {
      let facts = Result { () throws(AVError) in try MovieMetadata(newValue) }
      state.withLock { state in
        do throws(AVError) {
          let facts = try facts.get()
          guard facts != state.metadata else { return }
          let name = try Self.trackName(facts)
          let isTaken = state.remake { settings in
            switch settings {
            case .video(var video):
              video.name = name
              return .video(video)
            case .audio(var audio):
              audio.name = name
              return .audio(audio)
            }
          }
          if isTaken {
            state.metadata = facts
          } else if !state.isMistaken {
            state.refusal = AVError(
              .operationNotAllowed, "metadata of a track is set before the input is used")
          }
        } catch {
          if !state.isInUse { state.base = .failure(error) }
          state.refusal = error
        }
      }
    }
  }

  /// The name that facts give a track; nil for none.
  private static func trackName(_ facts: MovieMetadata) throws(AVError) -> String? {
    let title = AVMetadataKey.quickTimeMetadataKeyTitle.rawValue
    for item in facts.items {
      guard item.key == title, case .text = item.value else {
        throw AVError(
          .unsupportedOutputSettings,
          "\(item.key) is not written into a track, which keeps a title as text; set it in the metadata of "
            + "the AVAssetWriter")
      }
    }
    guard case .text(let name)? = facts[title] else { return nil }
    return name
  }

  /// The track's language as ISO 639-2/T, three letters; nil, as at first, for none. To be set before the input is
  /// used; else, and for what is no such code, the next append is refused, and the writer's `error` says why.
  public var languageCode: String? {
    get {
      switch state.withLock({ $0.outputSettings }) {
      case .video(let video)?: video.language
      case .audio(let audio)?: audio.language
      case nil: nil
      }
    }
    set {
      let isCode = newValue.map { code in
        code.utf8.count == 3 && code.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      }
      state.withLock { state in
        let isTaken = state.remake { settings in
          guard isCode != false else { return nil }
          switch settings {
          case .video(var video):
            video.language = newValue
            return .video(video)
          case .audio(var audio):
            audio.language = newValue
            return .audio(audio)
          }
        }
        guard !isTaken, !state.isMistaken else { return }
        state.refusal = AVError(
          .operationNotAllowed,
          "a language is three letters of ISO 639-2, and set before the input is used")
      }
    }
  }

  /// The size at which the track is shown; 0x0, as at first, for that of its pictures. Another size than that is
  /// refused: the size stays as it was, and the writer's `error` says why until the next append.
  public var naturalSize: CGSize {
    get { state.withLock { $0.naturalSize } }
    set {
      state.withLock { state in
        guard newValue != state.naturalSize else { return }
        if newValue == CGSize(width: 0, height: 0) || newValue == state.shownSize {
          state.naturalSize = newValue
        } else {
          state.refusal = AVError(
            .operationNotAllowed,
            "a track is shown at the size of its pictures; set AVVideoPixelAspectRatioKey for another width"
          )
        }
      }
    }
  }
}

extension AVAssetWriterInput.State {
  /// True where the writer will say what is wrong with the settings.
  fileprivate var isMistaken: Bool { if case .failure = base { true } else { false } }

  /// The size of the track's pictures as they are shown; nil for sound, and for settings that do not say.
  fileprivate var shownSize: CGSize? {
    guard case .video(let video)? = outputSettings else { return nil }
    let aspect = video.pixelAspectRatio ?? .square
    let ratio = Double(aspect.horizontal) / Double(max(aspect.vertical, 1))
    return CGSize(
      width: (Double(video.width) * ratio).rounded(), height: Double(video.height))
  }
}
