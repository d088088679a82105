import CVideo4Linux
import MediaCore
import Synchronization
import SystemPackage
import Testing

@testable import CaptureDevices

@Suite struct V4L2FormatTests {
  private func formats(_ device: FakeDevice) throws -> [CaptureDevice.Format] {
    let kernel = FakeKernel(["/dev/video0": device])
    return try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel).formats()
  }

  @Test func listed_sizes_and_intervals_become_formats() throws {
    let list = try formats(
      FakeDevice(codes: ["YUYV", "UYVY"], sizes: .list([(64, 32), (128, 64), (64, 32)])))
    #expect(list.map { $0.nativeCode?.description } == ["YUYV", "YUYV", "UYVY", "UYVY"])
    #expect(list.map(\.dimensions.width) == [64, 128, 64, 128])
    #expect(list[0].frameRates == [.fps29_97, .fps25])
    #expect(list[0].videoSupportedFrameRateRanges.count == 2)
    #expect(list[0].inputIndex == 0)
    #expect(list[0].video?.color == .bt709)
  }

  @Test func size_ranges_are_expanded_to_common_sizes() throws {
    for isContinuous in [true, false] {
      // The fake keeps the size that it is set to, so only that size really exists.
      var device = FakeDevice(
        sizes: .span(
          width: 32...4096, height: 32...2160, step: isContinuous ? 1 : 16,
          isContinuous: isContinuous))
      device.intervals = .span(min: (1, 60), max: (1, 5), isContinuous: isContinuous)
      let list = try formats(device)
      #expect(list.map(\.dimensions.description) == ["64x32"])
      #expect(list[0].frameRates.isEmpty)
      let range = try #require(list[0].videoSupportedFrameRateRanges.first)
      #expect(range.minFrameRate == FrameRate(5) && range.maxFrameRate == .fps60)
      #expect(range.contains(.fps23_976))
    }
    let span = v4l2_frmsize_stepwise(
      min_width: 48, max_width: 1920, step_width: 16, min_height: 32, max_height: 1088,
      step_height: 8)
    let sizes = V4L2FormatEnumerator.sizes(in: span, current: nil).map(\.description)
    #expect(
      sizes == [
        "1920x1088", "1920x1080", "1280x720", "720x576", "720x480", "640x480", "640x360", "320x240",
        "48x32",
      ])
  }

  @Test func a_device_that_lists_nothing_offers_its_current_format() throws {
    let list = try formats(FakeDevice(sizes: .none, intervals: .none))
    #expect(list.map(\.dimensions.description) == ["64x32"])
    #expect(list[0].frameRates == [.fps25])
  }

  @Test func an_endless_format_list_is_cut_off() throws {
    var device = FakeDevice()
    device.repeatsCodesForEver = true
    #expect(try formats(device).count == 1)
  }

  @Test func undecodable_formats_are_listed_but_refused() throws {
    let kernel = FakeKernel(["/dev/video0": FakeDevice(codes: ["H264"])])
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    let format = try #require(try driver.formats().first)
    #expect(format.video?.pixelFormat == nil && !format.isEmulated)
    #expect(format.video?.mediaSubType == "H264")
    let error = #expect(throws: CaptureError.self) {
      _ = try driver.openV4L2Stream(CaptureStreamRequest(format: format))
    }
    #expect(error?.code == .formatUnavailable)
    #expect(error?.message.contains("H264") == true)
  }

  @Test func a_device_that_sets_another_format_is_refused() throws {
    let kernel = FakeKernel()
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    let format = try #require(try driver.formats().first)
    var other = format
    other.nativeCode = "UYVY"
    #expect(throws: CaptureError.self) {
      _ = try driver.openV4L2Stream(CaptureStreamRequest(format: other))
    }
    kernel.change { $0.ignoresRates = true }
    let error = #expect(throws: CaptureError.self) {
      _ = try driver.openV4L2Stream(CaptureStreamRequest(format: format, frameRate: .fps60))
    }
    #expect(error?.message.contains("25") == true && error?.message.contains("60") == true)
    kernel.change { $0.field = V4L2_FIELD_ALTERNATE.rawValue }
    #expect(throws: CaptureError.self) {
      _ = try driver.openV4L2Stream(CaptureStreamRequest(format: format))
    }
    kernel.change {
      $0.field = V4L2_FIELD_NONE.rawValue
      $0.grantedBuffers = 1
    }
    #expect(throws: CaptureError.self) {
      _ = try driver.openV4L2Stream(CaptureStreamRequest(format: format))
    }
    #expect(kernel.leaks == (0, 0))
  }

  @Test(arguments: [Errno.invalidArgument, .resourceBusy, .ioError])
  func a_device_that_accepts_no_rate_streams_at_its_own(_ error: Errno) throws {
    let kernel = FakeKernel()
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    let format = try #require(try driver.formats().first)
    kernel.state.withLock { state in
      state.faults = (1...3).map {
        .init(call: V4L2Request.setParameters.name, occurrence: $0, error: error)
      }
    }
    for rate in [FrameRate.fps25, nil] {
      let stream = try driver.openV4L2Stream(CaptureStreamRequest(format: format, frameRate: rate))
      #expect(stream.frameRate == .fps25)
      stream.stop()
    }
    let refusal = #expect(throws: CaptureError.self) {
      _ = try driver.openV4L2Stream(CaptureStreamRequest(format: format, frameRate: .fps29_97))
    }
    #expect(refusal?.code == .formatUnavailable && refusal?.message.contains("at 25 ") == true)
    #expect(kernel.state.withLock { $0.counts[V4L2Request.setParameters.name] } == 3)
  }

  // MARK: Layouts

  private func frame(
    _ code: FourCharCode, _ width: Int, _ height: Int, blocks: [(Int, Int)]
  ) -> V4L2FrameFormat {
    var format = V4L2FrameFormat(
      type: V4L2_BUF_TYPE_VIDEO_CAPTURE, code: code.v4l2, width: width, height: height,
      field: V4L2_FIELD_NONE)
    format.blocks = blocks.map { .init(bytesPerLine: $0.0, size: $0.1) }
    return format
  }

  @Test func plane_offsets_follow_the_kernels_documentation() throws {
    func layout(_ code: FourCharCode, _ blocks: (Int, Int)...) throws -> [[Int]] {
      try V4L2Layout(frame(code, 64, 32, blocks: blocks), node: "n").planes
        .map { [$0.block, $0.offset, $0.bytesPerRow, $0.rows] }
    }
    #expect(try layout("YUYV", (128, 4096)) == [[0, 0, 128, 32]])
    #expect(try layout("Y210", (256, 8192)) == [[0, 0, 256, 32]])
    #expect(try layout("NV12", (80, 80 * 48)) == [[0, 0, 80, 32], [0, 2560, 80, 16]])
    #expect(try layout("P210", (128, 8192)) == [[0, 0, 128, 32], [0, 4096, 128, 32]])
    #expect(try layout("NV20", (80, 5120)) == [[0, 0, 80, 32], [0, 2560, 80, 32]])
    #expect(
      try layout("YU12", (64, 3072)) == [[0, 0, 64, 32], [0, 2048, 32, 16], [0, 2560, 32, 16]])
    #expect(
      try layout("YV12", (64, 3072)) == [[0, 0, 64, 32], [0, 2560, 32, 16], [0, 2048, 32, 16]])
    #expect(
      try layout("422P", (64, 4096)) == [[0, 0, 64, 32], [0, 2048, 32, 32], [0, 3072, 32, 32]])
    #expect(try layout("NM16", (64, 2048), (96, 3072)) == [[0, 0, 64, 32], [1, 0, 96, 32]])
    #expect(
      try layout("YUYV", (0, 4096)) == [[0, 0, 128, 32]], "a driver that gives no row length")
  }

  @Test func inconsistent_layouts_are_refused() {
    for (code, blocks) in [
      ("YUYV", [(128, 4000)]), ("YUYV", [(100, 4096)]), ("NV12", [(64, 2048)]),
      ("NM16", [(64, 2048), (64, 100)]), ("YM16", [(64, 2048), (32, 1024)]), ("YUYV", []),
    ] as [(FourCharCode, [(Int, Int)])] {
      let error = #expect(throws: CaptureError.self) {
        _ = try V4L2Layout(frame(code, 64, 32, blocks: blocks), node: "/dev/video0")
      }
      #expect(error?.code == .formatUnavailable)
    }
    // The byte count overflows.
    let most = Int(UInt32.max)
    for code in ["YUYV", "NV12", "YU12"] as [FourCharCode] {
      #expect(throws: CaptureError.self) {
        try V4L2Layout(frame(code, 64, most, blocks: [(most, most)]), node: "/dev/video0")
      }
    }
  }

  // MARK: Fields, rates, color

  @Test func field_orders_follow_the_kernels_rules() {
    func order(_ field: v4l2_field, height: Int = 1080) -> FieldOrder? {
      var format = frame("YUYV", 720, height, blocks: [])
      format.field = field.rawValue
      return format.fieldOrder
    }
    #expect(order(V4L2_FIELD_NONE) == .progressive)
    #expect(order(V4L2_FIELD_INTERLACED_TB) == .topFieldFirst)
    #expect(order(V4L2_FIELD_INTERLACED_BT) == .bottomFieldFirst)
    #expect(order(V4L2_FIELD_INTERLACED, height: 480) == .bottomFieldFirst)
    #expect(order(V4L2_FIELD_INTERLACED, height: 576) == .topFieldFirst)
    #expect(order(V4L2_FIELD_INTERLACED) == .topFieldFirst)
    // One field in each buffer: the height is that of the field.
    #expect(order(V4L2_FIELD_ALTERNATE, height: 240) == .bottomFieldFirst)
    #expect(order(V4L2_FIELD_ALTERNATE, height: 288) == .topFieldFirst)
    #expect(order(V4L2_FIELD_ALTERNATE, height: 540) == .topFieldFirst)
    for field in [
      V4L2_FIELD_SEQ_TB, V4L2_FIELD_SEQ_BT, V4L2_FIELD_TOP, V4L2_FIELD_BOTTOM,
    ] { #expect(order(field) == nil) }
  }

  @Test func rounded_intervals_are_read_as_exact_rates() {
    func rate(_ numerator: UInt32, _ denominator: UInt32) -> FrameRate? {
      FrameRate(interval: v4l2_fract(numerator: numerator, denominator: denominator))
    }
    #expect(rate(333_333, 10_000_000) == .fps30)
    #expect(rate(333_667, 10_000_000) == .fps29_97)
    #expect(rate(166_666, 10_000_000) == .fps60)
    #expect(rate(166_833, 10_000_000) == .fps59_94)
    #expect(rate(417_083, 10_000_000) == .fps23_976)
    #expect(rate(416_667, 10_000_000) == .fps24)
    #expect(rate(666_666, 10_000_000) == FrameRate(15))
    #expect(rate(1_333_333, 10_000_000) == FrameRate(15, 2))
    #expect(rate(1001, 60_000) == .fps59_94)
    #expect(rate(2, 25) == FrameRate(25, 2))
    #expect(rate(0, 30) == nil)
    #expect(rate(1, 0) == nil)
  }

  /// MediaCore's mapping is checked against the macros of videodev2.h.
  @Test func default_colors_agree_with_the_kernels_macros() {
    for space in 1...12 as ClosedRange<UInt32> where space != 4 {
      for isRGB in [false, true] {
        var format = frame("YUYV", 1920, 1080, blocks: [])
        format.colorspace = space
        let resolved = format.color(isRGB: isRGB, isVideoSignal: false)
        let mapped = ColorDescription(v4l2: .init(colorspace: space), isRGB: isRGB)
        #expect(resolved == mapped, "color space \(space), RGB \(isRGB)")
      }
    }
    let nothing = frame("YUYV", 720, 480, blocks: [])
    #expect(nothing.color(isRGB: false, isVideoSignal: true) == .smpte170M)
    let large = frame("YUYV", 1920, 1080, blocks: [])
    #expect(large.color(isRGB: false, isVideoSignal: true) == .bt709)
    #expect(large.color(isRGB: false, isVideoSignal: false).transferFunction == .sRGB)
    // One field in each buffer: 540 rows are high definition.
    var fields = frame("YUYV", 1920, 540, blocks: [])
    fields.field = V4L2_FIELD_ALTERNATE.rawValue
    #expect(fields.color(isRGB: false, isVideoSignal: true) == .bt709)
  }
}
