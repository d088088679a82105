import Foundation
import MediaCore
import TestSupport
import Testing
import VideoRecorder

@testable import RawPhoto

/// The names of photo files, for each kind of request.
@Suite struct PhotoNamesTests {
  private let date = Date(timeIntervalSince1970: 1_700_000_000)

  private func names(_ output: String?, _ endings: [String], count: Int = 1) throws -> [String] {
    var names = try PhotoNames(
      output: output, endings: endings, exposureCount: count, replaces: false)
    return (1...count).flatMap { exposure in
      endings.map { names.path($0, exposure: exposure, date: date) }
    }
  }

  @Test(arguments: [
    ("x.dng", [".dng"], ["x.dng"]), ("x", [".dng"], ["x.dng"]), ("x.2", [".jpg"], ["x.2.jpg"]),
    ("X.DNG", [".dng", ".jpg"], ["X.DNG", "X.jpg"]), ("x.jpeg", [".jpg"], ["x.jpeg"]),
    ("a/x.JPG", [".dng", ".jpg"], ["a/x.dng", "a/x.JPG"]), ("x.heif", [".heic"], ["x.heif"]),
    (".dng", [".dng"], [".dng.dng"]), ("a.b/.jpg", [".jpg"], ["a.b/.jpg.jpg"]),
  ])
  func a_given_file_name_is_kept(
    output: String, endings: [String], expected: [String]
  ) throws {
    #expect(try names(output, endings) == expected)
  }

  @Test func exposures_are_numbered_before_the_given_extension() throws {
    #expect(
      try names("x.JPG", [".dng", ".jpg"], count: 2)
        == ["x-1.dng", "x-1.JPG", "x-2.dng", "x-2.JPG"])
    #expect(
      PhotoNames.paths(output: "x.DNG", ending: ".dng", exposureCount: 2) == ["x-1.DNG", "x-2.DNG"])
  }

  @Test(arguments: [
    ("x.png", [".jpg"]), ("x.dng", [".jpg"]), ("x.JPG", [".heic"]), ("x.jpg", [".dng"]),
    ("x.webp", [".dng", ".jpg"]),
  ])
  func an_extension_of_another_format_is_refused(output: String, endings: [String]) throws {
    let error = #expect(throws: CaptureError.self) { try names(output, endings) }
    #expect(error?.code == .invalidArgument)
    let reported = endings.joined(separator: ", its companion's in ")
    #expect(
      error?.message.hasSuffix(
        "and the photo's file in \(reported); choose another ending, or none")
        == true, "\(error?.message ?? "")")
  }

  @Test func photos_in_a_folder_are_named_by_time() throws {
    let folder = try TemporaryFolder()
    let there = try folder.makeFolder("there.jpg").path
    for (output, start) in [
      ("made/", "made/photo-"), (there, there + "/photo-"), (nil, "photo-"),
    ] {
      let name = try #require(try names(output, [".dng"]).first)
      #expect(name.hasPrefix(start) && name.hasSuffix(".dng"), "\(name)")
    }
    #expect(PhotoNames.paths(output: there, ending: ".dng", exposureCount: 1).isEmpty)
  }
}
