import CHaru

/// A PDF document, filled from the top of its first page through libharu. The only owner of its
/// handle.
final class PDFDocument {
  /// An error, by libharu's number.
  struct Failure: Error {
    var status: UInt
  }

  /// The size of an A4 page, and of its margins, in points.
  static let (width, height, margin): (Float, Float, Float) = (595, 842, 40)

  private let document: HPDF_Doc
  private let fonts: (plain: HPDF_Font, bold: HPDF_Font)
  private var page: HPDF_Page
  private(set) var pageCount = 1
  /// The lower edge of what is written on the page, in points from its bottom.
  private(set) var top = PDFDocument.height - PDFDocument.margin
  /// The number of characters that the fonts lack.
  private(set) var replacedCount = 0

  init(title: String) throws(Failure) {
    guard let document = HPDF_New(nil, nil) else { throw Failure(status: 0) }
    let compressAll: UInt32 = 0x0F
    HPDF_SetCompressionMode(document, compressAll)
    guard let plain = HPDF_GetFont(document, "Helvetica", "WinAnsiEncoding"),
      let bold = HPDF_GetFont(document, "Helvetica-Bold", "WinAnsiEncoding"),
      let page = HPDF_AddPage(document)
    else {
      let failure = Failure(status: HPDF_GetError(document))
      HPDF_Free(document)
      throw failure
    }
    self.document = document
    self.page = page
    fonts = (plain, bold)
    Self.withText(WinAnsiText(title).bytes[...]) {
      _ = HPDF_SetInfoAttr(document, HPDF_INFO_TITLE, $0)
    }
    setSize()
  }

  deinit { HPDF_Free(document) }

  private func setSize() {
    HPDF_Page_SetWidth(page, Self.width)
    HPDF_Page_SetHeight(page, Self.height)
  }

  /// Makes sure that the page has this many points left, starting a new one if needed.
  func need(_ points: Float) throws(Failure) {
    guard top - points < Self.margin else { return }
    finishPage()
    guard let next = HPDF_AddPage(document) else {
      throw Failure(status: HPDF_GetError(document))
    }
    page = next
    pageCount += 1
    setSize()
    top = Self.height - Self.margin
  }

  private func finishPage() {
    draw(
      Array("\(pageCount)".utf8)[...], x: Self.width / 2, y: Self.margin / 2, size: 8, isBold: false
    )
  }

  func skip(_ points: Float) { top -= points }

  /// Writes text starting at `x`, in as many lines as necessary.
  func write(
    _ text: String, x: Float = PDFDocument.margin, size: Float = 9, isBold: Bool = false
  ) throws(Failure) {
    let text = WinAnsiText(text)
    replacedCount += text.replacedCount
    var rest = text.bytes[...]
    repeat {
      try need(size * 1.3)
      let count = fitting(rest, width: Self.width - Self.margin - x, size: size, isBold: isBold)
      top -= size * 1.3
      draw(rest.prefix(count), x: x, y: top + size * 0.3, size: size, isBold: isBold)
      rest = rest.dropFirst(count)
    } while !rest.isEmpty
  }

  /// The number of bytes that fit into a line, at least one.
  private func fitting(
    _ bytes: ArraySlice<UInt8>, width: Float, size: Float, isBold: Bool
  ) -> Int {
    HPDF_Page_SetFontAndSize(page, isBold ? fonts.bold : fonts.plain, size)
    // Break between words, unless a path has no break that fits.
    let words = Self.withText(bytes) { HPDF_Page_MeasureText(page, $0, width, 1, nil) }
    if words > 0 { return Int(words) }
    return max(1, Int(Self.withText(bytes) { HPDF_Page_MeasureText(page, $0, width, 0, nil) }))
  }

  private func draw(_ bytes: ArraySlice<UInt8>, x: Float, y: Float, size: Float, isBold: Bool) {
    HPDF_Page_BeginText(page)
    HPDF_Page_SetFontAndSize(page, isBold ? fonts.bold : fonts.plain, size)
    _ = Self.withText(bytes) { HPDF_Page_TextOut(page, x, y, $0) }
    HPDF_Page_EndText(page)
  }

  private static func withText<Result>(
    _ bytes: ArraySlice<UInt8>, _ work: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    // Never nil, because the array contains at least the terminating zero.
    return text.withUnsafeBufferPointer { buffer in
      withUnsafePointer(to: CChar(0)) { work(buffer.baseAddress ?? $0) }
    }
  }

  /// Draws a JPEG unchanged, in a box whose upper left corner is `x` points from the left, at the
  /// current position.
  ///
  /// - Returns: False if the JPEG cannot be read; the document remains usable.
  @discardableResult
  func draw(jpeg: [UInt8], x: Float, width: Float, height: Float) -> Bool {
    guard let image = HPDF_LoadJpegImageFromMem(document, jpeg, UInt32(jpeg.count)) else {
      HPDF_ResetError(document)
      return false
    }
    let size = (Float(HPDF_Image_GetWidth(image)), Float(HPDF_Image_GetHeight(image)))
    guard size.0 > 0, size.1 > 0 else { return false }
    let scale = min(width / size.0, height / size.1)
    let drawn = (size.0 * scale, size.1 * scale)
    return HPDF_Page_DrawImage(page, image, x, top - drawn.1, drawn.0, drawn.1) == 0
  }

  /// Draws a thin line across the page.
  func drawLine() {
    HPDF_Page_SetLineWidth(page, 0.3)
    HPDF_Page_MoveTo(page, Self.margin, top)
    HPDF_Page_LineTo(page, Self.width - Self.margin, top)
    HPDF_Page_Stroke(page)
  }

  /// The file's bytes. To be called once.
  func bytes() throws(Failure) -> [UInt8] {
    finishPage()
    let status = HPDF_SaveToStream(document)
    guard status == 0 else { throw Failure(status: status) }
    HPDF_ResetStream(document)
    var count = HPDF_GetStreamSize(document)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    _ = HPDF_ReadFromStream(document, &bytes, &count)
    guard Int(count) == bytes.count else { throw Failure(status: HPDF_GetError(document)) }
    return bytes
  }
}
