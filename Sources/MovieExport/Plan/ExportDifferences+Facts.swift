import AssetReader
import AssetWriter
import MediaCore
import ProRes
import QuickTime

/// Notes on contradictions between container and coded frames, and on colors that a movie has no
/// code for.
extension ExportDifferences {
  /// The color that the movie states.
  private var color: ColorDescription { settings.color ?? frame.color }

  /// Notes on contradictions between the container and the coded frames.
  var containerNotes: [ExportNote] {
    var notes = [fieldNote].compactMap(\.self)
    if let range = track.otherContainerRange {
      let words = range == .full ? ("full", "video") : ("video", "full")
      notes.append(
        ExportNote(
          .assumed, "range",
          "the container says \(words.0) range, its frames \(words.1) range: the latter is used, but players "
            + "may use the former"))
    }
    if session.edit.color == nil, let stored = ColorDescription.stored(in: session.location, track),
      stored.contradicts(frame.color)
    {
      notes.append(
        ExportNote(
          .assumed, "color",
          "the container says color \(stored.with(range: .video)), its frames "
            + "\(frame.color.with(range: .video)): the latter is used, but players may use the former; "
            + "name the color if you know better"))
    }
    if session.edit.color == nil, let video = MovieIndex.video(in: session.location, track),
      let gamma = video.gamma, gamma > 0
    {
      notes.append(
        ExportNote(
          .dropped, "color",
          "gamma \(gamma.text(decimals: 3)) of the sample entry dropped: "
            + (video.color == nil
              ? "the movie names transfer functions by code; name the color if you know better"
              : "the color description beside it is used")))
    }
    if session.edit.pixelAspectRatio == nil, let other = track.otherPixelAspectRatio,
      let shape = track.video?.pixelAspectRatio
    {
      notes.append(
        ExportNote(
          .assumed, "aspect",
          "the container says a pixel aspect ratio of \(shape), its frames \(other): the former is used, "
            + "as players do; name the pixel aspect ratio if you know better"))
    }
    return notes
  }

  /// A note on a container whose field order is not that of the first frame.
  private var fieldNote: ExportNote? {
    guard setup.scan == nil, !track.isMarkedInterlaced, !track.isOfSingleFields,
      let stated = track.containerFieldOrder,
      let own = beginning.first.sampleBuffer.imageBuffer?.details.fieldOrder
    else { return nil }
    return Self.fieldNote(container: stated, frames: own)
  }

  static func fieldNote(container: FieldOrder, frames: FieldOrder) -> ExportNote? {
    guard container != frames else { return nil }
    return ExportNote(
      .assumed, "scan",
      "the container says \(container.displayName), its pictures \(frames.displayName): the latter is used; name the "
        + "field order if you know better, or have it detected")
  }

  /// A note on video that starts after the audio because the container gives decode times only.
  func decodeOrderNote(_ containerName: String) -> ExportNote? {
    let lead = beginning.first.sampleBuffer.presentationTimeStamp - track.startTime
    guard ["gxf", "avi"].contains(containerName), lead.isNumeric, lead > .zero else { return nil }
    return ExportNote(
      .assumed, "timestamps",
      "the container gives decoding times, not presentation times: the first frame is assumed to be shown "
        + "\(lead.seconds.text(decimals: 3)) s after the track's start, so the audio may be early by as much"
    )
  }

  /// Notes on colors that ProRes frame headers have no code for.
  var colorNotes: [ExportNote] {
    // Colors that `nclc` has no code for either are reported separately.
    let color = color.withCommonCodes
    let coded = color.frameHeaderColor
    let parts = [
      color.primaries != .unspecified && coded.primaries == .unspecified
        ? "primaries \(color.primaries)" : nil,
      color.transferFunction != .unspecified && coded.transferFunction == .unspecified
        ? "transfer function \(color.transferFunction)" : nil,
      color.matrix != .unspecified && coded.matrix == .unspecified
        ? "matrix \(color.matrix)" : nil,
    ].compactMap(\.self)
    guard !parts.isEmpty else { return [] }
    return [
      ExportNote(
        .changed, "color",
        "ProRes has no code for \(parts.joined(separator: ", ")): the movie states it, its frames do not, "
          + "and readers differ in which they trust")
    ]
  }

  /// Notes on colors that neither the movie nor its frames have a code for.
  var unknownColorNotes: [ExportNote] {
    guard session.edit.color == nil else { return [] }
    let (frame, stream) = (beginning.first.sideData, track.sideData)
    let codes =
      frame.unknownColorCodes.isEmpty ? stream.unknownColorCodes : frame.unknownColorCodes
    var lost = codes.map(\.description)
    if color.transferFunction == .smpte428 { lost.append("transfer function 17 (SMPTE ST 428-1)") }
    var notes = lost.map {
      ExportNote(
        .dropped, "color",
        "\($0) dropped: QuickTime has no code for it, so the movie leaves it unspecified; readers will "
          + "take it for another; name the color if you know better")
    }
    if color.transferFunction == .gamma28 {
      notes.append(
        ExportNote(
          .changed, "color",
          "transfer function 5 (gamma 2.8) is written as BT.709's, which QuickTime has for 625 lines"
        ))
    }
    return notes
  }
}
