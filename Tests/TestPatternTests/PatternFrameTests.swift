import MediaCore
import TestSupport
import Testing

@testable import TestPattern

@Suite struct PatternFrameTests {
  static func frame(
    _ kind: PatternKind, _ layout: PixelFormat = .p210, width: Int = 640, height: Int = 360,
    order: FieldOrder = .progressive, sequence: UInt32 = 1234, position: Int64 = 3,
    isFlash: Bool = false
  ) throws -> PixelBuffer {
    let details = PixelBuffer.Description(
      format: layout, width: width, height: height, fieldOrder: order)
    let slot = try FrameCanvas(details)
    var scene = PatternScene(kind, details, phaseCount: 1)
    scene.paintBackgrounds([slot])
    let timecode = try #require(Timecode("10:23:45:06", frameRate: .fps25))
    scene.paint(
      PatternFrame(
        sequence: sequence, timecode: timecode, position: position, framesPerFlash: 25,
        isFlash: isFlash), into: slot)
    return try slot.buffer {}
  }

  /// The codes of RP 219-1 follow from BT.709's matrix and the levels of each bar.
  @Test func bars_have_the_codes_of_their_colors() {
    func code(_ red: Double, _ green: Double, _ blue: Double) -> PatternRow.Color {
      let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      return PatternRow.Color(
        UInt16((64 + 876 * luma).rounded()),
        UInt16((512 + 896 * (blue - luma) / 1.8556).rounded()),
        UInt16((512 + 896 * (red - luma) / 1.5748).rounded()))
    }
    #expect(ColorBars.white75 == code(0.75, 0.75, 0.75))
    #expect(ColorBars.yellow75 == code(0.75, 0.75, 0))
    #expect(ColorBars.cyan75 == code(0, 0.75, 0.75))
    #expect(ColorBars.green75 == code(0, 0.75, 0))
    #expect(ColorBars.magenta75 == code(0.75, 0, 0.75))
    #expect(ColorBars.red75 == code(0.75, 0, 0))
    #expect(ColorBars.blue75 == code(0, 0, 0.75))
    #expect(ColorBars.cyan100 == code(0, 1, 1))
    #expect(ColorBars.blue100 == code(0, 0, 1))
    #expect(ColorBars.yellow100 == code(1, 1, 0))
    #expect(ColorBars.red100 == code(1, 0, 0))
    #expect(ColorBars.gray40 == code(0.4, 0.4, 0.4))
    #expect(ColorBars.gray15 == code(0.15, 0.15, 0.15))
    #expect(ColorBars.minus2 == code(-0.02, -0.02, -0.02))
    #expect(ColorBars.plus2 == code(0.02, 0.02, 0.02))
    #expect(ColorBars.plus4 == code(0.04, 0.04, 0.04))
  }

