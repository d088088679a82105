import Foundation
import MediaCore
import Testing

@testable import AssetReader
@testable import MovieExport

/// What happened to frames, counted for a movie and for its parts.
@Suite struct FrameAccountTests {
  private let session: AssetExportSession

  init() throws {
    session = AssetExportSession(location: try AssetLocation("a.mov"), outputPath: "b.mov")
  }

  private func sample(
    isDamaged: Bool = false, extras: Set<FrameSideData.Extra> = [],
    _ change: (inout PixelBuffer.Description) -> Void = { _ in }
  ) throws -> AssetSample {
    var details = PixelBuffer.Description(format: .yuv422p10, width: 16, height: 16)
    change(&details)
    var attachments = SampleBuffer.Attachments()
    attachments.isDamaged = isDamaged
    var sideData = FrameSideData()
    sideData.extras = extras
    return AssetSample(
      trackID: 0,
      sampleBuffer: SampleBuffer(
        .video(try MutablePixelBuffer(details).finish()), presentationTimeStamp: .zero,
        attachments: attachments),
      index: 0, isKeyFrame: true, sideData: sideData)
  }

  /// Thirty frames, some of them with changes or damage.
  private func samples() throws -> [AssetSample] {
    try (0..<30).map { number in
      try sample(
        isDamaged: [7, 8, 22].contains(number),
        extras: number >= 12 ? [.captions708] : number == 3 ? [.activeFormat] : []
      ) { details in
        if number >= 15 { details.fieldOrder = .topFieldFirst }
        if number >= 20 { details.pixelAspectRatio = PixelAspectRatio(16, 15) }
        if number == 25 { details.color = .bt2020 }
        // Range and chroma siting are converted, so they do not count as changes.
        if number == 5 { details.color.range = .full }
        if number == 6 { details.chromaSiting = .topLeft }
      }
    }
  }

