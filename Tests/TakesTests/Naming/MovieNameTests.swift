import AssetWriter
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices
@testable import Takes
@testable import VideoRecorder

@Suite struct MovieNameTests {
  private var values: MovieName.Values {
    var values = MovieName.Values()
    values.reel = "A001"
    values.scene = "12/B: \"door\""
    values.take = 3
    values.device = "../../etc/passwd"
    values.preset = "1080p25-hq"
    return values
  }

  @Test(arguments: [
    "\u{1B}[2J", "a\u{202E}vom.b", "\u{2066}a", "a\u{85}b", "a\u{2028}b", "a\u{7F}",
  ])
  func invisible_characters_are_refused_in_every_name(text: String) throws {
    let character = try #require(text.firstHiddenCharacter).description
    func refusal(_ make: () throws(CaptureError) -> Void) -> String {
      do { try make() } catch { return error.message }
      return "accepted"
    }
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    request.names.reel = text
    let given = [
      refusal { () throws(CaptureError) in _ = try MovieName(presetName: text) },
      refusal { () throws(CaptureError) in _ = try MovieName("/m/\(text).mov") },
      refusal { () throws(CaptureError) in
        _ = try MovieName(exportName: text + "{name}", folder: "")
      },
      refusal { () throws(CaptureError) in try TakeSlate(name: text).check() },
      refusal { () throws(CaptureError) in try TakeSlate(reel: text).check() },
      refusal { () throws(CaptureError) in _ = try RecordingSetup(request) },
      refusal { () throws(CaptureError) in try TakeSlate(scene: text).check() },
    ]
    let subjects = Array(repeating: "movie's name", count: 4) + ["reel", "reel", "scene"]
    #expect(given == subjects.map { "the \($0) has \(character); leave it out" })
    // Names from elsewhere are made suitable as part of a file name.
    #expect(MovieName.safe(text).firstHiddenCharacter == nil)
  }

  @Test func reel_and_scene_are_limited_in_bytes() throws {
    let (long, longer) = (String(repeating: "é", count: 120), String(repeating: "é", count: 121))
    try TakeSlate(reel: long, scene: long).check()
    for slate in [TakeSlate(reel: longer), TakeSlate(scene: longer)] {
      let error = #expect(throws: CaptureError.self) { try slate.check() }
      let message = try #require(error?.message)
      #expect(message.contains("has 242 bytes; the limit is 240") && message.count < 120)
    }
  }

  @Test func a_name_that_is_too_long_gets_a_short_error() throws {
    let name = try MovieName(presetName: String(repeating: "n", count: 10_000))
    let error = #expect(throws: CaptureError.self) { _ = try name.path(values) { _ in false } }
    let message = try #require(error?.message)
    #expect(message.contains("a name of 10004 bytes; the limit is 240") && message.count < 120)
  }

  /// Otherwise the recording would be refused, or its numbers would have gaps.
  @Test(arguments: [true, false])
  func a_name_is_taken_if_a_later_segment_exists(isNumbered: Bool) throws {
    let folder = try TemporaryFolder()
    for name in ["a001-003.mov", "a002-1003.mov", "a003-0003.mov", "a004-003.mxf", "a005.mov"] {
      try Data().write(to: folder.url(name))
    }
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    if isNumbered { request.preset.segment = .duration(.frames(8)) }
    let setup = try RecordingSetup(request)
    let names = ["a001.mov", "a002.mov", "a003.mov", "a004.mov", "a005.mov", "a006.mov"]
    let taken = names.map { setup.isTaken(folder.path($0)) }
    #expect(taken == [true, true, false, false, true, false])
    let first = try setup.movieName(for: folder.path("a{take}.mov"))
    #expect(first == .init(path: folder.path("a003.mov"), take: 3))
  }

  @Test func a_name_is_taken_if_the_disk_treats_it_as_an_existing_one() throws {
    let folder = try TemporaryFolder()
    let present = ["A001.mov", "B001-001.mov"]
    for name in present { try Data().write(to: folder.url(name)) }
    var policy = SegmentPolicy()
    policy.numbersFirstFile = true
    // Case-insensitive, as on exFAT.
    let movies = PresentMovies(in: [folder.url.path], policy: policy) { path in
      present.contains { path.lowercased() == folder.path($0).lowercased() }
    }
    let names = ["A001.mov", "a001.mov", "a002.mov", "B001.mov", "b001.mov"]
    #expect(names.map(movies.hold) == [true, true, false, true, true])
  }

