import DNG
import ImageFiles
import MediaCore
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Contact sheets with more photos than their files have pixels for.
@Suite struct ContactSheetTests {
  /// Rows of five photos are 332 pixels high.
  @Test(arguments: [
    ("s.jpg", 985, 5, true), ("s.jpg", 986, 5, false), ("s.jpg", 986, 6, true),
    ("s.jpg", 300, 300, false), ("s.avif", 986, 5, false), ("s.png", 986, 5, true),
    ("s.html", 100_000, 5, true),
  ])
  func a_page_too_large_for_its_format_is_refused(
    path: String, count: Int, columns: Int, fits: Bool
  ) {
    var refusal: PhotoDevelopmentError?
    do throws(PhotoDevelopmentError) {
      try ContactSheet.checkSize(path, count: count, columns: columns, side: 256, title: "Card")
    } catch { refusal = error }
    #expect((refusal == nil) == fits)
    if let refusal {
      #expect(refusal.code == .invalidArgument && refusal.message.contains("\(count) photos"))
    }
  }

  @Test func a_page_is_well_formed_for_any_title() throws {
    let sheet = try ContactSheet(title: "a\u{1}\u{FFFE}<b>&\"'\u{FFFF}\u{1F4F7}", sources: [])
    // The reader accepts no document type.
    let lines = try sheet.html(columns: 3).split(separator: "\n").dropFirst()
    let page = try XMLTreeReader.read(Array(lines.joined(separator: "\n").utf8))
    let heading = page.elements.last?.elements.first
    #expect(heading?.name == "h1" && heading?.text == "a<b>&\"'\u{1F4F7}")
  }

  @Test(arguments: ["page.html", "page.png"])
  func a_canceled_task_writes_no_page(name: String) async throws {
    let folder = try TemporaryFolder()
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12, samples: [UInt16](repeating: 900, count: 64 * 48))
    try folder.write(
      try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12)
      ).dngFileData(), "a.dng")
    let sheet = try ContactSheet(title: "", sources: [folder.path("a.dng")])
    let path = folder.path(name)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try sheet.write(to: path, columns: 5)
    }
    let error = await #expect(throws: PhotoDevelopmentError.self) { try await task.value }
    #expect(error?.code == .canceled)
    #expect(folder.contents == ["a.dng"])
  }

  /// Photos of many pixels take a while, and so does a page of many photos.
  @Test(arguments: ["page.html", "page.png"])
  func work_on_a_photo_and_on_the_page_can_be_canceled(name: String) throws {
    let folder = try TemporaryFolder()
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12, samples: [UInt16](repeating: 900, count: 64 * 48))
    try folder.write(
      try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12)
      ).dngFileData(), "a.dng")
    let asked = Counter()
    func sheet(_ limit: Int) throws(PhotoDevelopmentError) -> ContactSheet {
      try ContactSheet(
        title: "", sources: [folder.path("a.dng")],
        isCanceled: {
          asked.add()
          return asked.value > limit
        })
    }
    let made = try sheet(.max)
    let count = asked.value
    #expect(count > 1, "cancellation is also checked within a photo")
    for limit in 0..<count {
      let before = asked.value
      let error = #expect(throws: PhotoDevelopmentError.self) { try sheet(before + limit) }
      #expect(error?.code == .canceled, "canceled after \(limit) checks")
    }
    let error = #expect(throws: PhotoDevelopmentError.self) {
      try made.write(to: folder.path(name), columns: 5, isCanceled: { true })
    }
    #expect(error?.code == .canceled && error?.message.contains("contact sheet") == true)
    #expect(folder.contents == ["a.dng"])
  }

  @Test func a_missing_folder_is_created_for_the_page() throws {
    let folder = try TemporaryFolder()
    let sheet = try ContactSheet(title: "", sources: [folder.path("none.dng")])
    let byteCount = try sheet.write(to: folder.path("new/deep/sheet.html"), columns: 5)
    #expect(byteCount > 0 && folder.contents == ["new"])
  }

  @Test func letters_missing_from_the_image_of_a_page_are_reported() throws {
    let sheet = try ContactSheet(title: "Sch\u{F6}n", sources: [])
    #expect(sheet.notes(in: .html).isEmpty)
    let notes = sheet.notes(in: .image(.png))
    #expect(notes.map(\.kind) == [.settingsOmitted])
    #expect(notes.first?.message.hasSuffix(".html shows all: Sch\u{F6}n") == true, "\(notes)")
    #expect(try ContactSheet(title: "Plain", sources: []).notes(in: .image(.png)).isEmpty)
  }
}
