import MediaCore

extension CopyReport {
  /// The report as PDF, on A4 pages, in PDF's standard fonts.
  ///
  /// Characters that these fonts lack are written as code points (`[U+4E2D]`), and the report says
  /// so.
  ///
  /// - Throws: ``MediaLibraryError/Code/ioFailed`` if memory runs out.
  public func pdf() throws(MediaLibraryError) -> [UInt8] {
    do throws(PDFDocument.Failure) {
      let document = try PDFDocument(title: "Copies of \(source)")
      try writeHead(document)
      for item in items { try write(item, document) }
      if document.replacedCount > 0 {
        document.skip(8)
        try document.write(
          "\(document.replacedCount) characters missing from PDF's standard fonts are written as code "
            + "points, such as [U+4E2D]; the HTML report shows them.", size: 8)
      }
      return try document.bytes()
    } catch {
      throw MediaLibraryError(
        .ioFailed, "the PDF report cannot be created (libharu: \(error.status))")
    }
  }

  private func writeHead(_ document: PDFDocument) throws(PDFDocument.Failure) {
    try document.write("Copies of \(source)", size: 16, isBold: true)
    document.skip(4)
    try document.write(result, size: 11, isBold: true)
    document.skip(4)
    try document.write(
      "Made \(ReportText.date(date)). \(offload.fileCount) files, \(ReportText.bytes(byteCount)) "
        + "(\(byteCount) bytes), movies and audio \(ReportText.duration(mediaDuration)). Copied in "
        + "\(ReportText.duration(offload.duration)).")
    for (index, destination) in offload.destinations.enumerated() {
      document.skip(6)
      let isWhole = destination.isWhole(of: offload.fileCount)
      try document.write(
        "Copy \(index + 1): \(destination.folder): \(isWhole ? "complete, verified" : "NOT COMPLETE")",
        isBold: true)
      try document.write(
        "\(destination.files.count) of \(offload.fileCount) files on "
          + "\(destination.disk?.description ?? "an unknown disk"); manifest "
          + "\(destination.manifest ?? "none")")
    }
    for note in notes {
      document.skip(4)
      try document.write("Note: \(note)")
    }
    document.skip(10)
  }

  private func write(_ item: Item, _ document: PDFDocument) throws(PDFDocument.Failure) {
    let image: (width: Float, height: Float) = (74, 52)
    try document.need(image.height + 14)
    document.drawLine()
    document.skip(6)
    let page = document.pageCount
    let upper = document.top
    for (index, jpeg) in item.thumbnails.prefix(3).enumerated() {
      document.draw(
        jpeg: jpeg, x: PDFDocument.margin + Float(index) * (image.width + 3),
        width: image.width, height: image.height)
    }
    let x = PDFDocument.margin + 3 * (image.width + 3) + 6
    try document.write(item.path, x: x, isBold: true)
    let facts = item.facts.map { ", " + ReportText.facts($0) } ?? ""
    try document.write(ReportText.size(of: item) + facts, x: x, size: 8)
    try document.write("xxHash64 \(item.xxh64 ?? "none")", x: x, size: 8)
    try document.write(
      "\(item.copyCount) of \(offload.destinations.count) copies verified", x: x, size: 8)
    for problem in item.problems { try document.write(problem, x: x, size: 8, isBold: true) }
    // Below the thumbnails, if the text is shorter and on the same page.
    let used = upper - document.top
    if !item.thumbnails.isEmpty, page == document.pageCount, used < image.height {
      document.skip(image.height - used)
    }
    document.skip(6)
  }
}
