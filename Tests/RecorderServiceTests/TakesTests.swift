import Foundation
import RecorderControl
import TestSupport
import Testing

@testable import RecorderService

/// What the gateway knows about takes, and what it reveals to clients.
struct TakesTests {
  private func take(
    _ path: String, _ more: String = "", number: Int = 1
  ) throws -> RecorderEvent.FinishedTake {
    let text = """
      {"number":\(number),"path":"\(path)","outcome":"complete","movies":["\(path)","/m/a & b-002.mov"],\
      "frameCount":75,"movieFrames":[50,25],"dropped":0,"repeated":0,"damaged":0,"duration":3,\
      "frameRate":"25","startTimecode":"10:00:00:00"\(more)}
      """
    return try JSONDecoder().decode(RecorderEvent.FinishedTake.self, from: Data(text.utf8))
  }

  private func marked() throws -> TakeMarkers {
    TakeMarkers(
      try take(
        "/m/a & b.mov",
        #"""
        ,"markers":[{"frame":10,"seconds":0.4,"timecode":"10:00:00:10","note":"=1+1, \"good\" <one>"},
        {"frame":60,"seconds":2.4,"note":"two\nlines | here"}]
        """#.replacingOccurrences(of: "\n", with: "")))
  }

  /// The source was away for half a minute, so the second movie begins later than the frame count suggests.
  @Test func markers_after_an_interruption_have_the_clocks_timecode() throws {
    let markers = TakeMarkers(
      try take(
        "/m/a.mov",
        #"""
        ,"movieTimecodes":["10:00:00:00","10:00:32:00"],"markers":[{"frame":60,"seconds":2.4,\#
        "timecode":"10:00:32:10","note":"=\u0301 \"\u0301 x"}]
        """#.replacingOccurrences(of: "\n", with: "").replacingOccurrences(of: "\\#", with: "")))
    #expect(markers.text(as: .edl).contains("LOC: 10:00:32:10"))
    let xml = markers.text(as: .fcpxml)
    #expect(xml.contains("<marker start=\"\(36_032 * 25 + 10)/25s\""), "\(xml)")
    #expect(xml.contains("start=\"\(36_032 * 25)/25s\""), "\(xml)")
    // Combining marks do not hide a leading "=" or a quotation mark from the escaping.
    let csv = markers.text(as: .csv)
    #expect(
      csv.unicodeScalars.elementsEqual(
        "frame,timecode,seconds,note\r\n60,10:00:32:10,2.4,\"'=\u{301} \"\"\u{301} x\"\r\n"
          .unicodeScalars))
  }

  @Test(arguments: [
    (#"nul\u0000x"#, "nul?x"), (#"\u001b[2J\u007f"#, "?[2J?"), (#"a\tb\r\nc"#, "a\tb\r\nc"),
    (#"\n=cmd"#, "'\n=cmd"), ("＝cmd|'/C calc'!A0", "'＝cmd|'/C calc'!A0"), ("＠x", "'＠x"),
    (#"\u202erlo"#, "\u{202E}rlo"), ("😀", "😀"), (" =x", " =x"),
  ]) func a_note_of_any_characters_is_one_csv_field(note: String, field: String) throws {
    let text = "{\"frame\":1,\"seconds\":0.04,\"note\":\"\(note)\"}"
    let markers = TakeMarkers(try take("/m/a.mov", ",\"markers\":[\(text)]"))
    let csv = "frame,timecode,seconds,note\r\n1,10:00:00:01,0.04,\"\(field)\"\r\n"
    #expect(markers.text(as: .csv).unicodeScalars.elementsEqual(csv.unicodeScalars))
    let lines = markers.text(as: .edl).split(separator: "\n")
    #expect(lines.count == 6 && !lines.joined().utf8.contains { $0 < 0x20 }, "\(lines)")
  }

  @Test func request_headers_select_the_part_of_a_file() {
    func selection(_ pairs: (String, String)...) -> FileRange.Selection {
      var headers = HTTPRequestHeaders()
      for (name, value) in pairs { headers.add(name, value) }
      return FileRange.Selection(headers, size: 1000, tag: "t")
    }
    #expect(selection() == .whole)
    #expect(selection(("Range", "bytes=0-99")) == .part(0..<100))
    #expect(selection(("Range", "bytes=990-2000")) == .part(990..<1000))
    #expect(selection(("Range", "bytes=990-")) == .part(990..<1000))
    #expect(selection(("Range", "bytes=-10")) == .part(990..<1000))
    #expect(selection(("Range", "bytes=-5000")) == .part(0..<1000))
    #expect(selection(("Range", "bytes=1000-")) == .unsatisfiable)
    #expect(selection(("Range", "bytes=-0")) == .unsatisfiable)
    for text in [
      "bytes=9-1", "bytes=", "bytes=a-b", "lines=0-9", "bytes=0-1,5-6", "bytes=--1",
      "bytes=99999999999999999999-",
    ] {
      #expect(selection(("Range", text)) == .whole, "\(text)")
    }
    #expect(selection(("Range", "bytes=0-9"), ("If-Range", "\"t\"")) == .part(0..<10))
    #expect(selection(("Range", "bytes=0-9"), ("If-Range", "\"u\"")) == .whole)
    #expect(selection(("Range", "bytes=0-9"), ("If-Range", "W/\"t\"")) == .whole)
    #expect(
      selection(("Range", "bytes=0-9"), ("If-Range", "\"u\""), ("If-Range", "\"v\"")) == .whole)
    #expect(selection(("Range", "bytes=0-9"), ("If-Match", "\"s\", \"t\"")) == .part(0..<10))
    #expect(selection(("If-Match", "*")) == .whole)
    // A client must not append part of a different file to what it already has.
    #expect(selection(("Range", "bytes=0-9"), ("If-Match", "\"s\"")) == .changed)
    #expect(selection(("If-Match", "W/\"t\"")) == .changed)
    #expect(selection(("If-None-Match", "\"s\", W/\"t\"")) == .unchanged)
    #expect(selection(("If-None-Match", "\"s\""), ("If-None-Match", "\"t\"")) == .unchanged)
    #expect(selection(("If-None-Match", "\"s\"")) == .whole)
  }

  @Test func file_names_are_sent_complete_and_escaped() {
    #expect(
      HTTPResponse.disposition("Szene \"ä\"\r\n.mov")
        == "attachment; filename=\"Szene _____.mov\"; "
        + "filename*=UTF-8''Szene%20%22%C3%A4%22%0D%0A.mov")
    #expect(
      HTTPResponse.disposition("a b.mov")
        == "attachment; filename=\"a b.mov\"; filename*=UTF-8''a%20b.mov")
  }

  @Test func markers_as_csv_start_no_formula() throws {
    #expect(
      try marked().text(as: .csv) == """
        frame,timecode,seconds,note\r
        10,10:00:00:10,0.4,"'=1+1, ""good"" <one>"\r
        60,10:00:02:10,2.4,"two
        lines | here"\r

        """)
    #expect(try marked().fileName(as: .csv) == "a & b.csv")
  }

  @Test func markers_become_locators_of_an_edit_decision_list() throws {
    let text = try marked().text(as: .edl)
    #expect(
      text.hasPrefix(
        "TITLE: a & b.mov\nFCM: NON-DROP FRAME\n\n001  AX       V     C        10:00:00:10 10:00:00:11"
      ))
    #expect(text.contains("* LOC: 10:00:02:10 RED     two lines | here\n"))
    #expect(text.contains(" |C:ResolveColorRed |M:two lines / here |D:1\n"))
  }

  @Test func markers_are_in_the_clip_of_their_movie() throws {
    let text = try marked().text(as: .fcpxml)
    let clips = text.components(separatedBy: "<asset-clip").dropFirst()
    #expect(clips.count == 2)
    #expect(
      clips.first?.contains(#"<marker start="900010/25s" duration="1/25s""#) == true, "\(text)")
    #expect(clips.last?.contains(#"<marker start="900060/25s""#) == true)
    #expect(text.contains(#"src="./a%20%26%20b.mov""#) && !text.contains("/m/"))
    #expect(text.contains("value=\"=1+1, &quot;good&quot; &lt;one&gt;\""))
  }

  @Test(.tags(.judges)) func xmllint_reads_the_marked_clips() throws {
    guard let xmllint = Judges.find("xmllint") else { try Test.cancel("xmllint is not installed") }
    let folder = try TemporaryFolder()
    let omitting = TakeMarkers(
      try take(
        "/m/a.mov",
        #","omitted":3,"width":640,"height":360,"audioChannels":2,"audioRate":48000,"# + """
          "markers":[{"frame":90,"seconds":3.6,"note":"-- far --"}]
          """))
    for markers in [try marked(), omitting] {
      let file = try folder.write(markers.text(as: .fcpxml), "m.fcpxml")
      let judged = try Command.run(xmllint.path, ["--noout", "--nonet", file.path])
      #expect(judged.status == 0, "\(judged.errors)")
    }
    // Omitted markers are mentioned.
    #expect(omitting.text(as: .fcpxml).contains("1 marker is in movies that are not listed"))
  }

  @Test func an_unwritable_or_unreadable_take_list_is_reported_once() throws {
    let folder = try TemporaryFolder()
    let lost = TakeShelf(path: folder.path("nowhere/takes.json"))
    for number in 1...2 { lost.add(TakeRecord(try take("/m/a.mov", number: number), of: nil)) }
    #expect(
      lost.takeFailure()?.hasPrefix("the list of takes will be lost when the gateway ends: ")
        == true)
    lost.add(TakeRecord(try take("/m/a.mov", number: 3), of: nil))
    #expect(lost.takeFailure() == nil && lost.all.count == 3)
    try folder.write("no list", "takes.json")
    let damaged = TakeShelf(path: folder.path("takes.json"))
    #expect(damaged.all.isEmpty)
    #expect(damaged.takeFailure()?.contains("cannot be read and starts empty") == true)
    damaged.add(TakeRecord(try take("/m/a.mov", number: 1), of: nil))
    #expect(damaged.takeFailure() == nil)
    #expect(folder.contents == ["takes.json", "takes.json.damaged"])
    let unreadable = folder.path("link.json")
    try FileManager.default.createSymbolicLink(
      atPath: unreadable, withDestinationPath: folder.path("takes.json"))
    let refused = TakeShelf(path: unreadable)
    #expect(refused.takeFailure()?.hasSuffix("the old one is \(unreadable).damaged") == true)
    #expect(refused.all.isEmpty && folder.contents.contains("link.json.damaged"))
  }

  /// JSON has no infinity.
  @Test func a_take_that_json_cannot_express_leaves_the_stored_list_unchanged() throws {
    let folder = try TemporaryFolder()
    let shelf = TakeShelf(path: folder.path("takes.json"))
    shelf.add(TakeRecord(try take("/m/a.mov", number: 1), of: nil))
    var endless = try take("/m/b.mov", number: 2)
    endless.duration = .infinity
    let record = TakeRecord(endless, of: nil)
    shelf.add(record)
    let failure = try #require(shelf.takeFailure())
    #expect(failure.contains("JSON cannot express it"), "\(failure)")
    #expect(shelf.all.map(\.take.number) == [1, 2])
    #expect(TakeShelf(path: folder.path("takes.json")).all.map(\.take.number) == [1])
    // Once the take has left the list, it is stored again.
    for number in 3..<(3 + TakeShelf.limit) {
      shelf.add(TakeRecord(try take("/m/a.mov", number: number), of: nil))
    }
    #expect(shelf.takeFailure() == nil)
    #expect(TakeShelf(path: folder.path("takes.json")).all.count == TakeShelf.limit)
  }

  @Test func the_next_gateway_knows_the_takes() throws {
    let folder = try TemporaryFolder()
    let shelf = TakeShelf(path: folder.path("takes.json"))
    for number in 0..<(TakeShelf.limit + 3) {
      shelf.add(TakeRecord(try take("/m/\(number).mov", number: number), of: nil))
    }
    let (id, other) = (TakeRecord.id(ofTake: 100, of: nil), TakeRecord.id(ofTake: 101, of: nil))
    shelf.change(id) { $0.verification = .init(state: .done, isValid: true) }
    shelf.change(other) { $0.proxy = .init(state: .running) }
    let next = TakeShelf(path: folder.path("takes.json"))
    #expect(next.all.count == TakeShelf.limit && next.all.first?.take.path == "/m/3.mov")
    #expect(next[id]?.verification?.isValid == true)
    // The gateway that was making the proxy is gone.
    #expect(next[other]?.take.path == "/m/101.mov" && next[other]?.proxy == nil)
    #expect(next["nonsense"] == nil)
    let text = String(
      decoding: JSONText.bytes(TakeRecord.Document(record: next.all[0])), as: UTF8.self)
    #expect(text.contains(#""path":"3.mov""#) && !text.contains("/m/"), "\(text)")
  }

  @Test func the_reason_a_take_ended_is_reported_without_folders() throws {
    let record = TakeRecord(
      try take(
        "/m/a.mov",
        #","end":"diskFull","message":"/m/a.mov: no space is left; free some, see /m/a & b-002.mov""#
      ), of: nil)
    let text = String(decoding: JSONText.bytes(TakeRecord.Document(record: record)), as: UTF8.self)
    #expect(text.contains(#""end":"diskFull""#))
    #expect(text.contains(#""message":"a.mov: no space is left; free some, see a & b-002.mov""#))
    #expect(!text.contains("/m/"), "\(text)")
  }

  @Test func a_frame_is_found_in_its_movie() throws {
    let record = TakeRecord(try take("/m/a.mov"), of: nil)
    #expect(record.movie(ofFrame: 0)?.path == "/m/a.mov")
    #expect(record.movie(ofFrame: 49)?.place == 1)
    #expect(record.movie(ofFrame: 50)?.path == "/m/a & b-002.mov")
    #expect(record.movie(ofFrame: 50)?.place == 0)
    #expect(record.movie(ofFrame: 75) == nil && record.movie(ofFrame: -1) == nil)
    #expect(
      (0..<10).map { TakeImages.frame(ofStrip: $0, of: record) } == [
        0, 8, 16, 24, 32, 41, 49, 57, 65, 74,
      ])
  }
}