  /// `String` treats the slash and the accent as one character.
  @Test func a_leading_combining_accent_keeps_folder_and_numbering_right() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("sub/") + "\u{301}"
    _ = try folder.makeFolder("sub")
    try Data().write(to: URL(filePath: path + "001.mov"))
    #expect(try MovieName(path + "{take}.mov").folder == folder.path("sub/"))
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    let name = try RecordingSetup(request).movieName(for: path + "{take}.mov")
    #expect(name == .init(path: path + "002.mov", take: 2))
    // Names from elsewhere cannot lead out of a folder.
    #expect(throws: CaptureError.self) { try MovieName(presetName: "../\u{301}a") }
    #expect(throws: CaptureError.self) { try MovieName(exportName: "../\u{301}a", folder: "b") }
  }

  /// Recordings that begin in the same second get different names.
  @Test func a_taken_date_and_time_name_gets_a_number() throws {
    let folder = try TemporaryFolder()
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    let setup = try RecordingSetup(request)
    func name(_ template: String) throws -> String {
      try setup.movieName(for: folder.path(template), at: 1_800_000_000.5).path
    }
    let first = try name("{date}-{time}.mov")
    var taken = first
    for number in 2...3 {
      try Data().write(to: URL(filePath: taken))
      taken = try name("{date}-{time}.mov")
      #expect(taken == MovieName.numbered(first, number))
    }
    #expect(MovieName.numbered("/a.b/c.mov", 2) == "/a.b/c-2.mov")
    #expect(MovieName.numbered("/a.b/c", 2) == "/a.b/c-2")
    // A name without the time is used as it is.
    let day = try name("{date}.mov")
    try Data().write(to: URL(filePath: day))
    #expect(try name("{date}.mov") == day)
  }

  @Test func wildcards_are_replaced_without_leaving_the_folder() throws {
    let name = try MovieName("/media/{reel}_{scene}-{take}_{device}_{preset}.mov")
    let path = try name.path(values) { _ in false }
    #expect(path == "/media/A001_12-B- -door--003_-..-etc-passwd_1080p25-hq.mov")
  }

  @Test(arguments: [9999, 10_000, 999_999, 1_000_000])
  func take_numbers_continue_after_any_number(first: Int) throws {
    var values = values
    values.take = nil
    let name = try MovieName("s-{take}.mov")
    let found = try name.resolve(values, from: first) { $0 == "s-\(first).mov" }
    #expect(found == .init(path: "s-\(first + 1).mov", take: first + 1))
    let error = #expect(throws: CaptureError.self) {
      _ = try name.resolve(values, from: first) { _ in true }
    }
    #expect(error?.message.contains("from \(first) to \(first + 9999)") == true, "\(error as Any)")
  }

  @Test(arguments: ["", "a\nb", "a\0b", "\u{7F}"])
  func empty_names_and_control_characters_are_rejected(name: String) {
    #expect(throws: CaptureError.self) { _ = try MovieName(presetName: name) }
  }

  @Test func date_and_time_wildcards_use_local_start_time() throws {
    var values = values
    values.unixTime = 1_763_700_000
    let path = try MovieName("{date} {time}.mov").path(values) { _ in false }
    #expect(path.wholeMatch(of: /2025-11-2[01] \d{6}\.mov/) != nil)
  }

  @Test func counter_and_unset_take_use_the_first_free_number() throws {
    let taken = ["x-001.mov", "x-002.mov"]
    #expect(try MovieName("x-{counter}.mov").path(values) { taken.contains($0) } == "x-003.mov")
    var unstated = values
    unstated.take = nil
    #expect(try MovieName("x-{take}.mov").path(unstated) { taken.contains($0) } == "x-003.mov")
    // A given take number is used as it is.
    #expect(try MovieName("x-{take}.mov").path(values) { _ in true } == "x-003.mov")
    #expect(throws: CaptureError.self) { try MovieName("x-{counter}").path(values) { _ in true } }
  }

  @Test func invalid_names_are_refused_with_a_helpful_message() throws {
    let cases = [
      "{rol}.mov": "unknown wildcard {rol}", "a{reel": "unpaired", "a}b": "unpaired",
      "{date}/x.mov": "wildcards are allowed only in the file's name", "/media/": "names no file",
      "..": "names no file",
    ]
    for (text, words) in cases {
      let error = #expect(throws: CaptureError.self, "\(text)") { _ = try MovieName(text) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(throws: CaptureError.self) { _ = try MovieName(presetName: "../{reel}") }
    let unstated = #expect(throws: CaptureError.self) {
      try MovieName("{reel}.mov").path(MovieName.Values()) { _ in false }
    }
    #expect(unstated?.message.contains("--reel") == true)
    var long = values
    long.scene = String(repeating: "x", count: 300)
    #expect(throws: CaptureError.self) { try MovieName("{scene}").path(long) { _ in false } }
  }

  @Test func no_value_yields_a_hidden_name_or_leaves_the_folder() throws {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("./\\\0\n ab:*~-{}\u{7f}")
    for _ in 0..<500 {
      var values = MovieName.Values()
      values.reel = String(
        (0..<Int.random(in: 1...12)).map { _ in
          alphabet.randomElement(using: &generator) ?? "a"
        })
      guard let path = try? MovieName("{reel}.mov").path(values, isTaken: { _ in false }) else {
        continue
      }
      #expect(!path.contains("/") && !path.contains("\0") && !path.hasPrefix("."), "\(path)")
      #expect(URL(filePath: "/media/\(path)").standardizedFileURL.path.hasPrefix("/media/"))
    }
  }

  @Test(arguments: [".\u{301}x", ". .\u{301}x", " .\u{200D}x", "..\u{FE0F}"])
  func a_combining_mark_after_a_dot_does_not_hide_the_movie(scene: String) throws {
    var values = MovieName.Values()
    values.scene = scene
    for name in ["{scene}.mov", ".{scene}.mov", ".\u{301}{scene}.mov"] {
      let path = try MovieName(name).path(values) { _ in false }
      #expect(path.utf8.first != UInt8(ascii: "."), "\(Array(path.utf8))")
    }
    values.scene = "x.\u{301}"
    #expect(try MovieName("{scene}").path(values) { _ in false } == "x.\u{301}")
  }

  @Test func segment_limits_and_times_of_day_are_parsed() {
    #expect(SegmentLimit("10m") == .duration(.seconds(600)))
    #expect(SegmentLimit("300f") == .duration(.frames(300)))
    #expect(SegmentLimit("4GB") == .bytes(4_000_000_000))
    #expect(SegmentLimit("soon") == nil)
    #expect(StartTime("09:30")?.second == 34_200)
    #expect(StartTime("09:30:01;12")?.frame == 12)
    for text in ["9", "24:00", "09:60", "a:b", "09:30:00:12:1", ""] {
      #expect(StartTime(text) == nil, "\(text)")
    }
  }
}
