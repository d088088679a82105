import Foundation
public import ImageFiles
import MediaCore
import RawDevelop

extension ContactSheet {
  /// The page as self-contained HTML: thumbnails are embedded, and nothing is loaded from the network. It is also
  /// well-formed XML.
  ///
  /// - Parameters:
  ///   - columns: Photos per row, if the window is wide enough.
  ///   - isCanceled: Called now and then; returning true cancels the work. By default, the cancellation of the
  ///     current task.
  /// - Throws: What writing a JPEG throws.
  public func html(
    columns: Int, isCanceled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(ImageFileError) -> String {
    let title = XMLElement.escaped(Self.printable(title))
    var page = [
      "<!DOCTYPE html>", #"<html xmlns="http://www.w3.org/1999/xhtml" lang="en">"#, "<head>",
      #"<meta charset="utf-8"/>"#,
      #"<meta name="viewport" content="width=device-width, initial-scale=1"/>"#,
      "<title>\(title.isEmpty ? "Photos" : title)</title>",
      "<style>\(Self.style(columns: max(columns, 1), side: side))</style>", "</head>", "<body>",
    ]
    if !title.isEmpty { page.append("<h1>\(title)</h1>") }
    page.append("<main>")
    for tile in tiles { page.append(try Self.figure(tile, isCanceled)) }
    page += ["</main>", "</body>", "</html>", ""]
    return page.joined(separator: "\n")
  }

  private static func style(columns: Int, side: Int) -> String {
    """
    body{font:14px sans-serif;margin:1em;background:#262626;color:#d6d6d6}h1{font-size:1.2em}\
    main{display:grid;gap:1em;justify-content:start;\
    grid-template-columns:repeat(auto-fill,\(side)px);max-width:\(columns * (side + 14))px}\
    figure{margin:0;break-inside:avoid}figure div{height:\(side)px;display:flex;\
    align-items:center;justify-content:center}figcaption{overflow-wrap:anywhere}\
    small{color:#a0a0a0}.bad{background:#404040}@media print{body{background:#fff;color:#111}}
    """
  }

  private static func figure(
    _ tile: Tile, _ isCanceled: @escaping @Sendable () -> Bool
  ) throws(ImageFileError) -> String {
    let name = XMLElement.escaped(printable(tile.name))
    var image = #"<div class="bad">not developed</div>"#
    if let thumbnail = tile.thumbnail {
      var settings = ImageFileSettings(format: .jpeg)
      settings.quality = 0.85
      var writer = ImageFileWriter(settings)
      writer.isCanceled = isCanceled
      let file = try writer.encode(ImageContent(thumbnail))
      let data = Data(file.bytes).base64EncodedString()
      image =
        #"<div><img alt="\#(name)" width="\#(thumbnail.width)" height="\#(thumbnail.height)" "#
        + #"src="data:image/jpeg;base64,\#(data)"/></div>"#
    }
    let lines = tile.error.map { [$0.message] } ?? tile.captions
    let captions = lines.map { "<br/><small>\(XMLElement.escaped(printable($0)))</small>" }
    return "<figure>\(image)<figcaption>\(name)\(captions.joined())</figcaption></figure>"
  }

  /// A text without characters that XML does not allow.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value >= 32 && ![0xFFFE, 0xFFFF].contains($0.value) }))
  }

  /// Writes the page: as HTML if the path ends in `.html`, otherwise as an image in the format of its extension.
  ///
  /// - Parameters:
  ///   - path: The destination.
  ///   - columns: Photos per row.
  ///   - replacing: True to replace an existing file.
  ///   - isCanceled: Called now and then; returning true cancels the work and leaves nothing behind. By default,
  ///     the cancellation of the current task.
  /// - Returns: The file's size in bytes.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for an unknown extension and for the path of one of
  ///   the photos, ``PhotoDevelopmentError/Code/canceled``, and what writing throws.
  public func write(
    to path: String, columns: Int, replacing: Bool = false,
    isCanceled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(PhotoDevelopmentError) -> Int {
    try Self.checkPlace(path, of: tiles.map(\.source))
    do throws(ImageFileError) {
      try WholeFile.makeFolder(of: path)
      switch try Form(path: path) {
      case .html:
        let page = try html(columns: columns, isCanceled: isCanceled)
        return try WholeFile.write(to: path, replacing: replacing) {
          (output) throws(ImageFileError) in try output.append(Array(page.utf8))
        }
      case .image(let format):
        var writer = ImageFileWriter(ImageFileSettings(format: format))
        writer.isCanceled = isCanceled
        return try writer.write(
          ImageContent(image(columns: columns)), to: path, replacing: replacing
        ).byteCount
      }
    } catch {
      throw error.code == .canceled ? Self.canceled : PhotoDevelopmentError(error)
    }
  }

  /// The form of a page's file.
  public enum Form: Sendable, Hashable {
    /// A page for browsers.
    case html
    /// An image.
    case image(ImageFileFormat)

    /// The form indicated by a file's name.
    ///
    /// - Throws: `ImageFileError.Code.invalidArgument` for any other extension.
    public init(path: String) throws(ImageFileError) {
      let ending = URL(filePath: path).pathExtension.lowercased()
      let formats: [String: ImageFileFormat] = [
        "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "tif": .tiff, "tiff": .tiff, "heic": .heic,
        "avif": .avif, "jxl": .jpegXL,
      ]
      if ["html", "htm"].contains(ending) {
        self = .html
      } else if let format = formats[ending] {
        self = .image(format)
      } else {
        throw ImageFileError(
          .invalidArgument,
          "\(path): a contact sheet is .html, .jpg, .png, .tif, .heic, .avif or .jxl")
      }
    }
  }
}
