public import MediaCore

/// Decks' names of formats.
public enum DeckFormat {
  /// The name of a video format: `1080p2997`, `1080i50`, `4Kp5994`, `4Kp24DCI`, `PAL`. Formats
  /// without such a name are named by their height in the same way: `360p25`. `none` if a part is unknown.
  public static func video(
    width: Int?, height: Int?, rate: FrameRate?, isInterlaced: Bool
  ) -> String {
    guard let width, let height, let rate else { return "none" }
    let letter = isInterlaced ? "i" : "p"
    switch (width, height) {
    case (720, 576): return isInterlaced ? "PAL" : "PALp"
    case (720, 480), (720, 486): return isInterlaced ? "NTSC" : "NTSCp"
    default: break
    }
    let times = number(rate, isInterlaced: isInterlaced)
    switch (width, height) {
    case (2048, 1080): return "2K" + letter + times + "DCI"
    case (3840, 2160): return "4K" + letter + times
    case (4096, 2160): return "4K" + letter + times + "DCI"
    case (7680, 4320): return "8K" + letter + times
    case (8192, 4320): return "8K" + letter + times + "DCI"
    default: return "\(height)" + letter + times
    }
  }

  /// Frames per second, or fields if interlaced, without a point: `25`, `2997`, `23976`.
  private static func number(_ rate: FrameRate, isInterlaced: Bool) -> String {
    let factor = isInterlaced ? 2 : 1
    let whole = rate.nominalFramesPerSecond * factor
    guard rate.denominator != 1 else { return "\(whole)" }
    if rate == .fps23_976 { return "23976" }
    let hundredths = (rate.framesPerSecond * Double(factor) * 100).rounded()
    guard hundredths < 1e6 else { return "\(whole)" }
    return "\(Int(hundredths))"
  }

  /// The name of a codec in a QuickTime movie, from its short name here. Decks have no ProRes 4444; its
  /// names follow theirs.
  public static func file(codec: String) -> String {
    switch codec {
    case "hq": "QuickTimeProResHQ"
    case "422": "QuickTimeProRes"
    case "lt": "QuickTimeProResLT"
    case "proxy": "QuickTimeProResProxy"
    case "4444": "QuickTimeProRes4444"
    case "xq": "QuickTimeProRes4444XQ"
    default: "QuickTime" + codec
    }
  }
}
