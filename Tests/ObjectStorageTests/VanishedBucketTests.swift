import ASCMHL
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// A bucket that is deleted while files are uploaded, fetched or compared.
struct VanishedBucketTests {
  /// A server whose bucket disappears after this many requests. Its answer to `HEAD` has no body.
  private static func server(_ store: MemoryStore, goneAfter limit: Int) -> AnsweringTransport {
    let count = Atomic(0)
    return AnsweringTransport(store) { request in
      guard count.add(1, ordering: .relaxed).newValue > limit else { return nil }
      return request.method == "HEAD" ? StorageAnswer(status: 404) : .refusal(404, "NoSuchBucket")
    }
  }

  /// With servers that report a checksum of the whole object, and with servers whose objects are read back.
  @Test(arguments: [true, false])
  func a_bucket_vanishing_at_any_time_is_named(tellsChecksum: Bool) throws {
    func makeStore() -> MemoryStore {
      MemoryStore(knowsCRC: tellsChecksum, tags: tellsChecksum ? .md5 : .own)
    }
    let whole = Self.server(makeStore(), goneAfter: .max)
    #expect(try StorageRig().upload(to: whole).isSound)
    #expect(whole.requests.count > 10)
    for number in 0..<whole.requests.count {
      let rig = try StorageRig()
      let server = Self.server(makeStore(), goneAfter: number)
      do {
        let report = try rig.upload(to: server)
        let codes = Set(report.destinations.flatMap(\.failures).map(\.code))
        #expect(codes == ["bucketNotFound"], "after \(number) requests: \(report.destinations)")
      } catch {
        let code = (error as? ObjectStorageError)?.code
        #expect(code == .bucketNotFound, "after \(number) requests: \(error)")
      }
    }
  }

  /// The work fails because of the bucket, after any number of successful requests.
  private func expectNamed(
    _ requestCount: Int, _ work: (_ requests: Int) throws -> CopyVerification
  ) {
    for number in 0..<requestCount {
      let error = #expect(throws: ObjectStorageError.self, "after \(number) requests") {
        try work(number)
      }
      #expect(error?.code == .bucketNotFound, "after \(number) requests: \(error?.message ?? "")")
    }
  }

  @Test(arguments: [false, true])
  func a_bucket_vanishing_during_verification_is_named(reads: Bool) throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    #expect(try rig.upload(to: store).isSound)
    let whole = Self.server(store, goneAfter: .max)
    #expect(try rig.verify(whole, reads: reads).isSound)
    #expect(whole.requests.count > 5)
    expectNamed(whole.requests.count) {
      try rig.verify(Self.server(store, goneAfter: $0), reads: reads)
    }
  }

  @Test(arguments: [false, true])
  func a_bucket_vanishing_during_movie_verification_is_named(reads: Bool) throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    #expect(try rig.upload(["take.mov"], to: store).isSound)
    let whole = Self.server(store, goneAfter: .max)
    #expect(try rig.verifyCopy(whole, reads: reads).isSound)
    #expect(whole.requests.count > 2)
    expectNamed(whole.requests.count) {
      try rig.verifyCopy(Self.server(store, goneAfter: $0), reads: reads)
    }
  }

  @Test func a_bucket_vanishing_during_a_fetch_is_named() throws {
    let store = MemoryStore()
    #expect(try TakeRig().upload(["take.mov"], to: store).isSound)
    let whole = Self.server(store, goneAfter: .max)
    let address = "s3://takes/day/take.mov"
    #expect(try TakeRig().fetch([address], from: whole).isSound)
    #expect(whole.requests.count > 4)
    for number in 0..<whole.requests.count {
      do {
        let report = try TakeRig().fetch([address], from: Self.server(store, goneAfter: number))
        let codes = Set(report.failures.map(\.code))
        #expect(codes == ["bucketNotFound"], "after \(number) requests: \(report.failures)")
      } catch {
        let code = (error as? ObjectStorageError)?.code
        #expect(code == .bucketNotFound, "after \(number) requests: \(error)")
      }
    }
  }

  @Test func objects_lost_in_an_existing_bucket_are_damage() throws {
    let server = AnsweringTransport(MemoryStore()) { request in
      request.method == "HEAD" ? StorageAnswer(status: 404) : nil
    }
    let report = try StorageRig().upload(to: server)
    #expect(
      Set(report.destinations.flatMap(\.failures).map(\.code)) == ["verificationFailed"],
      "\(report.destinations)")
  }
}
