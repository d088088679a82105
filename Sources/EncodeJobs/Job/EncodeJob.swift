import AssetReader
import Foundation
import MediaCore
import MovieExport
import QuickTime

/// An export in parts, in its own folder: `plan.json`, an index of each source, the complete parts,
/// and the joined movies. There is no other state.
public struct EncodeJob: Sendable {
  /// The folder.
  public let folder: String
  /// The plan.
  public let plan: EncodeJobPlan
  /// The xxHash64 of the plan's file, which every part records.
  public let planChecksum: String
  /// The system calls for the folder.
  var calls: any JobFolderCalls = SystemJobFolderCalls()

  /// Opens a job.
  ///
  /// - Throws: ``EncodeJobError/Code/notAJob``, ``EncodeJobError/Code/temporary`` if the folder
  ///   cannot be read now.
  public init(folder: String) throws(EncodeJobError) {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.folder = folder
    let path = folder + "/" + EncodeJobLayout.plan
    let bytes: [UInt8]?
    do throws(QuickTimeError) {
      bytes = try SmallFile(path: path).read(limit: 1 << 30)
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.notAJob, from: error)
    }
    guard let bytes else {
      throw EncodeJobError(
        .notAJob,
        FileManager.default.fileExists(atPath: folder)
          ? "\(folder) holds no \(EncodeJobLayout.plan); plan a conversion into it first"
          : "no folder \(folder); check the path, or plan a conversion into it first")
    }
    let document: PlanDocument
    do {
      document = try JSONDecoder().decode(PlanDocument.self, from: Data(bytes))
    } catch {
      throw EncodeJobError(.notAJob, "\(path) is not a plan, or is damaged; create the plan again")
    }
    guard document.schema == DocumentKind.encodePlan.schema,
      document.version <= DocumentKind.version
    else {
      throw EncodeJobError(
        .notAJob,
        "\(path) is of version \(document.version) of \(document.schema); use a newer program")
    }
    guard document.plan.isConsistent else {
      throw EncodeJobError(.notAJob, "\(path) contradicts itself; create the plan again")
    }
    plan = document.plan
    planChecksum = XXHash64.text(bytes.withUnsafeBytes { XXHash64.digest($0) })
  }

  func path(_ relative: String) -> String { folder + "/" + relative }

  /// A part's folder.
  func partFolder(_ number: Int) -> String {
    path("\(EncodeJobLayout.parts)/\(Self.partName(number))")
  }

  /// The path of the record that a source's movie is joined.
  func joinRecord(of source: Int) -> String {
    path("index/\(Self.partName(source)).joined.json")
  }

  /// True if a source's movie was joined by this plan and exists.
  func isJoined(_ source: Int) -> Bool {
    guard let record = try? JoinRecord(of: source, self) else { return false }
    let facts = try? FileManager.default.attributesOfItem(atPath: path(plan.sources[source].movie))
    return (facts?[.size] as? NSNumber)?.int64Value == record.outcome.fileSize
  }

  static func partName(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(6 - digits.count, 0)) + digits
  }

  /// Reads a source's index.
  ///
  /// - Throws: ``EncodeJobError/Code/notAJob`` if it does not match the plan.
  func index(of source: EncodeJobPlan.Source) throws(EncodeJobError) -> SourceIndex {
    let path = path(source.index)
    let bytes: [UInt8]?
    do throws(QuickTimeError) {
      bytes = try SmallFile(path: path).read(limit: 1 << 30)
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.notAJob, from: error)
    }
    guard let bytes,
      XXHash64.text(bytes.withUnsafeBytes({ XXHash64.digest($0) })) == source.indexChecksum,
      let document = try? JSONDecoder().decode(IndexDocument.self, from: Data(bytes)),
      document.index.isConsistent, document.index.schedule.count == source.frameCount
    else {
      throw EncodeJobError(
        .notAJob, "\(path) is missing or damaged; create the plan again, in another folder")
    }
    return document.index
  }

  /// The plan document, with its schema and version.
  struct PlanDocument: Decodable {
    private enum Keys: CodingKey { case schema, version }

    var schema: String
    var version: Int
    var plan: EncodeJobPlan

    init(from decoder: any Decoder) throws {
      let keys = try decoder.container(keyedBy: Keys.self)
      schema = try keys.decode(String.self, forKey: .schema)
      version = try keys.decode(Int.self, forKey: .version)
      plan = try EncodeJobPlan(from: decoder)
    }
  }

  struct IndexDocument: Decodable {
    var index: SourceIndex

    init(from decoder: any Decoder) throws { index = try SourceIndex(from: decoder) }
  }
}
