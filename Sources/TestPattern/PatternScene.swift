package import MediaCore

/// One frame's moving parts.
package struct PatternFrame: Sendable {
  /// The number in the strip and in the counter.
  package var sequence: UInt32
  /// The timecode to burn in.
  package var timecode: Timecode
  /// Frames since the last flash began, and from flash to flash.
  package var position: Int64
  package var framesPerFlash: Int64
  /// True while the field of the flash is white.
  package var isFlash: Bool

  package init(
    sequence: UInt32, timecode: Timecode, position: Int64, framesPerFlash: Int64, isFlash: Bool
  ) {
    self.sequence = sequence
    self.timecode = timecode
    self.position = position
    self.framesPerFlash = framesPerFlash
    self.isFlash = isFlash
  }
}

/// Paints a pattern: the background once into each slot, the moving parts for every frame.
package struct PatternScene {
  private let details: PixelBuffer.Description
  private let geometry: PatternGeometry
  private let background: any PatternBackground
  private let isLarge: Bool
  private let phaseCount: Int
  // Stretches that are painted again for every frame.
  private var strip: PatternRow
  private var text: PatternRow
  private var flash: PatternRow
  private var track: PatternRow

  package init(_ kind: PatternKind, _ details: PixelBuffer.Description, phaseCount: Int) {
    let (width, height) = (details.width, details.height)
    self.details = details
    geometry = PatternGeometry(width: width, height: height)
    isLarge = kind == .clock
    self.phaseCount = phaseCount
    background =
      switch kind {
      case .bars: ColorBars(width: width, height: height)
      case .zoneplate:
        ZonePlate(
          width: width, height: height, phaseCount: phaseCount, fieldOrder: details.fieldOrder)
      case .noise: NoiseFrame(width: width, height: height)
      case .ramp: CodeRamp(width: width, height: height)
      case .clock: PlainGray()
      }
    strip = PatternRow(width: geometry.numberStrip.width)
    text = PatternRow(width: geometry.timecodeLine(isLarge: isLarge).width)
    flash = PatternRow(width: geometry.flash.width)
    track = PatternRow(width: geometry.track(isLarge: isLarge).width)
  }

  /// Paints the background of every slot: phase after phase, and from the first one again.
  package func paintBackgrounds(_ slots: [FrameCanvas]) {
    var line = PatternRow(width: details.width)
    for (phase, slot) in slots.enumerated() {
      if phase >= phaseCount {
        slot.copy(slots[phase - phaseCount])
        continue
      }
      for row in 0..<details.height {
        if let twin = background.twin(row: row, phase: phase) {
          slot.copyRow(from: slots[twin.phase], twin.row, to: row)
          guard details.format.descriptor.subsampling == .yuv420, slot.chromaRow(row) != nil
          else { continue }
          background.paint(row: row, phase: phase, into: &line)
          slot.storeSharedChroma(line, row: row)
        } else {
          background.paint(row: row, phase: phase, into: &line)
          slot.store(line, row: row, x: 0, count: details.width)
        }
      }
    }
  }

  /// Paints the moving parts of a frame over whatever frame the slot held before.
  package mutating func paint(_ frame: PatternFrame, into slot: FrameCanvas) {
    paintStrip(frame.sequence, slot)
    paintText(
      frame.timecode.description, geometry.timecodeLine(isLarge: isLarge), slot)
    let counter = String(frame.sequence % 100_000_000)
    let zeros = String(repeating: "0", count: 8 - counter.utf8.count)
    paintText(zeros + counter, geometry.counterLine(isLarge: isLarge), slot)
    flash.fill(0..<geometry.flash.width, frame.isFlash ? .white : .black)
    put(flash, geometry.flash, slot)
    paintTrack(frame, slot)
  }

  private func put(
    _ line: borrowing PatternRow, _ area: PatternGeometry.Area, _ slot: FrameCanvas
  ) {
    put(line, area, rows: area.y..<area.bottom, slot)
  }

  private func put(
    _ line: borrowing PatternRow, _ area: PatternGeometry.Area, rows: Range<Int>, step: Int = 1,
    _ slot: FrameCanvas
  ) {
    let last = min(rows.upperBound, details.height)
    guard rows.lowerBound < last else { return }
    slot.store(line, row: rows.lowerBound, x: area.x, count: area.width)
    for row in stride(from: rows.lowerBound + step, to: last, by: step) {
      slot.copy(line, from: rows.lowerBound, to: row, x: area.x, count: area.width)
    }
  }

  private mutating func paintStrip(_ number: UInt32, _ slot: FrameCanvas) {
    let cell = geometry.numberCellWidth
    for (index, isWhite) in PatternFrameNumber.cells(number).enumerated() {
      strip.fill(index * cell..<(index + 1) * cell, isWhite ? .white : .black)
    }
    put(strip, geometry.numberStrip, slot)
  }

  private mutating func paintText(
    _ string: String, _ area: PatternGeometry.Area, _ slot: FrameCanvas
  ) {
    let scale = geometry.textScale(isLarge: isLarge)
    for dotRow in 0..<PatternFont.cellHeight {
      text.fill(0..<area.width, .black)
      for (index, character) in string.utf8.enumerated() {
        let start = (index * PatternFont.cellWidth + 1) * scale
        for column in 0..<5
        where PatternFont.hasDot(character, column: column, row: dotRow) {
          text.fill(start + column * scale..<start + (column + 1) * scale, .white)
        }
      }
      let row = area.y + dotRow * scale
      put(text, area, rows: row..<row + scale, slot)
    }
  }

  /// A marker that goes from left to right between two flashes, each field at its own time; in the
  /// clock, a cell for each frame with the present one lit.
  private mutating func paintTrack(_ frame: PatternFrame, _ slot: FrameCanvas) {
    let area = geometry.track(isLarge: isLarge)
    let isInterlaced = details.fieldOrder.isInterlaced
    for field in 0..<(isInterlaced ? 2 : 1) {
      let isLater = isInterlaced && (field == 0) == (details.fieldOrder == .bottomFieldFirst)
      track.fill(0..<area.width, .black)
      let halves = Int(2 * frame.position) + (isLater ? 1 : 0)
      let count = Int(2 * frame.framesPerFlash)
      if isLarge {
        let cells = Int(frame.framesPerFlash)
        for cell in 0..<cells {
          let color: PatternRow.Color = cell == Int(frame.position) ? .white : .init(300)
          track.fill(area.width * cell / cells..<area.width * (cell + 1) / cells - 1, color)
        }
      } else {
        let marker = max(area.width / 40, 2)
        let start = (area.width - marker) * halves / count
        track.fill(start..<start + marker, .white)
      }
      put(
        track, area, rows: area.y + field..<area.bottom, step: isInterlaced ? 2 : 1, slot)
    }
  }
}