  private func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: 25) }

  /// The account of a range of the frames.
  private func account(
    _ range: Range<Int>, of look: FrameAccount.Look?
  ) throws -> FrameAccount {
    var account = FrameAccount(look: look)
    var looks = FrameAccount.Looks()
    for number in range { account.take(try samples()[number], at: time(number), &looks) }
    return account
  }

  @Test func accounts_of_parts_add_up_in_any_order() throws {
    let whole = try account(0..<30, of: nil)
    let look = try #require(whole.look)
    let parts = try [0..<10, 10..<21, 21..<30].map { try account($0, of: look) }
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
      var sum = FrameAccount(look: look)
      for number in order { sum.add(parts[number]) }
      #expect(sum == whole, "\(order)")
    }
    #expect(whole.damaged?.count == 3 && whole.damaged?.seconds == 0.28)
    #expect(whole.extras == ["CEA-708 closed captions", "active format description"])
  }

  @Test func incidents_are_reported_with_times_and_counts() throws {
    var account = try account(0..<30, of: nil)
    account.takeUndecoded(at: time(4))
    account.gapCount = 1
    let notes = account.notes(of: session, fieldOrder: nil, otherGaps: 1)
    #expect(
      notes.map(\.message) == [
        "CEA-708 closed captions dropped", "active format description dropped",
        "the source's field order changes to interlaced, top field first at 0.6 s; all frames are tagged "
          + "progressive, 15 of them wrongly",
        "the source's pixel aspect ratio changes to 16:15 at 0.8 s; all frames are tagged 1:1, 10 of them "
          + "wrongly",
        "the source's color changes to 9-1-9 at 1 s; all frames are tagged 1-1-1, 1 of them wrongly",
        "1 frame does not decode, at 0.16 s, and is left out",
        "3 frames are damaged in the source, the first at 0.28 s; the decoder filled in what is missing",
        "the source lacks data at 2 places",
      ])
    #expect(account.isDamaged)
    var reported = session
    reported.scan = .given(.topFieldFirst)
    reported.edit.pixelAspectRatio = .square
    let subjects = account.notes(of: reported, fieldOrder: .topFieldFirst).map(\.subject)
    #expect(!subjects.contains("scan") && !subjects.contains("aspect"), "\(subjects)")
    let none = FrameAccount()
    #expect(none.notes(of: session, fieldOrder: nil).isEmpty && !none.isDamaged)
  }

  @Test func mastering_display_and_light_level_changes_are_reported() throws {
    func sideData(_ most: UInt32, _ light: UInt16) -> FrameSideData {
      var sideData = FrameSideData()
      sideData.masteringDisplay = FrameSideData.MasteringDisplay(
        chromaticities: [34_000, 16_000, 13_250, 34_500, 7500, 3000, 15_635, 16_450],
        maximumLuminance: most, minimumLuminance: 50)
      sideData.contentLight = FrameSideData.ContentLight(
        maximum: light, maximumFrameAverage: 400)
      return sideData
    }
    let (dim, bright) = (sideData(10_000_000, 1000), sideData(40_000_000, 4000))
    func account(_ range: Range<Int>) throws -> FrameAccount {
      var account = FrameAccount()
      account.takeFirst(FrameSideData(), dim)
      var looks = FrameAccount.Looks()
      for number in range {
        var sample = try sample()
        // Not every frame has it.
        sample.sideData = number == 2 ? FrameSideData() : number < 4 ? dim : bright
        account.take(sample, at: time(number), &looks)
      }
      return account
    }
    let whole = try account(0..<6)
    let messages = whole.notes(of: session, fieldOrder: nil).map(\.message)
    let primaries = "(0.68,0.32 0.265,0.69 0.15,0.06 0.3127,0.329)"
    #expect(
      messages == [
        "the source's mastering display changes to 0.005 to 4000 cd/m2 \(primaries) at 0.16 s; all frames are "
          + "tagged 0.005 to 1000 cd/m2 \(primaries), 2 of them wrongly",
        "the source's light level changes to 4000 cd/m2, 400 a frame at 0.16 s; all frames are tagged "
          + "1000 cd/m2, 400 a frame, 2 of them wrongly",
      ])
    #expect(try account(0..<4).notes(of: session, fieldOrder: nil).isEmpty)
    var sum = try account(0..<3)
    sum.add(try account(3..<6))
    #expect(sum == whole)
  }

  @Test func field_order_changes_are_reported_if_detection_found_none() throws {
    var detected = session
    detected.scan = .detected
    let account = try account(0..<30, of: nil)
    func subjects(_ found: FieldOrder?) -> [String] {
      account.notes(of: detected, fieldOrder: found).map(\.subject)
    }
    #expect(subjects(nil).contains("scan") && !subjects(.topFieldFirst).contains("scan"))
  }

  @Test func chroma_siting_is_reported_only_if_it_differs_from_the_movies() {
    for format in [PixelFormat.yuv420p8, .yuv422p8, .yuv444p8] {
      for siting in ChromaSiting.allCases {
        let note = ExportNote.chromaSiting(
          PixelBuffer.Description(format: format, width: 16, height: 16, chromaSiting: siting))
        let isKept = format == .yuv422p8 && siting.isBetweenColumns
        #expect((note != nil) == isKept, "\(format) \(siting)")
      }
    }
  }

  @Test func an_account_survives_a_round_trip_through_json() throws {
    var account = try account(0..<30, of: nil)
    account.takeUndecoded(at: .zero)
    let data = try JSONEncoder().encode(account)
    #expect(try JSONDecoder().decode(FrameAccount.self, from: data) == account)
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let look = try #require(object?["look"] as? [String: String])
    #expect(
      look == [
        "fieldOrder": "progressive", "pixelAspectRatio": "1:1", "color": "1-1-1", "size": "16x16",
      ])
    // Numbers of an invented document.
    let wild = try JSONDecoder().decode(
      FrameAccount.self,
      from: Data(
        #"{"extras": [], "gapCount": \#(Int.max), "damaged": {"count": \#(Int.max), "seconds": 1e300}}"#
          .utf8))
    account.add(wild)
    account.add(wild)
    #expect(account.gapCount == .max && !account.notes(of: session, fieldOrder: nil).isEmpty)
  }

  @Test func frames_without_their_second_field_are_reported() {
    let end = "; the decoder drops such frames, or fills the missing lines from the other field"
    #expect(
      LoneFieldFinding(count: 1, seconds: 0.28).note.message
        == "1 frame lacks its second field in the source, at 0.28 s" + end)
    #expect(
      LoneFieldFinding(count: 3, seconds: 1.5).note.message
        == "3 frames lack their second field in the source, the first at 1.5 s" + end)
    #expect(
      LoneFieldFinding(count: 3, seconds: nil).note.message
        == "3 frames lack their second field in the source" + end)
  }
}