  /// Positions in RP 219-1's figure at 1920 by 1080, away from edges.
  @Test func bars_are_placed_as_in_the_standard() throws {
    let frame = try PlainFrame(Self.frame(.bars, width: 1920, height: 1080))
    let places: [(Int, Int, PatternRow.Color)] = [
      (120, 100, ColorBars.gray40), (343, 100, ColorBars.white75), (549, 100, ColorBars.yellow75),
      (754, 100, ColorBars.cyan75), (960, 100, ColorBars.green75),
      (1165, 100, ColorBars.magenta75), (1371, 100, ColorBars.red75),
      (1577, 100, ColorBars.blue75), (1800, 100, ColorBars.gray40),
      (120, 670, ColorBars.cyan100), (960, 670, ColorBars.white75),
      (1800, 670, ColorBars.blue100), (120, 760, ColorBars.yellow100), (343, 760, .black),
      (1577, 760, .white), (1800, 760, ColorBars.red100), (120, 950, ColorBars.gray15),
      (400, 950, .black), (750, 950, .white), (1030, 950, .black),
      (1166, 950, ColorBars.minus2), (1234, 950, .black), (1303, 950, ColorBars.plus2),
      (1371, 950, .black), (1440, 950, ColorBars.plus4), (1577, 950, .black),
      (1800, 950, ColorBars.gray15),
    ]
    for (x, y, color) in places {
      #expect(
        frame.code(x, y) == [color.luma, color.cb, color.cr], "at \(x),\(y)")
    }
    let ramp = frame.row(760)[(760 * 1920 + 450)..<(760 * 1920 + 1470)]
    #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test(arguments: [(640, 360), (1280, 720), (1920, 1080), (3840, 2160)])
  func a_ramp_contains_every_legal_video_code(width: Int, height: Int) throws {
    let ramp = CodeRamp(width: width, height: height)
    var seen: Set<UInt16> = []
    var line = PatternRow(width: width)
    for row in 0..<ramp.lumaRows where ramp.twin(row: row, phase: 0) == nil {
      ramp.paint(row: row, phase: 0, into: &line)
      seen.formUnion(line.luma)
      #expect(
        zip(line.luma, line.luma.dropFirst()).allSatisfy {
          $1 == $0 || $1 == $0 + 1 || width < 1016
        })
    }
    #expect(seen == Set(4...1019))
  }

  @Test(arguments: [PixelFormat.p210, .v210, .y210, .yuv422p10])
  func a_stored_ramp_keeps_every_code(layout: PixelFormat) throws {
    let frame = try PlainFrame(Self.frame(.ramp, layout, width: 1280, height: 720))
    #expect(Set(frame.row(10)) == Set(4...1019))
    #expect(Set(frame.planes[1].suffix(640)).count == 640, "chroma has a code for each sample")
  }

  @Test(arguments: PatternKind.allCases)
  func every_layout_holds_the_same_frame(kind: PatternKind) throws {
    let reference = try PlainFrame(Self.frame(kind, .p210))
    for layout in [PixelFormat.v210, .y210, .yuv422p10] {
      #expect(try PlainFrame(Self.frame(kind, layout)) == reference, "\(layout)")
    }
    for layout in [PixelFormat.yuv444p10, .yuv444p12] {
      let frame = try PlainFrame(Self.frame(kind, layout))
      #expect(frame.planes[0] == reference.planes[0])
    }
    for layout in [PixelFormat.uyvy, .nv12] {
      let frame = try PlainFrame(Self.frame(kind, layout))
      let isNear = zip(frame.planes[0], reference.planes[0]).allSatisfy {
        abs(Int($0) - Int($1)) <= 3
      }
      #expect(isNear, "\(layout): 8 bits are within half a step")
    }
  }

  /// Painting one frame over another leaves no trace of it.
  @Test(arguments: [PixelFormat.p210, .v210, .y210, .uyvy, .nv12, .yuv444p12])
  func a_reused_slot_shows_only_the_new_frame(layout: PixelFormat) throws {
    for order in [FieldOrder.progressive, .topFieldFirst] {
      let details = PixelBuffer.Description(
        format: layout, width: 640, height: 360, fieldOrder: order)
      let slot = try FrameCanvas(details)
      var scene = PatternScene(.bars, details, phaseCount: 1)
      scene.paintBackgrounds([slot])
      let timecode = try #require(Timecode("10:23:45:06", frameRate: .fps25))
      for sequence: UInt32 in [88_888_888, 1234] {
        scene.paint(
          PatternFrame(
            sequence: sequence, timecode: timecode, position: sequence == 1234 ? 3 : 17,
            framesPerFlash: 25, isFlash: sequence != 1234), into: slot)
      }
      let fresh = try PlainFrame(Self.frame(.bars, layout, order: order))
      #expect(try PlainFrame(slot.buffer {}) == fresh)
    }
  }

  @Test(arguments: PatternKind.allCases)
  func moving_parts_do_not_change_the_rest(kind: PatternKind) throws {
    let one = try PlainFrame(Self.frame(kind, sequence: 1, position: 0, isFlash: true))
    let two = try PlainFrame(Self.frame(kind, sequence: 2, position: 20))
    let geometry = PatternGeometry(width: 640, height: 360)
    let bottom = geometry.track(isLarge: kind == .clock).bottom
    for row in 0..<360 where row < geometry.top || row >= bottom {
      #expect(one.row(row) == two.row(row))
    }
    #expect(one != two)
    #expect(
      bottom <= 360 * (kind == .clock ? 9 : 7) / 12, "bars below the first pattern stay whole")
  }

  @Test(arguments: PatternKind.allCases)
  func the_frame_number_is_read_back(kind: PatternKind) throws {
    var random = PatternRandom(seed: 11)
    for layout in [PixelFormat.p210, .v210, .uyvy, .nv12, .yuv444p12] {
      let numbers =
        [0, 1, UInt32.max] + (0..<3).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
      for number in numbers {
        let frame = try Self.frame(kind, layout, sequence: number)
        #expect(PatternFrameNumber.read(from: frame) == number)
      }
    }
  }

  @Test func no_frame_number_is_read_if_there_is_none() throws {
    var gray = try MutablePixelBuffer(.init(format: .uyvy, width: 640, height: 360))
    gray.withUnsafeMutableBytes(ofPlane: 0) {
      _ = $0.initializeMemory(as: UInt8.self, repeating: 128)
    }
    let frame = gray.finish()
    #expect(PatternFrameNumber.read(from: frame) == nil)
    let small = try MutablePixelBuffer(.init(format: .uyvy, width: 16, height: 16)).finish()
    #expect(PatternFrameNumber.read(from: small) == nil)
    // With one wrong cell, the parity does not match.
    var cells = PatternFrameNumber.cells(77)
    cells[10].toggle()
    #expect(cells != PatternFrameNumber.cells(77 ^ (1 << 25)))
  }

  @Test func digits_show_the_timecode_and_the_counter() throws {
    for kind in [PatternKind.bars, .clock] {
      let frame = try PlainFrame(
        Self.frame(kind, width: 1280, height: 720, sequence: 90_817_263))
      let geometry = PatternGeometry(width: 1280, height: 720)
      let isLarge = kind == .clock
      let scale = geometry.textScale(isLarge: isLarge)
      func read(_ area: PatternGeometry.Area, _ count: Int) -> String {
        (0..<count).map { index in
          let match = (UInt8(0x30)...0x3B).first { character in
            (0..<7).allSatisfy { row in
              (0..<5).allSatisfy { column in
                let x = area.x + (index * 6 + 1 + column) * scale + scale / 2
                let y = area.y + (row + 1) * scale + scale / 2
                return (frame.luma(x, y) > 502)
                  == PatternFont.hasDot(character, column: column, row: row + 1)
              }
            }
          }
          return match.map { String(UnicodeScalar($0)) } ?? "?"
        }.joined()
      }
      #expect(read(geometry.timecodeLine(isLarge: isLarge), 11) == "10:23:45:06")
      #expect(read(geometry.counterLine(isLarge: isLarge), 8) == "90817263")
    }
  }

  @Test(arguments: [FieldOrder.topFieldFirst, .bottomFieldFirst])
  func fields_show_different_times(order: FieldOrder) throws {
    let frame = try PlainFrame(
      Self.frame(.bars, width: 1920, height: 1080, order: order, position: 10))
    let area = PatternGeometry(width: 1920, height: 1080).track(isLarge: false)
    func marker(_ row: Int) -> Int? {
      frame.row(row).dropFirst(area.x).firstIndex { $0 > 900 }.map { $0 - row * 1920 }
    }
    let (top, bottom) = (try #require(marker(area.y)), try #require(marker(area.y + 1)))
    #expect(order == .topFieldFirst ? bottom > top : top > bottom)
    let next = try PlainFrame(
      Self.frame(.bars, width: 1920, height: 1080, order: order, position: 11))
    let following = try #require(
      next.row(area.y).dropFirst(area.x).firstIndex { $0 > 900 }.map { $0 - area.y * 1920 })
    #expect((2 * abs(bottom - top) - abs(following - top)).magnitude <= 2, "half a frame apart")
    let zone = try PlainFrame(Self.frame(.zoneplate, order: order))
    let still = try PlainFrame(Self.frame(.zoneplate))
    #expect(zone != still)
  }

  @Test func a_zone_plate_moves_in_a_cycle() throws {
    let details = PixelBuffer.Description(format: .p210, width: 640, height: 360)
    let slots = try (0..<4).map { _ in try FrameCanvas(details) }
    PatternScene(.zoneplate, details, phaseCount: 4).paintBackgrounds(slots)
    let frames = try slots.map { try PlainFrame($0.buffer {}) }
    for pair in [(0, 1), (1, 2), (2, 3), (3, 0)] {
      let changed = zip(frames[pair.0].planes[0], frames[pair.1].planes[0])
        .filter { $0 != $1 }.count
      #expect(changed > 640 * 360 / 2)
    }
    // Phases half a turn apart are opposites.
    let isOpposite = zip(frames[0].planes[0], frames[2].planes[0]).allSatisfy {
      abs(Int($0) + Int($1) - 1004) <= 1
    }
    #expect(isOpposite)
  }
}
