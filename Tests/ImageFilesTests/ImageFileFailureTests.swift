import DNG
import Foundation
import MediaCore
import RawDevelop
import SystemPackage
import TestSupport
import Testing

@testable import ImageFiles

struct ImageFileFailureTests {
  private func failure(
    of image: RenderedImage = TestImages.words(), high: RenderedImage? = nil,
    _ format: ImageFileFormat, _ change: (inout ImageFileSettings) -> Void = { _ in }
  ) -> ImageFileError.Code? {
    var settings = ImageFileSettings(format: format)
    change(&settings)
    do throws(ImageFileError) {
      _ = try ImageFileWriter(settings).encode(ImageContent(image, highRange: high))
      return nil
    } catch { return error.code }
  }

  @Test
  func settings_a_format_does_not_support_are_refused() {
    #expect(failure(.jpeg) { $0.bitDepth = 16 } == .unsupported)
    #expect(failure(.png) { $0.bitDepth = 10 } == .unsupported)
    #expect(failure(.tiff) { $0.dynamicRange = .pq } == .unsupported)
    #expect(failure(.heic) { $0.bitDepth = 12 } == .unsupported)
    #expect(failure(.tiff) { $0.bitDepth = 32 } == .invalidArgument)
    #expect(failure(.heic) { $0.dynamicRange = .hlg } == .invalidArgument)
    #expect(failure(.jpeg) { $0.quality = 1.5 } == .invalidArgument)
    #expect(failure(.jpeg) { $0.quality = .nan } == .invalidArgument)
    #expect(failure(.gainMapJPEG) == .invalidArgument)
    let small = RenderedImage(
      width: 1, height: 1, samples: .float([1, 1, 1]), colorSpace: .linearSRGB)
    #expect(failure(high: small, .gainMapJPEG) == .invalidArgument)
    #expect(
      failure(high: TestImages.floats(), .gainMapJPEG) { $0.gainMapReduction = 3 }
        == .invalidArgument)
  }

  @Test(arguments: ImageFileFormat.allCases)
  func an_image_without_matching_samples_is_refused(_ format: ImageFileFormat) {
    for (width, height) in [(0, 0), (0, 4), (2, 2), (-1, 3), (Int.max, 4)] {
      let image = RenderedImage(
        width: width, height: height, samples: .uint8([1, 2, 3]), colorSpace: .sRGB)
      #expect(failure(of: image, high: image, format) == .invalidArgument)
    }
  }

  @Test(arguments: ImageFileFormat.allCases.filter { $0.sideLimit != nil })
  func an_image_above_its_formats_size_limit_is_refused(_ format: ImageFileFormat) throws {
    let limit = try #require(format.sideLimit)
    for (width, height) in [(limit + 1, 1), (1, limit + 1)] {
      let image = RenderedImage(
        width: width, height: height,
        samples: .uint8([UInt8](repeating: 9, count: 3 * (limit + 1))),
        colorSpace: .sRGB)
      #expect(failure(of: image, high: image, format) == .unsupported)
    }
  }

  @Test
  func a_jpeg_can_have_the_largest_supported_height() throws {
    let limit = try #require(ImageFileFormat.jpeg.sideLimit)
    let image = RenderedImage(
      width: 1, height: limit, samples: .uint8([UInt8](repeating: 9, count: 3 * limit)),
      colorSpace: .sRGB)
    #expect(failure(of: image, .jpeg) == nil)
  }

  @Test(arguments: ImageFileFormat.allCases)
  func tiny_and_odd_sizes_are_written_in_each_format(_ format: ImageFileFormat) throws {
    for (width, height) in [(1, 1), (17, 3), (3, 33)] {
      let count = 3 * width * height
      let image = RenderedImage(
        width: width, height: height, samples: .uint16([UInt16](repeating: 30_000, count: count)),
        colorSpace: .sRGB)
      let high = RenderedImage(
        width: width, height: height, samples: .float([Float](repeating: 2, count: count)),
        colorSpace: .linearSRGB)
      let file = try ImageFileWriter(ImageFileSettings(format: format)).encode(
        ImageContent(image, highRange: high))
      #expect(file.bytes.count > 100)
    }
  }

  @Test(arguments: ImageFileFormat.allCases)
  func non_finite_samples_do_not_trap(_ format: ImageFileFormat) throws {
    let strange: [Float] = [.nan, .infinity, -.infinity, -1, 1e30, 0.5]
    let samples = (0..<3 * 16 * 16).map { strange[$0 % strange.count] }
    let image = RenderedImage(
      width: 16, height: 16, samples: .float(samples), colorSpace: .linearSRGB)
    for range in format.dynamicRanges {
      var settings = ImageFileSettings(format: format)
      settings.dynamicRange = range
      let file = try ImageFileWriter(settings).encode(ImageContent(image, highRange: image))
      let holdsFloats = [.tiff, .jpegXL].contains(format) && range == .standard
      #expect(file.notes.contains { $0.kind == .clipped } != holdsFloats, "\(format) \(range)")
      let reported = file.notes.filter { $0.kind == .notFinite }
      #expect(reported.count == (format == .gainMapJPEG ? 2 : 1), "\(format) \(range)")
      #expect(reported.allSatisfy { $0.message.hasPrefix("384 samples") }, "\(reported)")
    }
  }

  @Test
  func non_finite_samples_are_replaced_in_float_files() throws {
    let strange: [Float] = [.nan, .infinity, -.infinity, -0.25, 0.5, 2]
    let finite: [Float] = [0, RenderedImage.greatestHalf, 0, -0.25, 0.5, 2]
    func halves(_ numbers: [Float]) -> [UInt16] { numbers.map { Float16($0).bitPattern } }
    let pairs: [(RenderedImage.Samples, RenderedImage.Samples)] = [
      (.float(strange), .float(finite)), (.half(halves(strange)), .half(halves(finite))),
    ]
    for (format, pair) in [ImageFileFormat.tiff, .jpegXL, .openEXR].flatMap({ format in
      pairs.map { (format, $0) }
    }) {
      let files = try [pair.0, pair.1].map { samples in
        try ImageFileWriter(ImageFileSettings(format: format)).encode(
          ImageContent(
            RenderedImage(width: 2, height: 1, samples: samples, colorSpace: .linearSRGB)))
      }
      #expect(files[0].bytes == files[1].bytes, "\(format)")
      let kinds = files.map { $0.notes.map(\.kind).filter { $0 != .fewerBits } }
      #expect(kinds == [[.notFinite], []], "\(format)")
    }
  }

  @Test(arguments: [ImageFileFormat.tiff, .jpegXL, .openEXR])
  func light_beyond_half_floats_is_clipped_and_reported(_ format: ImageFileFormat) throws {
    func file(_ number: Float) throws -> (bytes: [UInt8], notes: [ImageFileNote]) {
      var settings = ImageFileSettings(format: format)
      settings.bitDepth = 16
      let image = RenderedImage(
        width: 2, height: 1, samples: .float([number, 0.5, -number, 1, 2, 3]),
        colorSpace: .linearSRGB)
      return try ImageFileWriter(settings).encode(ImageContent(image))
    }
    let (beyond, within) = (try file(1e6), try file(RenderedImage.greatestHalf))
    #expect(beyond.bytes == within.bytes)
    #expect(beyond.notes.map(\.kind) == [.fewerBits, .clipped], "\(beyond.notes)")
    #expect(within.notes.map(\.kind) == [.fewerBits])
  }

  @Test
  func losses_in_each_format_are_noted() throws {
    func kinds(
      _ image: RenderedImage, _ format: ImageFileFormat,
      _ change: (inout ImageContent) -> Void = { _ in }
    ) throws -> Set<ImageFileNote.Kind> {
      var content = ImageContent(image)
      change(&content)
      let file = try ImageFileWriter(ImageFileSettings(format: format)).encode(content)
      return Set(file.notes.map(\.kind))
    }
    #expect(try kinds(TestImages.bytes(), .jpeg) == [])
    #expect(try kinds(TestImages.words(), .jpeg) == [.fewerBits])
    #expect(
      try kinds(TestImages.floats(2), .jpeg)
        == [.floatsBecameIntegers, .clipped, .linearInFewBits])
    #expect(try kinds(TestImages.bytes(.adobeRGB), .heic) == [.colorSpaceApproximate])
    #expect(try kinds(TestImages.halves(), .openEXR) { $0.xmp = "x" } == [.metadataOmitted])
    #expect(
      try kinds(TestImages.bytes(), .png) { $0.metadata.orientation = .right }
        == [.metadataOmitted])
    #expect(
      try kinds(TestImages.halves(), .openEXR) { $0.metadata.exposureBias = -1 }
        == [.metadataOmitted])
    let long = String(repeating: "x", count: 70_000)
    #expect(try kinds(TestImages.bytes(), .jpeg) { $0.xmp = long } == [.metadataOmitted])
  }

  @Test
  func openexr_names_both_artist_and_owner() throws {
    var content = ImageContent(TestImages.halves())
    content.metadata.artist = "A. Photographer"
    content.metadata.copyright = "All rights reserved"
    let file = try ImageFileWriter(ImageFileSettings(format: .openEXR)).encode(content)
    for (name, text) in [("artist", "A. Photographer"), ("owner", "All rights reserved")] {
      let size = [UInt8(text.utf8.count), 0, 0, 0]
      let attribute = Array("\(name)\0string\0".utf8) + size + text.utf8
      #expect(Data(file.bytes).range(of: Data(attribute)) != nil, "\(name)")
    }
    #expect(file.notes.isEmpty)
  }

  @Test(arguments: ImageFileFormat.allCases)
  func canceled_work_leaves_no_files(_ format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    for limit in 0..<2 {
      let asked = Counter()
      var writer = ImageFileWriter(ImageFileSettings(format: format))
      writer.isCanceled = {
        asked.add()
        return asked.value > limit
      }
      let content = ImageContent(TestImages.words(), highRange: TestImages.floats(2))
      #expect(throws: ImageFileError.canceled) {
        _ = try writer.write(content, to: folder.path("picture"))
      }
    }
    #expect(folder.contents.isEmpty)
  }

  @Test
  func an_existing_file_is_kept_unless_replacing_is_allowed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.jpg")
    try Data("old".utf8).write(to: URL(filePath: path))
    let writer = ImageFileWriter(ImageFileSettings(format: .jpeg))
    let content = ImageContent(TestImages.bytes())
    let error = #expect(throws: ImageFileError.self) { _ = try writer.write(content, to: path) }
    #expect(error?.errno?.rawValue == EEXIST && error?.code == .fileFailed)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
    #expect(try writer.write(content, to: path, replacing: true).byteCount > 100)
    #expect(folder.contents == ["picture.jpg"])
  }

  @Test
  func a_file_being_written_is_not_a_leftover() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.png")
    // Left by a process with the same number in another container.
    let left = "picture.png.\(getpid()).unfinished"
    try folder.write([1], left)
    var removed: [[String]] = []
    let count = try WholeFile.write(to: path, replacing: false) {
      (output) throws(ImageFileError) in
      for _ in 0..<2 {
        removed.append(WholeFile.removeLeftovers(in: folder.path(""), endings: ["png"]))
      }
      try output.append([1, 2, 3])
    }
    #expect(removed == [[left], []] && count == 3)
    #expect(folder.contents == ["picture.png"])
  }

  @Test(arguments: ImageFileFormat.allCases)
  func a_full_disk_is_a_clear_error(_ format: ImageFileFormat) throws {
    let descriptor = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let output = ImageOutput(descriptor: descriptor, path: "picture")
    let settings = ImageFileSettings(format: format)
    let content = ImageContent(TestImages.words(), highRange: TestImages.floats(2))
    let error = #expect(throws: ImageFileError.self) {
      try ImageFileWriter(settings).put(content, into: output)
    }
    #expect(error?.code == .fileFailed && error?.message.contains("make room") == true)
  }

  @Test
  func exhausted_inodes_are_not_reported_as_a_full_disk() {
    let inodes = WholeFile.failure("/disk/a.jpg", ENOSPC) { folder in
      #expect(folder == "/disk")
      return VolumeRoom(bytes: 1 << 40, fileCount: 0)
    }
    #expect(inodes.code == .fileFailed && inodes.errno == .noSpace)
    #expect(inodes.message.contains("no free inodes: delete files"), "\(inodes)")
    #expect(!inodes.message.contains("make room"))
    let full = WholeFile.failure("/disk/a.jpg", ENOSPC) { _ in VolumeRoom(bytes: 0, fileCount: 9) }
    #expect(full.message.contains("make room on the disk"), "\(full)")
  }

  @Test(arguments: [
    (EDQUOT, "your quota is used up"), (EROFS, "mount it for writing"),
    (ESTALE, "mount the share again"), (EIO, "the kernel's messages"),
    (ENOENT, "the folder exists"),
    (EEXIST, "choose another name"),
  ])
  func disk_errors_are_reported_with_a_remedy(number: Int32, words: String) {
    let error = WholeFile.failure("/disk/a.jpg", number)
    #expect(error.errno?.rawValue == number && error.message.contains(words), "\(error)")
  }

  @Test(arguments: ImageFileFormat.allCases)
  func the_same_image_gives_the_same_bytes(_ format: ImageFileFormat) throws {
    let writer = ImageFileWriter(ImageFileSettings(format: format))
    let content = TestImages.content(TestImages.words(), high: TestImages.floats(2))
    #expect(try writer.encode(content).bytes == writer.encode(content).bytes)
  }
}
