import CProResKernels

/// Reads a slice's samples one by one, whatever layout they lie in.
struct ReferenceLoader {
  let picture: prores_picture
  let area: prores_area

  private enum Component: Int { case luma, cb, cr }

  func load(into samples: UnsafeMutablePointer<Int16>) {
    let margin = PRORES_SAMPLE_MARGIN
    let plane = PRORES_SAMPLE_PLANE
    let fullChroma = picture.full_chroma != 0
    let crOffset = fullChroma ? plane : PRORES_CHROMA_OFFSET
    let width = Int(area.macroblocks) * 16
    fill(samples + margin, .luma, width: width)
    fill(samples + margin + plane, .cb, width: fullChroma ? width : width / 2)
    fill(samples + margin + plane + crOffset, .cr, width: fullChroma ? width : width / 2)
  }

  private func fill(_ target: UnsafeMutablePointer<Int16>, _ component: Component, width: Int) {
    let halved = component != .luma && picture.full_chroma == 0
    let lastColumn = (Int(picture.width) + (halved ? 1 : 0)) / (halved ? 2 : 1) - 1
    let left = Int(area.column) * (halved ? 8 : 16)
    for row in 0..<16 {
      let y = min(Int(area.row) * 16 + row, Int(picture.height) - 1)
      for column in 0..<width {
        let x = min(left + column, lastColumn)
        target[row * PRORES_SAMPLE_STRIDE + column] = Int16(value(component, x, y))
      }
    }
  }

  /// A sample in sixteenths of a 10-bit step from the middle, in video range.
  private func value(_ component: Component, _ x: Int, _ y: Int) -> Int {
    let value =
      component == .luma || picture.chroma_rows == PRORES_CHROMA_ROWS_ALL
      ? stored(component, x, y) : interpolated(component, x, y)
    guard picture.full_range != 0 else { return value }
    // In 2^-15 of a sixteenth, by the depth's highest code at the top of 16 bits.
    let highest = 65_536 - (65_536 >> Int(picture.depth))
    let part = component == .luma ? 876 : 896
    let scale = (((part * 64) << 15) + highest / 2) / highest
    let zero = component == .luma ? ((876 * 16) << 30) / highest - ((448 * 16) << 15) : 0
    return (value * scale + zero + (1 << 14)) >> 15
  }

  /// Chroma of 4:2:0 at a row of luma, from the rows of chroma above and below it.
  private func interpolated(_ component: Component, _ x: Int, _ y: Int) -> Int {
    // Eighths of the distance between two rows of chroma; two rows of luma are four apart.
    let start =
      switch picture.chroma_rows {
      case PRORES_CHROMA_ROWS_TOP_FIELD: 1
      case PRORES_CHROMA_ROWS_BOTTOM_FIELD: 3
      default: 2
      }
    let place = 4 * y - start
    let above = place >> 3
    let part = place & 7
    let last = Int(picture.chroma_height) - 1
    func row(_ index: Int) -> Int { stored(component, x, min(max(index, 0), last)) }
    return (row(above) * (8 - part) + row(above + 1) * part + 4) >> 3
  }

  private func stored(_ component: Component, _ x: Int, _ y: Int) -> Int {
    let chroma = component == .luma ? 0 : 1
    switch picture.layout {
    case PRORES_LAYOUT_PLANAR_8, PRORES_LAYOUT_PLANAR_16:
      return plain(plane: component.rawValue, x, y)
    case PRORES_LAYOUT_BIPLANAR_8, PRORES_LAYOUT_BIPLANAR_16:
      return plain(plane: chroma, component == .luma ? x : 2 * x + component.rawValue - 1, y)
    case PRORES_LAYOUT_BIPLANAR_10_PACKED:
      let index = component == .luma ? x : 2 * x + component.rawValue - 1
      let low = byte(chroma, y, index * 10 / 8), high = byte(chroma, y, index * 10 / 8 + 1)
      return centered(((high << 8 | low) >> (index * 10 % 8) & 1023) << 6)
    case PRORES_LAYOUT_UYVY_8:
      return plain(
        plane: 0, component == .luma ? 2 * x + 1 : 4 * x + 2 * (component.rawValue - 1), y)
    case PRORES_LAYOUT_V210:
      let index = component == .luma ? 2 * x + 1 : 4 * x + 2 * (component.rawValue - 1)
      let low = byte(0, y, index / 3 * 4) | byte(0, y, index / 3 * 4 + 1) << 8
      let high = byte(0, y, index / 3 * 4 + 2) | byte(0, y, index / 3 * 4 + 3) << 8
      return centered(((high << 16 | low) >> (index % 3 * 10) & 1023) << 6)
    default:
      return plain(plane: 0, component == .luma ? 2 * x : 4 * x + 2 * component.rawValue - 1, y)
    }
  }

  /// Sample `index` of a row of bytes or words.
  private func plain(plane: Int, _ index: Int, _ y: Int) -> Int {
    guard picture.depth > 8 else { return centered(byte(plane, y, index) << 8) }
    let word = byte(plane, y, index * 2) | byte(plane, y, index * 2 + 1) << 8
    if picture.shift != 0 { return centered(word) }
    let depth = Int(picture.depth)
    return centered(min(word, 1 << depth - 1) << (16 - depth))
  }

  private func centered(_ top16: Int) -> Int { (top16 - 32768) >> 2 }

  private func byte(_ plane: Int, _ y: Int, _ offset: Int) -> Int {
    let planes = picture.planes
    let strides = picture.strides
    let (base, stride) =
      switch plane {
      case 0: (planes.0, strides.0)
      case 1: (planes.1, strides.1)
      default: (planes.2, strides.2)
      }
    return Int(base?[y * stride + offset] ?? 0)
  }
}
